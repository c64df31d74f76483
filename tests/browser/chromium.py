"""A headless Chromium, driven over a pipe by the DevTools protocol, without a driver or package."""
import base64
import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import tempfile

PROGRAMS = ["chromium", "chromium-headless-shell"]
KEYS = {" ": ("Space", 32), "Home": ("Home", 36), "End": ("End", 35), "ArrowLeft": ("ArrowLeft", 37),
        "ArrowRight": ("ArrowRight", 39), "ArrowUp": ("ArrowUp", 38), "ArrowDown": ("ArrowDown", 40), "Tab": ("Tab", 9),
        "Enter": ("Enter", 13), "Delete": ("Delete", 46)}
KEYS.update({digit: (f"Digit{digit}", 48 + int(digit)) for digit in "0123456789"})


def above_ten(descriptor):
    above = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return above


class Chromium:
    """One browser with one page. Errors of the page are collected in `errors`."""

    def __init__(self):
        program = next(filter(None, map(shutil.which, PROGRAMS)))
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # The browser reads from descriptor 3 and writes to 4, so the pipes use descriptors from 10 on.
        (to_browser, self.out), (self.inp, from_browser) = [map(above_ten, os.pipe()) for _ in range(2)]
        shell = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser} {to_browser}<&- {from_browser}>&-'
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
                 "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"]
        self.process = subprocess.Popen(["bash", "-c", shell, program, *flags], pass_fds=[to_browser, from_browser],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.sent, self.session = b"", 0, None
        self.errors, self.loaded = [], False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.out)
        os.close(self.inp)
        self.process.kill()
        self.process.wait()
        self.profile.cleanup()

    def receive(self):
        while b"\0" not in self.buffer:
            portion = os.read(self.inp, 1 << 16)
            if not portion:
                raise EOFError("the browser has gone")
            self.buffer += portion
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        method, told = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.errors.append(told["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning"):
            self.errors.append(str(told["args"]))
        elif method == "Network.loadingFailed" and told.get("blockedReason") != "csp":
            self.errors.append("a request that failed: " + told["errorText"])
        elif method == "Network.responseReceived" and not told["response"]["url"].startswith("file://"):
            self.errors.append("a request to " + told["response"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.errors.append("a dialog: " + told["message"])
        elif method == "Page.loadEventFired":
            self.loaded = True
        return message

    def call(self, method, **params):
        self.sent += 1
        message = {"id": self.sent, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, path):
        """Loads a file, and waits until it is loaded."""
        self.load("Page.navigate", url="file://" + os.path.abspath(path))

    def reload(self):
        self.load("Page.reload")

    def memory(self):
        """What the pages have kept, as JSON."""
        return self.value("JSON.stringify({...localStorage})")

    @contextlib.contextmanager
    def remembering(self, memory):
        """The pages that are loaded within find this memory: that of a busy browser can be late."""
        script = f"localStorage.clear(); for (const [key, value] of Object.entries({memory})) localStorage.setItem(key, value)"
        added = self.call("Page.addScriptToEvaluateOnNewDocument", source=script)
        yield
        self.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])

    def load(self, method, **params):
        self.loaded = False
        self.call(method, **params)
        while not self.loaded:
            self.receive()

    def value(self, script):
        """Returns the value of an expression in the page; a promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def window(self, width, height, is_dark=False, is_phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def press(self, key):
        """Presses a key, which the focused element receives."""
        code, number = KEYS[key]
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, windowsVirtualKeyCode=number, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code, windowsVirtualKeyCode=number)

    def click(self, selector):
        """Clicks in the middle of an element."""
        place = self.value(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def pdf(self, paper):
        """Prints the page on paper of so many inches, and returns the PDF."""
        width, height = paper
        return base64.b64decode(self.call("Page.printToPDF", paperWidth=width, paperHeight=height)["data"])

    def picture(self, path, whole=False):
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
