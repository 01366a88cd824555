/* The script of every page of `highwater report`: light or dark, tables that
   sort, and the viewer of memory over the steps.  Names out of files become
   text nodes, never markup. */
(() => {
    "use strict";

    const SVG = "http:" + "//www.w3.org/2000/svg"; // a name, not an address: nothing is fetched

    /* An element with attributes and children; a string is a child of text. */
    function make(name, attributes, ...children) {
        return fill(document.createElement(name), attributes, children);
    }

    function draw(name, attributes, ...children) {
        return fill(document.createElementNS(SVG, name), attributes, children);
    }

    function fill(element, attributes, children) {
        for (const [key, value] of Object.entries(attributes || {}))
            if (value !== undefined && value !== null)
                element.setAttribute(key, value);
        element.append(...children);
        return element;
    }

    /* ---- Light and dark. ---- */

    function addSwitch() {
        const themes = ["as the system", "light", "dark"];
        const keep = "highwater-theme";
        let at = 0;
        try {
            at = Math.max(0, themes.indexOf(localStorage.getItem(keep)));
        } catch (e) { /* pages of files may keep nothing */ }
        const button = make("button", { type: "button" });
        const show = () => {
            if (at)
                document.documentElement.dataset.theme = themes[at];
            else
                delete document.documentElement.dataset.theme;
            button.textContent = `Colours: ${themes[at]}`;
        };
        button.addEventListener("click", () => {
            at = (at + 1) % themes.length;
            try {
                localStorage.setItem(keep, themes[at]);
            } catch (e) { /* as above */ }
            show();
        });
        show();
        document.getElementById("switch").append(button);
    }

    /* ---- Tables. ---- */

    /* What a cell sorts by: a number, a text, or null where nothing is known. */
    function keyOf(row, column) {
        const cell = row.cells[column];
        const exact = cell.dataset.v;
        const text = (exact === undefined ? cell.textContent : exact).trim();
        if (text === "" || text === "\u2013" || text === "-")
            return null;
        const number = Number(text);
        return Number.isNaN(number) ? text : number;
    }

    const collator = new Intl.Collator("en", { numeric: true });

    function compareKeys(a, b) {
        if (typeof a === "number" && typeof b === "number")
            return a - b;
        if (typeof a !== typeof b)
            return typeof a === "number" ? -1 : 1;
        return collator.compare(a, b);
    }

    function sortBy(table, column) {
        const heads = [...table.tHead.rows[0].cells];
        const head = heads[column];
        const down = head.getAttribute("aria-sort") === "ascending";
        const body = table.tBodies[0];
        const rows = [...body.rows].map((row) => ({ row, key: keyOf(row, column) }));
        rows.sort((x, y) => {
            if (x.key === null || y.key === null)
                return (x.key === null) - (y.key === null); // the unknown last, either way
            return down ? compareKeys(y.key, x.key) : compareKeys(x.key, y.key);
        });
        heads.forEach((h) => h.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        body.append(...rows.map((r) => r.row));
    }

    function addFilter(table) {
        const few = 12;
        if (table.tBodies[0].rows.length <= few)
            return;
        const input = make("input", { type: "search" });
        input.addEventListener("input", () => {
            const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
            for (const row of table.tBodies[0].rows) {
                const text = row.textContent.toLowerCase();
                row.hidden = !wanted.every((word) => text.includes(word));
            }
        });
        const frame = table.closest(".frame");
        frame.before(make("label", { class: "filter" }, "Rows with", input));
    }

    function enliven(table) {
        [...table.tHead.rows[0].cells].forEach((head, column) => {
            const button = make("button", { type: "button" }, ...head.childNodes);
            button.addEventListener("click", () => sortBy(table, column));
            head.append(button);
        });
        addFilter(table);
    }

    /* ---- Bytes: exact ones are BigInt, those drawn are numbers. ---- */

    const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

    function unitFor(bytes) {
        let u = 0;
        while (u + 1 < UNITS.length && bytes >= 1024 ** (u + 1) * (u === 0 ? 9.765625 : 1))
            u++;
        return { name: UNITS[u], bytes: 1024 ** u };
    }

    function sayBytes(bytes) {
        const unit = unitFor(Number(bytes));
        if (unit.bytes === 1)
            return `${bytes.toLocaleString("en")} B`;
        const value = Number(bytes) / unit.bytes;
        return `${value < 999.5 ? value.toPrecision(3) : Math.round(value).toLocaleString("en")} ${unit.name}`;
    }

    /* Marks from 0 to most that people can count in: 1, 2 or 5 times a power of ten. */
    function marks(most, about) {
        const raw = most / about || 1;
        const power = 10 ** Math.floor(Math.log10(raw));
        const step = [1, 2, 5, 10].find((f) => f * power >= raw) * power;
        const list = [];
        for (let i = 0; i * step <= most * 1.0000001; i++)
            list.push(i * step);
        return list;
    }

    /* ---- One instance. ---- */

    function read(instance) {
        const sizes = instance.tensors.map((t) => BigInt(t[2]));
        const orders = instance.orders.map((o) => ({
            label: o.label,
            peak: BigInt(o.peak),
            peakStep: o.peak_step,
            before: BigInt(o.before),
            order: o.order,
            usage: o.usage.map(BigInt),
            live: o.live.map(BigInt),
            workspace: o.workspace ? o.workspace.map(BigInt) : null,
            lives: o.lives.map(([tensor, birth, death]) => ({ tensor, birth, death, size: sizes[tensor] })),
        }));
        const first = orders.some((o) => o.before > 0n) ? -1 : 0;
        const largest = orders[0].lives.reduce((most, l) => (l.size > most ? l.size : most), 0n);
        return { ...instance, orders, first, last: orders[0].order.length - 1, largest };
    }

    function usageAt(order, step) {
        return step < 0 ? order.before : order.usage[step];
    }

    /*
     * What is in memory while a step is measured, as the lifetime log says:
     * under free-first what dies in a step is gone by then, but for what the
     * step itself makes.
     */
    function alive(instance, order, step) {
        const freeFirst = instance.accounting === "free-first";
        return order.lives
            .filter((l) => l.birth <= step && l.death >= step)
            .map((l) => {
                const born = l.birth === step, dies = l.death === step;
                return { ...l, born, dies, held: !(freeFirst && dies && !born) };
            })
            .sort((a, b) => (a.size < b.size ? 1 : a.size > b.size ? -1 : a.tensor - b.tensor));
    }

    function tensorName(instance, t) {
        const [id, name] = instance.tensors[t];
        return name ? `${name} (${id})` : `tensor ${id}`;
    }

    function nodeName(instance, v) {
        const [id, name, op] = instance.nodes[v];
        const what = name || op;
        return `node ${id}${what ? `: ${what}` : ""}${name && op && op !== name ? ` (${op})` : ""}`;
    }

    /* ---- The curves. ---- */

    const EDGE = { left: 52, right: 66, top: 22, bottom: 30 };

    /* Draws all but the place of the step; returns what moves that. */
    function drawChart(chart, instance, onStep) {
        const width = chart.clientWidth || 640, height = chart.clientHeight || 320;
        const steps = instance.last - instance.first + 1;
        const most = Math.max(...instance.orders.map((o) => Number(o.peak))) * 1.04 || 1;
        const x = (s) => EDGE.left + ((s - instance.first) / steps) * (width - EDGE.left - EDGE.right);
        const y = (b) => height - EDGE.bottom - (b / most) * (height - EDGE.top - EDGE.bottom);
        const unit = unitFor(most);
        chart.replaceChildren();
        chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
        drawAxes(chart, instance, { x, y, width, height, most, unit });
        const now = draw("rect", {
            class: "now", width: Math.max(2, x(1) - x(0)), y: EDGE.top, height: height - EDGE.top - EDGE.bottom,
        });
        chart.append(now);
        drawLevels(chart, instance, { x, y, width });
        instance.orders.forEach((o, i) => drawCurve(chart, instance, o, i, x, y));
        chart.onpointerdown = chart.onpointermove = (event) => {
            if (event.type === "pointermove" && !event.buttons)
                return;
            const box = chart.getBoundingClientRect();
            const at = (event.clientX - box.left - EDGE.left) / (width - EDGE.left - EDGE.right);
            onStep(instance.first + Math.floor(at * steps));
        };
        return (step) => now.setAttribute("x", x(step));
    }

    function drawAxes(chart, instance, f) {
        const foot = f.height - EDGE.bottom;
        for (const mark of marks(f.most / f.unit.bytes, 5)) {
            const at = Math.round(f.y(mark * f.unit.bytes)) + 0.5;
            chart.append(
                draw("line", { class: "grid", x1: EDGE.left, x2: f.width - EDGE.right, y1: at, y2: at }),
                draw("text", { x: EDGE.left - 8, y: at + 4, "text-anchor": "end" }, mark.toLocaleString("en")));
        }
        chart.append(draw("text", { x: EDGE.left - 8, y: 12, "text-anchor": "end" }, f.unit.name));
        const room = (f.width - EDGE.left - EDGE.right) / 44;
        const list = marks(Math.max(1, instance.last), Math.max(1, room)).filter((s) => Number.isInteger(s) && s <= instance.last);
        for (const s of list)
            chart.append(draw("text", { x: (f.x(s) + f.x(s + 1)) / 2, y: foot + 17, "text-anchor": "middle" }, String(s)));
        chart.append(draw("text", { x: f.width - EDGE.right + 8, y: foot + 17 }, "step"));
    }

    /* A dotted line at each peak, and its figure beside it; the figures keep apart. */
    function drawLevels(chart, instance, f) {
        const apart = 15;
        let above = -Infinity;
        instance.orders
            .map((o, i) => ({ o, i, at: f.y(Number(o.peak)) }))
            .sort((a, b) => a.at - b.at || a.i - b.i)
            .forEach(({ o, i, at }) => {
                const text = Math.max(at + 4, above + apart);
                above = text;
                chart.append(
                    draw("line", { class: `level order-${i}`, x1: EDGE.left, x2: f.width - EDGE.right, y1: at, y2: at }),
                    draw("text", { class: `value order-${i}`, x: f.width - EDGE.right + 8, y: text }, sayBytes(o.peak)));
            });
    }

    function drawCurve(chart, instance, order, i, x, y) {
        let path = "";
        for (let s = instance.first; s <= instance.last; s++)
            path += `${path ? "L" : "M"}${x(s).toFixed(1)},${y(Number(usageAt(order, s))).toFixed(1)}H${x(s + 1).toFixed(1)}`;
        chart.append(draw("path", { class: `curve order-${i}`, d: path }));
        if (order.peakStep >= instance.first)
            chart.append(draw("circle", {
                class: `peak order-${i}`, r: 4,
                cx: (x(order.peakStep) + x(order.peakStep + 1)) / 2, cy: y(Number(order.peak)),
            }));
    }

    /* ---- The tensors of a step. ---- */

    const MOST_BARS = 24;

    function sum(list) {
        return list.reduce((total, l) => total + l.size, 0n);
    }

    function figure(name, bytes, role) {
        return make("div", {}, make("dt", {}, name),
            make("dd", { "data-role": role, "data-bytes": bytes, title: `${bytes.toLocaleString("en")} bytes` }, sayBytes(bytes)));
    }

    /* usage = tensors + workspace - what is written in place (MODEL, section 3). */
    function sums(order, step, list) {
        const held = sum(list.filter((l) => l.held));
        const usage = usageAt(order, step);
        const workspace = step >= 0 && order.workspace ? order.workspace[step] : 0n;
        const saved = held + workspace - usage;
        const box = make("dl", { class: "sums" }, figure("in use", usage, "usage"), figure("tensors", held, "tensors"));
        if (workspace > 0n)
            box.append(figure("workspace", workspace, "workspace"));
        if (saved !== 0n)
            box.append(figure("in place, saved", saved, "saved"));
        box.append(figure("left after it", step < 0 ? order.before : order.live[step], "live"));
        return box;
    }

    function bar(instance, l, largest) {
        const what = l.born && l.dies ? "new, dies" : l.born ? "new" : l.dies ? (l.held ? "dies" : "freed") : "";
        const part = largest > 0n ? Number((l.size * 10000n) / largest) / 100 : 0;
        const name = make("span", { class: "name", title: tensorName(instance, l.tensor) }, tensorName(instance, l.tensor));
        name.style.setProperty("--part", `${part}%`);
        return make("li", { class: [l.born && "born", l.dies && "dies"].filter(Boolean).join(" "), "data-tensor": instance.tensors[l.tensor][0], "data-held": l.held },
            make("span", { class: "what" }, what), name, make("span", { class: "size" }, sayBytes(l.size)));
    }

    function tensors(instance, list, largest) {
        const box = make("ul", { class: "tensors" }, ...list.slice(0, MOST_BARS).map((l) => bar(instance, l, largest)));
        const rest = list.slice(MOST_BARS);
        if (rest.length)
            box.append(make("li", { class: "more" }, `and ${rest.length} smaller ones, ${sayBytes(sum(rest))} together`));
        if (!list.length)
            box.append(make("li", { class: "more" }, "nothing is in memory"));
        return box;
    }

    function panel(instance, i, step, onStep) {
        const order = instance.orders[i];
        const list = alive(instance, order, step);
        const peak = make("button", { type: "button" }, "to its peak");
        peak.addEventListener("click", () => onStep(Math.max(instance.first, order.peakStep), i));
        return make("div", { class: `order-${i}`, "data-order": i },
            make("div", { class: "top" }, make("h3", {}, order.label), peak),
            make("p", { class: "ran" }, step < 0 ? "before the first step" : nodeName(instance, order.order[step])),
            sums(order, step, list), tensors(instance, list, instance.largest));
    }

    /* ---- The viewer. ---- */

    function keyLine(order, i) {
        const line = draw("svg", { viewBox: "0 0 32 12", "aria-hidden": "true", class: `order-${i}` },
            draw("path", { class: "curve", d: "M0,6H32" }));
        return make("li", {}, line, `${order.label}, peak ${sayBytes(order.peak)}`);
    }

    function openViewer(root, instances) {
        const select = make("select", { id: "instance" },
            ...instances.map((d, i) => make("option", { value: i }, `${d.name}, ${d.accounting}: +${Number(d.gap.toPrecision(3))} %`)));
        const about = make("p", { class: "about" });
        const key = make("ul", { class: "key" });
        const chart = draw("svg", { class: "chart", role: "img" });
        const slider = make("input", { type: "range", id: "step", "aria-label": "Step" });
        const place = make("output", { for: "step" });
        const back = make("button", { type: "button", "aria-label": "One step back" }, "\u2039");
        const on = make("button", { type: "button", "aria-label": "One step on" }, "\u203A");
        const pair = make("div", { class: "pair" });
        let instance, step, mark;

        function show() {
            mark(step);
            slider.value = step;
            const said = step < 0 ? "start" : `step ${step} of ${instance.last}`;
            place.textContent = said;
            slider.setAttribute("aria-valuetext",
                `${said}; ${instance.orders.map((o) => `${o.label} ${sayBytes(usageAt(o, step))}`).join(", ")}`);
            pair.replaceChildren(...instance.orders.map((o, i) => panel(instance, i, step, setStep)));
        }

        function setStep(wanted, focusOrder) {
            step = Math.min(instance.last, Math.max(instance.first, wanted));
            show();
            if (focusOrder !== undefined) // the button pressed was made anew
                pair.children[focusOrder].querySelector("button").focus();
        }

        function setInstance(i) {
            instance = read(instances[i]);
            slider.min = instance.first;
            slider.max = instance.last;
            about.textContent = `${instance.name}: ${instance.nodes.length} nodes, ${instance.tensors.length} tensors, ${instance.accounting}` +
                `${instance.pinned ? ", inputs pinned" : ""}` +
                `${instance.proven ? "" : "; the optimum is not proven within the limit of states"}`;
            key.replaceChildren(...instance.orders.map(keyLine));
            chart.setAttribute("aria-label", `Memory in use at each step: ${instance.orders.map((o) => `${o.label} peaks at ${sayBytes(o.peak)}`).join(", ")}`);
            mark = drawChart(chart, instance, setStep);
            setStep(instance.orders[0].peakStep);
        }

        select.addEventListener("change", () => setInstance(Number(select.value)));
        slider.addEventListener("input", () => setStep(Number(slider.value)));
        back.addEventListener("click", () => setStep(step - 1));
        on.addEventListener("click", () => setStep(step + 1));
        root.append(
            make("div", { class: "pick" }, make("label", { for: "instance" }, "Instance"), select),
            about, key, chart, make("div", { class: "steps" }, back, slider, on, place), pair);
        root.hidden = false;
        setInstance(0);
        new ResizeObserver(() => {
            mark = drawChart(chart, instance, setStep);
            mark(step);
        }).observe(chart);
    }

    addSwitch();
    document.querySelectorAll("table.sortable").forEach(enliven);
    const data = document.getElementById("timelines-data");
    const instances = data ? JSON.parse(data.textContent) : [];
    if (instances.length)
        openViewer(document.getElementById("viewer"), instances);
})();
