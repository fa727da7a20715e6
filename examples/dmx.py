#!/usr/bin/env python3
"""Light on a DMX fixture by what happens: an unlock flashes in amber and fades.

    olad &                                          # OLA drives the interface (https://www.openlighting.org/ola)
    examples/dmx.py --flash unlock=255,160,0 --flash toast=80,80,80

Each --flash names a topic of the running piece (docs/reference lists them) and the levels of the fixture's channels, 0 to 255, from --channel
on. A flash begins at full level and fades to nothing in --fade seconds. The next one takes its place. Where OLA or thrumd is gone,
it waits for them.

It needs Python's standard library and thrum.py beside it. OLA's own web server takes the levels, so that nothing else is installed.
"""
import argparse
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Dict, List, Tuple

from thrum import Engine, Gone, Refused, standard_socket

# DMX512 sends a full universe at most 44 times a second (ANSI E1.11).
FRAME = 1 / 40


class Fixture:
    """A row of channels of one of OLA's universes."""

    def __init__(self, ola: str, universe: int, channel: int) -> None:
        self.address = f"{ola.rstrip('/')}/set_dmx"
        self.universe, self.before = universe, [0] * (channel - 1)
        self.hears = True

    def show(self, levels: List[int]) -> None:
        """Has OLA send these levels. Says once when OLA does not take them, and once when it does again."""
        body = urllib.parse.urlencode({"u": self.universe, "d": ",".join(map(str, self.before + levels))}).encode()
        try:
            with urllib.request.urlopen(self.address, body, timeout=1) as answer:
                problem = "" if answer.read().strip() == b"ok" else f"it has no universe {self.universe}"
        except (urllib.error.URLError, OSError) as failure:
            problem = str(failure)
        if (problem == "") != self.hears:
            self.hears = problem == ""
            print("OLA takes levels again" if self.hears else f"OLA at {self.address} takes no levels: {problem}", flush=True)


def follow(engine: Engine, fixture: Fixture, flashes: Dict[str, List[int]], fade: float) -> None:
    """Flashes at each announcement, until thrumd is gone."""
    engine.ask("subscribe", topics=list(flashes))
    print("following " + ", ".join(flashes), flush=True)
    levels: List[int] = []
    began = 0.0
    while True:
        for announcement in engine.announcements(wait=FRAME if levels else None):
            levels, began = flashes[announcement.topic], time.monotonic()
            break
        if levels:
            left = max(0.0, 1 - (time.monotonic() - began) / fade)
            fixture.show([round(level * left) for level in levels])
            if left == 0:
                levels = []


def flash(text: str) -> Tuple[str, List[int]]:
    topic, _, levels = text.partition("=")
    try:
        numbers = [int(level) for level in levels.split(",")]
    except ValueError:
        numbers = [-1]
    if not topic or not all(0 <= number <= 255 for number in numbers):
        raise argparse.ArgumentTypeError(f"expected TOPIC=LEVEL,LEVEL,… with levels from 0 to 255, found {text!r}")
    return topic, numbers


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value <= 600:
        raise argparse.ArgumentTypeError(f"expected more than 0 and at most 600 seconds, found {text!r}")
    return value


def main() -> None:
    parser = argparse.ArgumentParser(description="Light on a DMX fixture by what happens.")
    parser.add_argument("--socket", default=standard_socket(), help="$THRUM_SOCKET by default, or else $XDG_RUNTIME_DIR/thrum/control.sock")
    parser.add_argument("--flash", metavar="TOPIC=LEVELS", type=flash, action="append", required=True, help="may be given several times")
    parser.add_argument("--fade", metavar="SECONDS", type=seconds, default=1.5, help="1.5 by default")
    parser.add_argument("--channel", metavar="N", type=int, choices=range(1, 513), default=1, help="the fixture's first channel, 1 by default")
    parser.add_argument("--universe", metavar="N", type=int, default=1, help="OLA's universe, 1 by default")
    parser.add_argument("--ola", metavar="URL", default="http://127.0.0.1:9090", help="OLA's web server, http://127.0.0.1:9090 by default")
    options = parser.parse_args()
    flashes = dict(options.flash)
    fixture = Fixture(options.ola, options.universe, options.channel)
    try:
        with Engine("examples/dmx.py", options.socket) as engine:
            while True:
                try:
                    follow(engine, fixture, flashes, options.fade)
                except Gone:
                    print("thrumd is gone: waiting for it", flush=True)
                    # What is lit does not stay so for the rest of the night.
                    fixture.show([0] * max(map(len, flashes.values())))
                    engine.reconnect()
    except Refused as problem:
        sys.exit(f"{problem}")
    except OSError as problem:
        sys.exit(f"{options.socket}: {problem}; is thrumd running?")
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
