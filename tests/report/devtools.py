"""Chromium without a window, driven by its DevTools protocol over two pipes.

    with Browser("chromium") as browser:
        page = browser.open("file:///tmp/page.html", width=390)
        page.evaluate("document.title")

The standard library alone: messages are JSON, each ended by a NUL byte.
"""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    def __init__(self, program, seconds=60):
        self.profile = tempfile.mkdtemp()
        self.deadline = time.monotonic() + seconds
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()
        command = [
            program, "--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + self.profile,
            "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
            "--force-color-profile=srgb", "about:blank"]
        if os.geteuid() == 0:
            command.insert(1, "--no-sandbox")
        # The protocol is spoken on descriptors 3 and 4 of the browser.
        shell = 'exec "$@" 3<&%d 4>&%d' % (to_read, to_write)
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "-"] + command, pass_fds=[to_read, to_write],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number = 0
        self.rest = b""
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _receive(self):
        while b"\0" not in self.rest:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.back, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **params):
        self.number += 1
        wanted = self.number
        message = {"id": wanted, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self._receive()
            if answer.get("id") == wanted:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def wait_for(self, method, session):
        while True:
            for i, event in enumerate(self.events):
                if event["method"] == method and event.get("sessionId") == session:
                    return self.events.pop(i)
            message = self._receive()
            if "method" in message:
                self.events.append(message)

    def open(self, url, width=1280, height=900, dark=False):
        return Page(self, url, width, height, dark)


class Page:
    def __init__(self, browser, url, width, height, dark):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)
        self.media(scheme="dark" if dark else "light")
        self.call("Page.navigate", url=url)
        browser.wait_for("Page.loadEventFired", self.session)

    def call(self, method, **params):
        return self.browser.call(method, session=self.session, **params)

    def media(self, kind="", scheme="light"):
        self.call("Emulation.setEmulatedMedia", media=kind,
                  features=[{"name": "prefers-color-scheme", "value": scheme},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "?"))
        return answer["result"].get("value")

    def click(self, selector):
        """A click by the mouse at the middle of an element, as a person would."""
        x, y = self.evaluate(
            "(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center', "
            "behavior: 'instant'}); return new Promise((done) => requestAnimationFrame(() => "
            "requestAnimationFrame(() => { const b = e.getBoundingClientRect(); "
            "done([b.x + b.width / 2, b.y + b.height / 2]); }))); })()" % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key, code=0, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code, text=text if kind == "keyDown" else "")

    def complaints(self):
        """What the page wrote to the console, threw, or tried to fetch."""
        self.evaluate("new Promise((done) => setTimeout(done, 50))")
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            params = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append("threw: %s" % params["exceptionDetails"])
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append("console: %s" % params["args"])
            elif event["method"] == "Log.entryAdded":
                found.append("log: %s" % params["entry"]["text"])
            elif event["method"] == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("file:", "data:")):
                    found.append("fetched: %s" % url)
        return found

    def picture(self, whole=False):
        return self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]

    def pdf(self):
        return self.call("Page.printToPDF", printBackground=True)["data"]
