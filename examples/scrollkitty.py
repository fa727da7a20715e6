#!/usr/bin/env python3
"""The thinnest front end there is for ScrollKitty: a shield with a bypass, and what the cat says.

    THRUM_DAY_MINUTES=10 thrumd --experience scrollkitty &
    examples/scrollkitty.py                      # opens the apps whose names are typed
    examples/scrollkitty.py --bypass Chat        # opens one, and waits until its shield is back

It needs Python's standard library and thrum.py beside it. The piece is explained in docs/scrollkitty.md.
"""
import argparse
import select
import sys
from typing import Any, Dict

from thrum import Announcement, Engine, Gone, Refused, standard_socket


def announce(announcement: Announcement) -> None:
    topic, body = announcement
    if topic == "message":
        print(f"The cat: {body['text']['en']}")
    elif topic in ("lost", "shield"):
        print(body["text"]["en"])
    elif topic == "summary":
        print(f"The day ended at {body['figures']['hp']:g} HP after {body['figures']['bypasses']} bypasses")
    sys.stdout.flush()


def await_shield(engine: Engine) -> None:
    for announcement in engine.announcements():
        announce(announcement)
        if announcement.topic == "shield":
            return


def await_line(engine: Engine) -> str:
    """Prints what is announced until a line is typed, and returns that; empty at the end of the input."""
    while True:
        for announcement in engine.announcements(wait=0):
            announce(announcement)
        if sys.stdin in select.select([engine, sys.stdin], [], [])[0]:
            return sys.stdin.readline().strip()


def show(cat: Dict[str, Any]) -> None:
    print(f"{cat['time']}  the cat is {cat['condition']}, {cat['hp']:g} HP")
    for app in cat["apps"]:
        print(f"  {app['name']}: {app['shield']}" + (f", {app['cost']} HP to open" if app["canBypass"] else ""))
    sys.stdout.flush()


def play(engine: Engine, bypass: str) -> None:
    if engine.greeting["experience"] != "scrollkitty":
        sys.exit("start thrumd with --experience scrollkitty")
    show(engine.ask("subscribe", topics=["message", "lost", "shield", "summary"])["snapshot"]["cat"])
    if bypass:
        engine.ask("kitty.bypass", app=bypass)
        await_shield(engine)
        return show(engine.ask("kitty.state"))
    while app := await_line(engine):
        try:
            engine.ask("kitty.bypass", app=app)
        except Refused as refusal:
            print(refusal)
        show(engine.ask("kitty.state"))


def main() -> None:
    parser = argparse.ArgumentParser(description="A phone with shields, without a phone.")
    parser.add_argument("--socket", default=standard_socket(), help="$THRUM_SOCKET by default, or else $XDG_RUNTIME_DIR/thrum/control.sock")
    parser.add_argument("--bypass", metavar="APP", default="", help="open this app, wait until its shield is back, and end")
    options = parser.parse_args()
    try:
        with Engine("examples/scrollkitty.py", options.socket) as engine:
            play(engine, options.bypass)
    except Gone as problem:
        sys.exit(f"thrumd is gone: {problem}")
    except (OSError, Refused) as problem:
        sys.exit(f"{options.socket}: {problem}; is thrumd running?")


if __name__ == "__main__":
    main()
