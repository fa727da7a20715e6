#!/usr/bin/env python3
"""The thinnest front end there is for ColorScroller: it draws nothing, swipes, and prints the cards and what the engine tells it.

    thrumd --experience colorscroller &
    examples/colorscroller.py --swipes 120

It outlives restarts of thrumd. Python's standard library only. Explained in docs/protocol.md and docs/colorscroller.md.
"""
import argparse
import json
import os
import select
import socket
import sys
import time


class Engine:
    """A connection to thrumd: one JSON-RPC message a line. A `ConnectionError` says that thrumd is gone."""

    def __init__(self, path):
        self.path, self.last_id = path, 0
        self.connect()

    def connect(self):
        self.socket, self.rest, self.paused_until = socket.socket(socket.AF_UNIX), b"", 0
        self.socket.connect(self.path)
        if self.ask("hello", client="examples/colorscroller.py", gestures=True)["experience"] != "colorscroller":
            sys.exit("start thrumd with --experience colorscroller")
        self.ask("subscribe", topics=["scroll", "unlock", "toast", "intervention"])

    def reconnect(self):
        """After a restart nothing is held any more, and the feed begins anew."""
        print("thrumd is gone: waiting for it", flush=True)
        while True:
            time.sleep(0.25)
            try:
                self.connect()
                return print("connected again", flush=True)
            except OSError:
                self.socket.close()

    def tell(self, method, **params):
        """Sends a notification: the fast way, without an answer."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method, **params):
        """Sends a request and waits for its result; what is announced in the meantime is printed."""
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        while True:
            for message in self.messages(wait=5):
                if message.get("id") != self.last_id:
                    announce(message)
                elif "result" in message:
                    return message["result"]
                elif message["error"].get("data", {}).get("reason") == "shutting-down":
                    raise ConnectionError
                else:
                    sys.exit(f"thrumd: {message['error']['message']}")

    def send(self, message):
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def messages(self, wait):
        """The messages that come within `wait` seconds, or those that are there already."""
        if select.select([self.socket], [], [], wait)[0]:
            received = self.socket.recv(1 << 16)
            if not received:
                raise ConnectionError
            *lines, self.rest = (self.rest + received).split(b"\n")
            yield from map(json.loads, lines)

    def listen(self, seconds):
        """Prints what is announced for so long, and longer while the feed stands still: time in which a real front end would draw."""
        end = time.monotonic() + seconds
        while (left := max(end, self.paused_until) - time.monotonic()) > 0:
            for message in self.messages(wait=left):
                announce(message)
                if message.get("method") == "unlock":
                    self.paused_until = message["params"]["pausedUntilMonotonic"] / 1e9 + 0.01

    def swipe(self, pace):
        self.tell("touch", phase="began", x=0.5, y=0.8)
        self.listen(pace / 2)
        self.tell("touch", phase="ended")
        self.tell("swipe", direction="up", velocity=2)
        self.listen(pace / 2)


def announce(message):
    what, params = message.get("method"), message.get("params", {})
    if what == "scroll":
        card = params["card"]
        look = f"{card['skin']['name']} ({card['skin']['rarity']})" if "skin" in card else card.get("color", card["face"])
        print(f"card {card['index']}: {look}")
    elif what == "unlock":
        print(f"unlocked {params['skin']['name']} ({params['skin']['rarity']}) on card {params['index']}")
    elif what == "toast":
        print(f"toast: {params['rarity']} {params['name']}")
    elif what == "intervention":
        print(f"{params['strength']} intervention at P(churn) = {params['pChurn']:.2f}", params.get("taunt", ""))
    elif what == "missed":
        print(f"missed {params['count']} announcements: who draws asks for everything again")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description="Swipe through ColorScroller without drawing it.")
    standard = os.environ.get("THRUM_SOCKET") or os.environ.get("XDG_RUNTIME_DIR", "/run") + "/thrum/control.sock"
    parser.add_argument("--socket", default=standard, help="$THRUM_SOCKET by default, or else $XDG_RUNTIME_DIR/thrum/control.sock")
    parser.add_argument("--swipes", type=int, default=120)
    parser.add_argument("--pace", type=float, default=0.3, help="seconds from swipe to swipe")
    options = parser.parse_args()
    try:
        engine = Engine(options.socket)
    except OSError as problem:
        sys.exit(f"{options.socket}: {problem}; is thrumd running?")
    for _ in range(options.swipes):
        try:
            engine.swipe(options.pace)
        except ConnectionError:
            engine.reconnect()
    state = engine.ask("feed.state")
    print(f"{state['blocksViewed']} cards viewed, {state['unlockCount']} skins unlocked, tone at {state['toneFrequency']:.0f} Hz")


if __name__ == "__main__":
    main()
