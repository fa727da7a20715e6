"""A real thrumd and a real Chromium on one of its pages, for tests in this folder. Debian's python3-selenium and chromium-driver."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import zlib

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

repository = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))


def free_port():
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return some.getsockname()[1]


class Watcher:
    """Is told what the engine announces, beside the page."""

    def __init__(self, path, topics):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.told = []
        self.socket.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "subscribe", "params": {"topics": topics}}).encode() + b"\n")
        self.lines.readline()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        try:
            for line in self.lines:
                message = json.loads(line)
                self.told.append((message["method"], message["params"]))
        except OSError:
            pass

    def new(self):
        """What has been told since the last time."""
        told, self.told = self.told, []
        return told


class Stage:
    """`page` is a folder of www. `arguments` are thrumd's. `sound` is the address of a sound server; without one it plays for nobody.
    `before` is a script that runs before the page's own."""

    def __init__(self, thrumd, page, arguments, size=(1080, 1920), query="", reduced_motion=False, sound=None, before=""):
        self.folder = tempfile.mkdtemp()
        self.size = size
        self.complaints = []
        port = free_port()
        self.command = [thrumd, *(["--server", sound] if sound else ["--output", "null"]), "--socket", self.folder + "/c.sock", "--sessions", self.folder + "/sessions",
                        "--http", str(port), "--http-local-role", "operator", "--www", repository + "/www", "--log", "error", *arguments]
        self.start()
        options = Options()
        for argument in ["--headless=new", "--no-sandbox", "--hide-scrollbars", "--touch-events=enabled", "--disable-pinch",
                         "--force-device-scale-factor=1", "--user-data-dir=" + self.folder + "/profile",
                         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]:
            options.add_argument(argument)
        if reduced_motion:
            options.add_argument("--force-prefers-reduced-motion")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.browser.set_script_timeout(60)
        self.devtools("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.browser.get(f"http://127.0.0.1:{port}/{page}/{query}")

    # The engine.

    def start(self):
        environment = {**os.environ, "STATE_DIRECTORY": self.folder + "/state"}
        self.daemon = subprocess.Popen(self.command, env=environment)
        wait_for(lambda: self.is_listening(), 30, "thrumd listens")

    def is_listening(self):
        with socket.socket(socket.AF_UNIX) as some:
            return some.connect_ex(self.folder + "/c.sock") == 0

    def kill(self):
        self.daemon.kill()
        self.daemon.wait()

    def watch(self, *topics):
        return Watcher(self.folder + "/c.sock", topics)

    def ask(self, method, **params):
        with socket.socket(socket.AF_UNIX) as some:
            some.connect(self.folder + "/c.sock")
            some.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
            return json.loads(some.makefile("r", encoding="utf-8").readline())["result"]

    def hold(self, requests):
        """Another client that asks for this, one after the other, and stays until it is closed."""
        some = socket.socket(socket.AF_UNIX)
        some.connect(self.folder + "/c.sock")
        lines = some.makefile("r", encoding="utf-8")
        for number, (method, params) in enumerate(requests):
            some.sendall(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n")
            lines.readline()
        lines.close()
        return some

    # The page.

    def devtools(self, method, **params):
        return self.browser.execute_cdp_cmd(method, params)

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def touch(self, kind, *points):
        width, height = self.size
        self.devtools("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x * width, "y": y * height} for x, y in points])

    def shows(self, place):
        """Whether what the selector `place` finds is there and visible."""
        return self.script("const e = document.querySelector(arguments[0]); return e !== null && e.checkVisibility({visibilityProperty: true})", place)

    def text(self, place):
        """Its text; empty where it is not visible."""
        return self.script("const e = document.querySelector(arguments[0]); "
                           "return e && e.checkVisibility({visibilityProperty: true}) ? e.innerText : ''", place)

    def tap(self, place, lasts=0):
        """A finger for so many seconds on the middle of what is there and has come to rest."""
        wait_for(lambda: self.shows(place) and not self.script("const e = document.querySelector(arguments[0]); "
                                                               "return document.getAnimations().some(a => a.effect.target.contains(e))", place), 3, place)
        x, y = self.script("const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'nearest'}); const b = e.getBoundingClientRect(); "
                           "return [(b.x + b.width / 2) / innerWidth, (b.y + b.height / 2) / innerHeight]", place)
        self.touch("touchStart", (x, y))
        time.sleep(lasts)
        self.touch("touchEnd")

    def swipe(self, start=0.8, end=0.25, steps=4, pause=0.01):
        """A finger goes from one height to another, in parts of the screen's. More than half of the height is a swipe at any speed, so a
        busy machine makes one of it too."""
        self.touch("touchStart", (0.5, start))
        for step in range(1, steps + 1):
            time.sleep(pause)
            self.touch("touchMove", (0.5, start + (end - start) * step / steps))
        self.touch("touchEnd")

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.devtools("Page.captureScreenshot", format="png")["data"]))

    def pixel(self, x, y):
        """Its red, green and blue."""
        clip = {"x": x, "y": y, "width": 1, "height": 1, "scale": 1}
        png = base64.b64decode(self.devtools("Page.captureScreenshot", format="png", clip=clip)["data"])
        place, data = 8, b""
        while place < len(png):
            length = int.from_bytes(png[place:place + 4], "big")
            if png[place + 4:place + 8] == b"IDAT":
                data += png[place + 8:place + 8 + length]
            place += 12 + length
        # The filter of the only row changes nothing: there is nothing to its left or above it.
        return tuple(zlib.decompress(data)[1:4])

    def axe(self):
        """What axe-core finds: its rule and where."""
        path = repository + "/.build/python-tests/axe_playwright_python/axe.min.js"
        self.complaints += self.logged()
        with open(path, encoding="utf-8") as file:
            self.devtools("Runtime.evaluate", expression=file.read())
        found = self.browser.execute_async_script("axe.run({preload: false}).then(result => arguments[0](result.violations))")
        # What axe-core does itself is against the page's policy, and no complaint of the page.
        self.logged()
        return [f"{violation['id']}: {node['html'][:120]}" for violation in found for node in violation["nodes"]]

    def logged(self):
        """What the page complained of since the last time; that the engine is away is no complaint."""
        return [entry["message"] for entry in self.browser.get_log("browser") if "WebSocket connection" not in entry["message"]]

    def errors(self):
        self.complaints += self.logged()
        return self.complaints

    def close(self):
        self.browser.quit()
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def wait_for(condition, seconds, what):
    """`seconds` are what it may take on a quiet machine; on one that does other things it has ten times as long, because no claim is about
    being quick. Returns how long it took."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > 10 * seconds:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.01)
    return time.monotonic() - began
