#!/usr/bin/env python3
"""The thinnest front end there is for ScrollKitty: a shield with a bypass, and what the cat says.

    THRUM_DAY_MINUTES=10 thrumd --experience scrollkitty &
    examples/scrollkitty.py                      # opens the apps whose names are typed
    examples/scrollkitty.py --bypass Chat        # opens one, and waits until its shield is back

Python's standard library only. The protocol is explained in docs/protocol.md, the piece in docs/scrollkitty.md.
"""
import argparse
import json
import os
import select
import socket
import sys


class Engine:
    """A connection to thrumd: one JSON-RPC message a line."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines, self.rest = [], b""
        self.last_id = 0

    def ask(self, method, **params):
        """Sends a request and waits for its result; what is announced in the meantime is printed."""
        self.last_id += 1
        self.socket.sendall(json.dumps({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}).encode() + b"\n")
        answer = next(message for message in self.messages() if message.get("id") == self.last_id)
        if "error" in answer:
            raise ValueError(answer["error"]["message"])
        return answer["result"]

    def messages(self, until=None):
        """What comes, one message after the other, until the file `until` can be read. Announcements are printed."""
        while self.lines or self.socket in select.select([self.socket] + ([until] if until else []), [], [])[0]:
            if self.lines:
                message = json.loads(self.lines.pop(0))
                announce(message)
                yield message
            elif received := self.socket.recv(1 << 16):
                *self.lines, self.rest = (self.rest + received).split(b"\n")
            else:
                sys.exit("thrumd is gone")

    def await_shield(self):
        next(message for message in self.messages() if message.get("method") == "shield")

    def await_line(self):
        """Prints what is announced until a line is typed, and returns that."""
        for _ in self.messages(until=sys.stdin):
            pass
        return sys.stdin.readline().strip()


def announce(message):
    what, params = message.get("method"), message.get("params", {})
    if what == "message":
        print(f"The cat: {params['text']['en']}")
    elif what in ("lost", "shield"):
        print(params["text"]["en"])
    elif what == "summary":
        print(f"The day ended at {params['figures']['hp']:g} HP after {params['figures']['bypasses']} bypasses")
    sys.stdout.flush()


def show(cat):
    print(f"{cat['time']}  the cat is {cat['condition']}, {cat['hp']:g} HP")
    for app in cat["apps"]:
        print(f"  {app['name']}: {app['shield']}" + (f", {app['cost']} HP to open" if app["canBypass"] else ""))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description="A phone with shields, without a phone.")
    standard = os.environ.get("THRUM_SOCKET") or os.environ.get("XDG_RUNTIME_DIR", "/run") + "/thrum/control.sock"
    parser.add_argument("--socket", default=standard, help="$THRUM_SOCKET by default, or else $XDG_RUNTIME_DIR/thrum/control.sock")
    parser.add_argument("--bypass", metavar="APP", help="open this app, wait until its shield is back, and end")
    options = parser.parse_args()
    engine = Engine(options.socket)
    if engine.ask("hello", client="examples/scrollkitty.py")["experience"] != "scrollkitty":
        sys.exit("start thrumd with --experience scrollkitty")
    show(engine.ask("subscribe", topics=["message", "lost", "shield", "summary"])["snapshot"]["cat"])
    if options.bypass:
        engine.ask("kitty.bypass", app=options.bypass)
        engine.await_shield()
        return show(engine.ask("kitty.state"))
    while app := engine.await_line():
        try:
            engine.ask("kitty.bypass", app=app)
        except ValueError as refusal:
            print(refusal)
        show(engine.ask("kitty.state"))


if __name__ == "__main__":
    main()
