"""A real Chromium, driven over a pipe by its own protocol; needs nothing but the browser and Python.

    with Browser() as browser:
        page = browser.open("page/index.html", width=900)
        page.evaluate("document.title")
        page.press("j")
        page.screenshot("page.png")
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_browser():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    def __init__(self, timeout=60):
        self.timeout = timeout
        self.number = 0
        self.events = []
        self.buffer = b""

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="browser.")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        command = [find_browser(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--hide-scrollbars", f"--user-data-dir={self.profile}", "--remote-debugging-pipe", "about:blank"]

        def place_pipes():
            # The browser reads commands from 3 and answers on 4; the ends go by way of numbers that neither can have.
            for end, place in ((to_browser, 103), (from_browser, 104)):
                os.dup2(end, place)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(command, close_fds=False, preexec_fn=place_pipes, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (OSError, EOFError, TimeoutError):
            self.process.kill()
        self.process.wait()
        for end in (self.write_end, self.read_end):
            os.close(end)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.read_end, 1 << 20)
            if not piece:
                raise EOFError("the browser has ended")
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path, width=1280, height=900, dark=False):
        """A page from disk, its loading complete."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Network"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        if dark:
            page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        path, _, fragment = str(path).partition("#")
        page.go(Path(path).resolve().as_uri() + (f"#{fragment}" if fragment else ""))
        return page


class Page:
    def __init__(self, browser, session):
        self.browser = browser
        self.session = session

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def go(self, address):
        self.call("Page.navigate", url=address)
        self.wait_for("document.readyState === 'complete'")

    def evaluate(self, expression):
        """The value of a JavaScript expression, promises awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", "an exception"))
        return answer["result"].get("value")

    def wait_for(self, condition):
        deadline = time.monotonic() + self.browser.timeout
        while not self.evaluate(condition):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never became true: {condition}")
            time.sleep(0.02)

    def press(self, key):
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        code = {"Enter": 13, "Escape": 27, "Tab": 9}.get(key, ord(key.upper()) if len(key) == 1 else 0)
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "", windowsVirtualKeyCode=code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, path, whole=False):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def problems(self):
        """What a person would see at once: a page wider than its window, texts of a drawing on one another or outside it."""
        return self.evaluate(PROBLEMS)

    def addresses(self):
        """Every address that the page has asked for."""
        return [event["params"]["request"]["url"] for event in self.browser.events
                if event.get("sessionId") == self.session and event["method"] == "Network.requestWillBeSent"]

    def errors(self):
        """Exceptions and errors that the page's scripts have not caught."""
        return [event["params"]["exceptionDetails"]["text"] for event in self.browser.events
                if event.get("sessionId") == self.session and event["method"] == "Runtime.exceptionThrown"]


PROBLEMS = """(() => {
const problems = [];
const box = element => element.getBoundingClientRect();
const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
if (document.documentElement.scrollWidth > window.innerWidth) problems.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${window.innerWidth}`);
for (const drawing of document.querySelectorAll('svg')) {
    const outer = box(drawing), texts = [...drawing.querySelectorAll('text')];
    texts.forEach((text, i) => {
        const inner = box(text);
        if (inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 2 || inner.bottom > outer.bottom + 2) problems.push(`'${text.textContent}' sticks out of its drawing`);
        texts.slice(i + 1).forEach(other => { if (!apart(inner, box(other))) problems.push(`'${text.textContent}' lies on '${other.textContent}'`); });
    });
}
for (const kind of ['.card', 'figure']) {
    const all = [...document.querySelectorAll(kind)];
    all.forEach((one, i) => all.slice(i + 1).forEach(other => { if (!apart(box(one), box(other))) problems.push(`two of ${kind} overlap`); }));
    all.forEach(one => { if (one.scrollWidth > one.clientWidth + 1) problems.push(`a ${kind} overflows`); });
}
return problems;
})()"""
