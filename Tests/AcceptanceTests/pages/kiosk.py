#!/usr/bin/env python3
"""A real `thrum kiosk` with sway on two outputs that exist in memory only, a Chromium on each, and a real thrumd. What can fail is made to
fail, and all must be drawn again. Prints a line for each claim, PASS or FAIL, and how long it took. Not as root.

    kiosk.py THRUM THRUMD
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import claims
from claims import claim, end

thrum, thrumd = sys.argv[1:]
repository = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
screens = ["HEADLESS-1", "HEADLESS-2"]
# Other tests may have the processors: what is told is how long it took, and what fails is what does not come at all.
patience = 90
folder = tempfile.mkdtemp(prefix="thrum-kiosk-")
control = folder + "/c.sock"


def ask(method, **params):
    with socket.socket(socket.AF_UNIX) as some:
        some.connect(control)
        some.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
        return json.loads(some.makefile("r", encoding="utf-8").readline())["result"]


def report():
    """None until the kiosk has told something."""
    return (ask("status").get("kiosk") or {}).get("report")


def is_told(words):
    """Whether an issue of the daemon has the words."""
    return any(words in issue for issue in ask("status")["issues"])


def wait_for(condition, what):
    began = time.monotonic()
    while True:
        if condition():
            return time.monotonic() - began
        if time.monotonic() - began > patience:
            raise AssertionError(f"not within {patience} s: {what}; {report()}")
        time.sleep(0.05)


def family(root):
    """Processes that have come from it, with their command lines."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parents[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            pass
    found = [root]
    for member in found:
        found += [child for child, parent in parents.items() if parent == member]
    lines = {}
    for member in found[1:]:
        try:
            with open(f"/proc/{member}/cmdline") as file:
                lines[member] = file.read().replace("\0", " ")
        except OSError:
            pass
    return lines


def is_alive(number):
    """One that has ended and that nobody has waited for yet is not."""
    try:
        with open(f"/proc/{number}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def browser(screen):
    """The number of its main process; None while there is none."""
    return next((number for number, line in family(kiosk.pid).items() if f"--class=thrum-{screen}" in line and "--type=" not in line), None)


def renderers(screen):
    return [number for number, line in family(browser(screen)).items() if "--type=renderer" in line]


def draws():
    """Whether the page of each screen has drawn a frame in the last two seconds."""
    pages = ask("status")["pages"]
    return all(any(page.get("screen") == screen and page["secondsSinceFrame"] < 2 for page in pages) for screen in screens)


def again(what, causes):
    """Waits until a fault has been seen and all draws again."""
    began = time.monotonic()
    wait_for(lambda: all(report()["restarts"][cause] > 0 for cause in causes), f"{what} is counted")
    seen = time.monotonic() - began
    wait_for(lambda: all(screen["isDrawing"] for screen in report()["screens"]) and draws(), f"drawn again after {what}")
    claim(True, f"{what}: counted as {' and '.join(causes)}")
    print(f"{what}: noticed after {seen:.1f} s, drawn again after {time.monotonic() - began:.1f} s", flush=True)


with socket.socket() as some:
    some.bind(("127.0.0.1", 0))
    port = some.getsockname()[1]
settings = folder + "/thrum.yaml"
with open(settings, "w") as file:
    # Closed for ever, unless somebody opens by hand.
    file.write(f"experience: colorscroller\nhttp: {port}\nschedule: {{otherwise: silent}}\n"
               f"kiosk: {{screens: {{{screens[0]}: {{page: colorscroller}}, {screens[1]}: {{page: 'colorscroller?lang=de', rotate: 90}}}}}}\n")
notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
notices.bind(folder + "/notify")
told = []


def hear():
    while True:
        told.append(notices.recv(4096))


threading.Thread(target=hear, daemon=True).start()
shutil.copytree(repository + "/www", folder + "/www")
runtime = folder + "/run"
os.mkdir(runtime, 0o700)
environment = {**os.environ, "RUNTIME_DIRECTORY": runtime, "NOTIFY_SOCKET": folder + "/notify", "WATCHDOG_USEC": "30000000",
               "WLR_BACKENDS": "headless", "WLR_HEADLESS_OUTPUTS": "2", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1",
               "STATE_DIRECTORY": folder + "/state"}
log = open(folder + "/log", "w+")
kiosk = subprocess.Popen([thrum, "kiosk", "--config", settings, "--socket", control], env=environment, stdout=log, stderr=log)
daemon = None
try:
    wait_for(lambda: os.path.exists(runtime + "/sway.sock"), "sway is there")
    time.sleep(1)
    claim(not any("chromium" in line for line in family(kiosk.pid).values()), "no browser is started while the daemon is away")

    daemon = subprocess.Popen([thrumd, "--config", settings, "--output", "null", "--socket", control, "--sessions", folder + "/sessions",
                               "--www", folder + "/www", "--log", "error"], env={**environment, "NOTIFY_SOCKET": ""}, stdout=log, stderr=log)
    wait_for(lambda: os.path.exists(control) and report(), "the kiosk reports")
    wait_for(lambda: not report()["areScreensOn"], "it is closed")
    claim(True, "screens are off while the house is closed")
    ask("preset.set", name="normal")
    wait_for(lambda: report()["areScreensOn"], "it is open")
    took = wait_for(lambda: all(screen["isDrawing"] for screen in report()["screens"]) and draws(), "both pages draw")
    claim(all(screen["memory"] > 50_000_000 for screen in report()["screens"]) or wait_for(
        lambda: all(screen["memory"] > 50_000_000 for screen in report()["screens"]), "memory is measured") > 0, "both pages draw, each on its output")
    claim(b"READY=1" in told and told.count(b"WATCHDOG=1") > 1, "the service manager is told that it is ready, and that it is alive")

    # At the same time, on one screen the page and on the other the whole browser: neither is blamed for the other.
    for number in renderers(screens[0]):
        os.kill(number, signal.SIGSTOP)
    os.kill(browser(screens[1]), signal.SIGSTOP)
    again("page and browser stopped (SIGSTOP)", ["pageStopped", "browserHung"])

    kept = browser(screens[0])
    for number in renderers(screens[0]):
        os.kill(number, signal.SIGKILL)
    again("tab's process killed", ["tabCrashed"])
    claim(browser(screens[0]) == kept, "the browser of a tab that crashed goes on")

    os.kill(browser(screens[1]), signal.SIGKILL)
    again("browser killed", ["browserEnded"])

    sway = next(number for number, line in family(kiosk.pid).items() if line.startswith("sway "))
    os.kill(sway, signal.SIGKILL)
    again("compositor killed", ["compositorEnded"])

    # An operator asks for it, and the settings have changed meanwhile. The program goes on.
    former = {screen: browser(screen) for screen in screens}
    with open(settings) as file:
        text = file.read()
    with open(settings, "w") as file:
        file.write(text.replace("lang=de", "lang=en"))
    ask("kiosk.restart")
    wait_for(lambda: all(browser(screen) not in (None, former[screen]) for screen in screens), "other browsers")
    wait_for(lambda: sum(report()["restarts"].values()) == 0 and all(screen["isDrawing"] for screen in report()["screens"]) and draws(), "they draw")
    claim("lang=en" in family(kiosk.pid)[browser(screens[1])] and kiosk.poll() is None, "kiosk.restart: all is started anew, by the settings of today")
    claim(b"STOPPING=1" not in told, "and the service manager does not take it for an end")

    # The pages go on from memory; browsers that begin anew find nothing.
    os.rename(folder + "/www/colorscroller", folder + "/www/gone")
    for screen in screens:
        os.kill(browser(screen), signal.SIGKILL)
    for screen in screens:
        wait_for(lambda: is_told(f"the kiosk's screen {screen} is dark while the house is open: its page answers 404"), "the cause is told")
    claim(True, "a page that answers 404 is an issue of each dark screen")
    os.rename(folder + "/www/gone", folder + "/www/colorscroller")
    for screen in screens:
        os.kill(browser(screen), signal.SIGKILL)
    again("page put back", ["browserEnded"])
    wait_for(lambda: not is_told("is dark"), "nothing is dark any more")

    words = subprocess.run([thrum, "status", "--socket", control], capture_output=True, text=True).stdout
    claim("kiosk    HEADLESS-1 draws" in words and "restarts: browserEnded" in words, "thrum status tells of it")
    before = family(kiosk.pid)
    kiosk.terminate()
    claim(kiosk.wait(30) == 0, "SIGTERM ends it")
    wait_for(lambda: not any(map(is_alive, before)), "nothing of it is left")
    claim(True, "nothing of it is left")
    claim(report() is None, "one that was stopped is no longer reported")
    wait_for(lambda: is_told("is dark while the house is open: thrum kiosk was stopped"), "its dark screens are told")

    nowhere = {**environment, "PATH": "/nonexistent"}
    kiosk = subprocess.Popen([thrum, "kiosk", "--config", settings, "--socket", control], env=nowhere, stdout=log, stderr=log)
    wait_for(lambda: is_told("is dark while the house is open: sway is not running: it cannot be started: No such file"), "sway is missed")
    claim(True, "a machine without sway says so")
    kiosk.terminate()
    kiosk.wait(30)
    ask("preset.set")
    wait_for(lambda: not is_told("is dark"), "a closed house may be dark")
    claim(True, "screens of a closed house may be dark")
except (AssertionError, OSError, StopIteration) as error:
    claim(False, f"{type(error).__name__}: {error}")
finally:
    if kiosk.poll() is None:
        kiosk.terminate()
        kiosk.wait()
    if daemon:
        daemon.kill()
        daemon.wait()
    if claims.failures:
        log.seek(0)
        print(log.read()[-20_000:])
    shutil.rmtree(folder, ignore_errors=True)
end()
