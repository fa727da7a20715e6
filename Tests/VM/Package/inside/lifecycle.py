"""Claims of a package that is replaced and taken away while it runs."""

import contextlib
import glob
import os
import threading
import time

from claims import claim, require, run, unit, until
from client import SOCKET, Client, ask
from daemon import main_process, restarted, sounds_and_stops
from services import UNITS, takes_the_card_away

NEXT = "/run/job/next.deb"


class Knocking(threading.Thread):
    """One client after the other connects and asks, as long as this runs. Counts who was answered, who was cut off by a daemon that
    went, and keeps what kept anybody from connecting."""

    def __init__(self):
        super().__init__(daemon=True)
        self.answered, self.cut, self.refused, self.goes_on = 0, 0, [], True
        self.start()

    def run(self):
        while self.goes_on:
            try:
                client = Client()
            except OSError as error:
                self.refused.append(str(error))
                continue
            try:
                client.ask("session.status")
                self.answered += 1
            except (ConnectionError, TimeoutError):
                self.cut += 1
            client.close()
            time.sleep(0.05)


def upgrades(ear):
    with claim("an upgrade with a session held restarts thrumd, closes the journal, and turns nobody away at the socket") as measured:
        before, inode, version = main_process(), os.stat(SOCKET).st_ino, run("dpkg-query", "-Wf${Version}", "thrum")
        client, knocking = Client(), Knocking()
        client.tone(True)
        ear.hears_tone()
        run("env", "DEBIAN_FRONTEND=noninteractive", "dpkg", "--install", NEXT, seconds=300)
        restarted(before, 60)
        counted = knocking.answered
        until(lambda: knocking.answered > counted, 60, "nobody is answered afterwards")
        knocking.goes_on = False
        now = run("dpkg-query", "-Wf${Version}", "thrum")
        measured += [f"{version} to {now}", f"{knocking.answered} answered meanwhile", f"{knocking.cut} cut off by the stop"]
        require(now != version, "the same version")
        require(not knocking.refused, f"turned away: {knocking.refused[:3]}")
        require(os.stat(SOCKET).st_ino == inode, "another socket")
        journals = sorted(glob.glob("/var/lib/thrum/sessions/*.jsonl"), key=os.path.getmtime)
        require(journals, "no journal in /var/lib/thrum/sessions")
        last = open(journals[-1]).read().splitlines()[-1]
        require('"end":"shutdown"' in last, f"the journal ends with {last}")
        client.close()
        sounds_and_stops(ear)


def purges():
    takes_the_card_away()
    with claim("a purge leaves no file, no unit and no process"):
        run("env", "DEBIAN_FRONTEND=noninteractive", "dpkg", "--purge", "thrum", seconds=300)
        left = run("find", "/", "-ignore_readdir_race", "-xdev", "-name", "*thrum*", "-not", "-path", "/proc/*", "-not", "-path", "/sys/*").split()
        left += [path for path in ("/run/thrum", "/run/thrum-sound", "/var/lib/thrum", "/var/lib/thrum-sound", "/etc/thrum") if os.path.exists(path)]
        require(not left, " ".join(left))
        for name in UNITS:
            state = unit(name, "LoadState", "ActiveState")
            require(state["LoadState"] in ("not-found", "masked") and state["ActiveState"] == "inactive", f"{name}: {state}")
        running = []
        for process in glob.glob("/proc/[0-9]*"):
            # What was listed may be gone by now.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError), open(process + "/comm") as name:
                running.append(name.read().strip())
        require(not {"thrumd", "pulseaudio"} & set(running), f"still running: {running}")
