"""Checks of a report in Chromium: browser.py CHROMIUM PROGRAM FOLDER GRAPH

FOLDER holds page.html, made of FOLDER/results with GRAPH shown first,
trees.html, of the trees in it under one accounting, and empty.html, of nothing.  Prints TAP; exit status 1 when anything failed.
"""
import base64
import json
import re
import subprocess
import sys
import traceback

from devtools import Browser

CHROMIUM, PROGRAM, FOLDER, GRAPH = sys.argv[1:5]
PAGE = "file://%s/page.html" % FOLDER
# A phone zooms out of what is too wide, and innerWidth grows along: no measure.
WIDTHS = "[document.documentElement.scrollWidth, document.body.scrollWidth, innerWidth]"
checks = []


def check(function):
    checks.append(function)
    return function


def same(found, wanted, what):
    if found != wanted:
        raise AssertionError("%s: %r, not %r" % (what, found, wanted))


def source(name="page.html"):
    with open("%s/%s" % (FOLDER, name), encoding="utf-8") as file:
        return file.read()


# ---- What stands in the file. ----

@check
def refers_to_nothing_outside(browser):
    text = source()
    for word in ("http://", "https://", "@import", "url(http", "<iframe", "<object", "<link rel=\"style"):
        if word in text:
            raise AssertionError("the page holds %s" % word)
    page = browser.open(PAGE)
    found = page.evaluate(
        "[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes])"
        ".filter((a) => /^(xlink:)?(href|src|srcset|action|formaction|data|poster|background|cite|ping)$/.test(a.name)"
        " || /url\\(/i.test(a.value)).map((a) => a.value)"
        ".filter((v) => !/^(#|data:,?|url\\(#)/.test(v))")
    same(found, [], "references")


@check
def ids_are_unique_and_references_meet_them(browser):
    page = browser.open(PAGE)
    twice = page.evaluate(
        "(() => { const seen = new Map(); document.querySelectorAll('[id]').forEach((e) => "
        "seen.set(e.id, (seen.get(e.id) || 0) + 1)); "
        "return [...seen].filter(([, n]) => n > 1).map(([id]) => id); })()")
    same(twice, [], "ids that occur twice")
    lost = page.evaluate(
        "[...document.querySelectorAll('use, a[href]')].map((e) => e.getAttribute('href'))"
        ".filter((h) => h !== null && !document.getElementById(h.slice(1)))")
    same(lost, [], "references to nothing")
    if not page.evaluate("document.querySelectorAll('svg.plot use').length > 5"):
        raise AssertionError("the drawings lost their marks")


@check
def is_small(browser):
    if len(source()) > 3 << 20:
        raise AssertionError("%d bytes" % len(source()))


# ---- Hostile names. ----

@check
def hostile_names_stay_text(browser):
    page = browser.open(PAGE)
    same(page.evaluate("document.querySelectorAll('img, iframe, script:not([type]):not(:last-of-type)').length"),
         0, "foreign elements")
    same(page.evaluate("document.scripts.length"), 2, "scripts")
    same(page.evaluate("[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes])"
                       ".filter((a) => /^on/i.test(a.name)).length"), 0, "event handlers")
    same(page.evaluate("document.querySelector('.tensors .name').textContent"),
         "<img src=x onerror=alert(2)> (1)", "the largest tensor")
    same(page.evaluate("document.querySelector('#instance option').textContent.startsWith("
                       "'</script><img src=x onerror=alert(1)>')"), True, "the instance's name")
    same(page.evaluate("document.querySelector('.facts').textContent.includes('<i>two & a half</i>')"),
         True, "the machine's name")
    same(page.evaluate("document.querySelector('.facts dd').textContent"),
         'small & <b>"page"</b>', "the suite's name")
    same(page.evaluate("[...document.querySelectorAll('.csv td')].some((e) => "
                       "e.textContent === '</td></table><img src=x onerror=alert(1)>')"), True, "a cell")
    same(page.evaluate("[...document.querySelectorAll('.plot text')].some((e) => "
                       "e.textContent === 'kept <b> & here')"), True, "a text of a drawing")
    same(page.evaluate("[...document.querySelectorAll('.plot text')].some((e) => "
                       "e.textContent === 'in a link')"), False, "a text within a link")
    same(page.complaints(), [], "complaints")


@check
def a_foreign_script_would_not_run(browser):
    page = browser.open(PAGE)
    page.evaluate("{ const s = document.createElement('script'); s.textContent = 'window.ran = 1'; "
                  "document.body.append(s); }")
    same(page.evaluate("window.ran"), None, "a script put into the page")


# ---- Rendering. ----

@check
def renders_without_complaint(browser):
    page = browser.open(PAGE)
    same(page.complaints(), [], "complaints")
    same(page.evaluate("[...document.querySelectorAll('main h2')].map((h) => h.textContent)"),
         ["By family", "Memory over the steps", "By solver", "Claims", "Drawings", "Tables"], "headings")
    if not re.search(r"greedy is within 5\W*% of the least peak on [0-9.]+\W*% of 24 instances",
                     page.evaluate("document.querySelector('.lead').textContent")):
        raise AssertionError("no answer on the first screen")
    same(page.evaluate("document.querySelector('.lead').getBoundingClientRect().bottom < innerHeight"),
         True, "the answer is on the first screen")
    same(page.evaluate("document.querySelectorAll('figure svg.plot').length"), 3, "drawings")
    same(page.evaluate("[...document.querySelectorAll('figure svg.plot')].every((e) => "
                       "e.getBoundingClientRect().height > 20)"), True, "drawings are drawn")
    same(page.evaluate("document.querySelectorAll('.missing').length"), 0, "missing parts")


@check
def the_answer_is_that_of_the_table(browser):
    page = browser.open(PAGE)
    rows = json.loads(subprocess.run(
        [PROGRAM, "table", FOLDER + "/results/results.jsonl", "--where", "solver=greedy", "--json"],
        check=True, capture_output=True).stdout)
    row = next(r for r in rows if r["accounting"] == "alloc-first")
    shown = [float(x) for x in page.evaluate(
        "[...document.querySelectorAll('.lead b')].map((e) => e.textContent.match(/[0-9.]+/)[0])")]
    same(shown, [round(100 * row["within_5_share"], 1), round(100 * row["above_20_share"], 1), 100.0],
         "the shares of the answer")


@check
def answers_about_what_was_chosen(browser):
    page = browser.open("file://%s/trees.html" % FOLDER)
    same(page.complaints(), [], "complaints")
    same(" of 6 instances" in page.evaluate("document.querySelector('.lead').textContent"), True, "trees alone")
    same(page.evaluate("[...document.querySelectorAll('.facts dd')].at(-1).textContent"),
         "family=tree, accounting=alloc-first", "what is chosen")
    same(sorted(set(column(page, "#families", 0))), ["tree"], "families")
    same(page.evaluate("document.querySelectorAll('#instance option').length <= 1"), True, "instances")


@check
def says_what_is_missing(browser):
    page = browser.open("file://%s/empty.html" % FOLDER)
    same(page.complaints(), [], "complaints")
    same(page.evaluate("document.querySelectorAll('.missing').length"), 7, "missing parts")


@check
def claims_have_badges_and_numbers(browser):
    page = browser.open(PAGE)
    same(page.evaluate("[...document.querySelectorAll('.claims tbody .badge')].map((e) => e.textContent)"),
         ["holds only if", "fails", "holds"], "verdicts")
    found = page.evaluate("document.querySelector('.claims tbody tr').cells[4].textContent")
    for words in ("Only if n < 20.", "took 12.5 ms; {unknown} stays", "one: 25.0 % of all", "C01-<i>.json"):
        if words not in found:
            raise AssertionError("%r is not in %r" % (words, found))


# ---- Tables. ----

COLUMN = ("[...document.querySelectorAll('%s tbody tr')].map((r) => "
          "(r.cells[%d].dataset.v || r.cells[%d].textContent))")


def column(page, table, number):
    return page.evaluate(COLUMN % (table, number, number))


@check
def sorts_by_click(browser):
    page = browser.open(PAGE)
    head = "#solvers th:nth-child(5)"
    before = column(page, "#solvers", 4)
    page.click(head + " button")
    same(page.evaluate("document.querySelector('%s').getAttribute('aria-sort')" % head), "ascending", "aria-sort")
    up = column(page, "#solvers", 4)
    same(up, sorted(before, key=float), "ascending shares")
    page.click(head + " button")
    same(page.evaluate("document.querySelector('%s').getAttribute('aria-sort')" % head), "descending", "aria-sort")
    same(column(page, "#solvers", 4), sorted(before, key=float, reverse=True), "descending shares")
    page.click("#solvers th:nth-child(1) button")
    same(page.evaluate("document.querySelectorAll('#solvers th[aria-sort]').length"), 1, "one sorted column")
    same(column(page, "#solvers", 0), sorted(column(page, "#solvers", 0)), "ascending names")


@check
def sorts_by_keyboard(browser):
    page = browser.open(PAGE)
    page.evaluate("document.querySelector('#claims th:nth-child(4) button').focus()")
    page.press("Enter", 13, "\r")
    same(column(page, "#claims", 0), ["C03", "C01", "C02"], "claims by verdict")
    page.press(" ", 32, " ")
    same(column(page, "#claims", 0), ["C02", "C01", "C03"], "claims by verdict, backwards")
    page.evaluate("document.querySelector('#claims th:nth-child(2) button').focus()")
    page.press("Enter", 13, "\r")
    same(column(page, "#claims", 1), ["1.3", "2.1", "10.2"], "sections as numbers")


@check
def sorts_the_unknown_last(browser):
    page = browser.open(PAGE)
    table = "[...document.querySelectorAll('details.csv')].find((d) => d.textContent.includes('hostile.csv'))"
    page.evaluate("%s.id = 'hostile'" % table)
    for clicks, wanted in ((1, ["-2e-3", "1.5", "9", "10"]), (1, ["10", "9", "1.5", "-2e-3"])):
        page.click("#hostile th:nth-child(3) button")
        same(column(page, "#hostile", 2), wanted, "numbers")
    page.click("#hostile th:nth-child(2) button")
    same(column(page, "#hostile", 1), ["x", "y", "z", ""], "an empty cell")


@check
def rows_can_be_chosen(browser):
    page = browser.open(PAGE)
    page.evaluate("{ const i = [...document.querySelectorAll('.filter input')].at(-1); i.value = 'tree greedy free'; "
                  "i.dispatchEvent(new Event('input')); }")
    left = page.evaluate("[...document.querySelectorAll('details.csv:has(.filter) tbody tr:not([hidden])')]"
                         ".map((r) => r.textContent)")
    same(len(left), 1, "rows left")


# ---- The viewer. ----

FIGURES = ("[...document.querySelectorAll('#viewer [data-order]')].map((p) => Object.fromEntries("
           "[...p.querySelectorAll('[data-role]')].map((e) => [e.dataset.role, e.dataset.bytes])))")
HELD = ("[...document.querySelectorAll('#viewer [data-order=\"%d\"] [data-tensor]')]"
        ".filter((e) => e.dataset.held === 'true').map((e) => Number(e.dataset.tensor))")


def simulate(graph, solver, accounting):
    done = subprocess.run(
        [PROGRAM, "simulate", graph, "--order", solver, "--accounting", accounting, "--live", "--json", "-q"],
        check=True, capture_output=True)
    return json.loads(done.stdout)


def walk(page, graph, accounting):
    """Every step of the instance that is shown against the lifetime log."""
    logs = [simulate(graph, solver, accounting) for solver in ("greedy", "exact")]
    low, high = page.evaluate("(() => { const s = document.getElementById('step'); return [Number(s.min), Number(s.max)]; })()")
    same(high, len(logs[0]["steps"]) - 1, "the last step")
    for step in range(low, high + 1):
        page.evaluate("{ const s = document.getElementById('step'); s.value = %d; "
                      "s.dispatchEvent(new Event('input')); }" % step)
        for i, figures in enumerate(page.evaluate(FIGURES)):
            log = logs[i]
            row = log["steps"][step] if step >= 0 else {"usage": log["live_before"], "live": log["live_before"]}
            what = "%s under %s, order %d, step %d" % (graph, accounting, i, step)
            same(int(figures["usage"]), row["usage"], what + ": usage")
            same(int(figures["live"]), row["live"], what + ": live")
            saved = int(figures.get("saved", 0))
            same(int(figures["tensors"]) + int(figures.get("workspace", 0)) - saved, row["usage"], what + ": sum")
            if saved < 0:
                raise AssertionError(what + ": less than nothing is saved")
            held = set(page.evaluate(HELD % i))
            before = log["steps"][step - 1]["live_set"] if step > 0 else log["initial"]
            born = row.get("born", log["initial"])
            wanted = set(before) | set(born)
            if accounting == "free-first":
                wanted -= set(row.get("died", [])) - set(born)
            same(held, wanted, what + ": what is alive")


@check
def slides_as_simulate_counts(browser):
    page = browser.open(PAGE)
    walk(page, GRAPH, "alloc-first")
    instances = page.evaluate("JSON.parse(document.getElementById('timelines-data').textContent)"
                              ".map((d) => [d.name, d.accounting])")
    if len(instances) < 3:
        raise AssertionError("only %d instances" % len(instances))
    for number, (name, accounting) in list(enumerate(instances))[1:]:
        family, _, rest = name.partition(":")
        parameters, _, index = rest.rpartition("#")
        graph = "%s/graph-%d.json" % (FOLDER, number)
        made = subprocess.run([PROGRAM, "gen", family] + sum((["--" + p.split("=")[0], p.split("=")[1]]
                              for p in parameters.split(",")), []) +
                              ["--count", str(int(index) + 1), "-q", "--format", "line"],
                              check=True, capture_output=True).stdout
        subprocess.run([PROGRAM, "convert", "-", graph, "--format", "json", "-q"], check=True,
                       input=last_graph(made))
        page.evaluate("{ const s = document.getElementById('instance'); s.value = %d; "
                      "s.dispatchEvent(new Event('change')); }" % number)
        walk(page, graph, accounting)
    same(page.complaints(), [], "complaints")


def last_graph(lines):
    begins = [m.start() for m in re.finditer(rb"^p ", lines, re.M)]
    return lines[begins[-1]:]


@check
def shows_numbers_beyond_two_to_the_53(browser):
    page = browser.open(PAGE)
    found = page.evaluate("document.querySelector('[data-order=\"0\"] [data-role=usage]').dataset.bytes")
    wanted = simulate(GRAPH, "greedy", "alloc-first")["peak"]
    same(int(found), wanted, "the peak")
    if wanted < 1 << 53:
        raise AssertionError("the graph is too small for this check")


@check
def slides_by_keyboard_and_mouse(browser):
    page = browser.open(PAGE)
    step = "Number(document.getElementById('step').value)"
    page.evaluate("{ const s = document.getElementById('step'); s.value = 1; s.dispatchEvent(new Event('input')); "
                  "s.focus(); }")
    page.press("ArrowRight", 39)
    same(page.evaluate(step), 2, "the arrow key")
    same(page.evaluate("document.getElementById('step').getAttribute('aria-valuetext').startsWith('step 2 of 3; ')"),
         True, "what is said")
    page.click(".steps button")
    same(page.evaluate(step), 1, "one step back")
    page.click(".chart")
    same(page.evaluate(step) in (0, 1, 2), True, "a click into the curves")
    page.click("[data-order='1'] .top button")
    same(page.evaluate("document.querySelector('[data-order=\"1\"] [data-role=usage]').dataset.bytes"),
         page.evaluate("JSON.parse(document.getElementById('timelines-data').textContent)[0].orders[1].peak"),
         "the peak of the optimum")


# ---- Widths, colours, paper. ----

@check
def fits_a_phone(browser):
    page = browser.open(PAGE, width=390, height=844)
    same(page.evaluate(WIDTHS), [390] * 3, "widths")
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    same(page.evaluate(WIDTHS), [390] * 3, "widths with all that is folded open")
    same(page.evaluate("parseFloat(getComputedStyle(document.body).fontSize) >= 16"), True, "letters are large enough")
    page = browser.open(PAGE, width=320, height=600)
    same(page.evaluate(WIDTHS), [320] * 3, "widths")


CONTRASTS = """(() => {
    const read = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
    const light = (c) => { const [r, g, b] = c.map((x) => (x /= 255) <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const ground = light(read(getComputedStyle(document.body).backgroundColor));
    const poor = [];
    for (const e of document.querySelectorAll('h1, h2, h3, p, b, dt, dd, th, td, small, caption, summary, .badge, .file, a, .what')) {
        const ink = light(read(getComputedStyle(e).color));
        const ratio = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
        if (ratio < 4.5) poor.push(`${e.tagName}.${e.className}: ${ratio.toFixed(2)}`);
    }
    return [...new Set(poor)];
})()"""


@check
def contrasts_are_enough_in_light_and_dark(browser):
    for dark in (False, True):
        page = browser.open(PAGE, dark=dark)
        same(page.evaluate(CONTRASTS), [], "poor contrasts, %s" % ("dark" if dark else "light"))


GROUND = "getComputedStyle(document.body).backgroundColor"


@check
def follows_the_system_and_the_switch(browser):
    page = browser.open(PAGE)
    light = page.evaluate(GROUND)
    same(light, "rgb(255, 255, 255)", "the light ground")
    page.media(scheme="dark")
    dark = page.evaluate(GROUND)
    if dark == light:
        raise AssertionError("the page does not follow the system")
    page.click("#switch button")
    same(page.evaluate(GROUND), light, "light by the switch, on a dark system")
    page.media(scheme="light")
    page.click("#switch button")
    same(page.evaluate(GROUND), dark, "dark by the switch, on a light system")
    page.click("#switch button")
    same(page.evaluate(GROUND), light, "the system again")


@check
def prints(browser):
    page = browser.open(PAGE, dark=True)
    pdf = base64.b64decode(page.pdf())
    same(pdf[:5], b"%PDF-", "the head of the file")
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
    if not 3 <= pages <= 14:
        raise AssertionError("%d pages" % pages)
    page.media(kind="print", scheme="dark")
    same(page.evaluate(GROUND), "rgb(255, 255, 255)", "the ground on paper")
    same(page.evaluate("getComputedStyle(document.querySelector('nav')).display"), "none", "contents on paper")


def main():
    failed = 0
    with Browser(CHROMIUM) as browser:
        for number, function in enumerate(checks, 1):
            name = "report: " + function.__name__.replace("_", " ")
            try:
                function(browser)
                print("ok %d - %s" % (number, name), flush=True)
            except Exception as error:  # the next check may still tell more
                failed += 1
                print("not ok %d - %s: %s" % (number, name, error), flush=True)
                if not isinstance(error, AssertionError):
                    traceback.print_exc(file=sys.stdout)
    print("1..%d" % len(checks))
    return failed != 0


sys.exit(main())
