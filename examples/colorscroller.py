#!/usr/bin/env python3
"""The thinnest front end there is for ColorScroller: it draws nothing, swipes, and prints the cards and what the engine tells it.

    thrumd --experience colorscroller &
    examples/colorscroller.py --swipes 120

It outlives restarts of thrumd. It needs Python's standard library and thrum.py beside it. Explained in docs/front-end.md.
"""
import argparse
import sys
import time

from thrum import Announcement, Engine, Gone, Refused, standard_socket


class Feed:
    """Swipes, and prints what it is told."""

    def __init__(self, path: str) -> None:
        self.engine = Engine("examples/colorscroller.py", path, gestures=True)
        self.begin()

    def begin(self) -> None:
        if self.engine.greeting["experience"] != "colorscroller":
            sys.exit("start thrumd with --experience colorscroller")
        self.paused_until = 0.0
        self.engine.ask("subscribe", topics=["scroll", "unlock", "toast", "intervention"])

    def begin_anew(self) -> None:
        """After a restart nothing is held any more, and the feed begins anew."""
        print("thrumd is gone: waiting for it", flush=True)
        while True:
            try:
                self.engine.reconnect()
                self.begin()
                return print("connected again", flush=True)
            except Gone:
                continue

    def listen(self, seconds: float) -> None:
        """Prints what is announced for so long, and longer while the feed stands still: time in which a real front end would draw."""
        end = time.monotonic() + seconds
        while (left := max(end, self.paused_until) - time.monotonic()) > 0:
            for announcement in self.engine.announcements(wait=left):
                show(announcement)
                if announcement.topic == "unlock":
                    self.paused_until = announcement.body["pausedUntilMonotonic"] / 1e9 + 0.01

    def swipe(self, pace: float) -> None:
        self.engine.tell("touch", phase="began", x=0.5, y=0.8)
        self.listen(pace / 2)
        self.engine.tell("touch", phase="ended")
        self.engine.tell("swipe", direction="up", velocity=2)
        self.listen(pace / 2)


def show(announcement: Announcement) -> None:
    topic, body = announcement
    if topic == "scroll":
        card = body["card"]
        look = f"{card['skin']['name']} ({card['skin']['rarity']})" if "skin" in card else card.get("color", card["face"])
        print(f"card {card['index']}: {look}")
    elif topic == "unlock":
        print(f"unlocked {body['skin']['name']} ({body['skin']['rarity']}) on card {body['index']}")
    elif topic == "toast":
        print(f"toast: {body['rarity']} {body['name']}")
    elif topic == "intervention":
        chance = "by chance " if body["explored"] else ""
        print(f"{body['strength']} intervention {chance}at P(churn) = {body['pChurn']:.2f}", body.get("taunt", ""))
    elif topic == "missed":
        print(f"missed {body['count']} announcements: who draws asks for everything again")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description="Swipe through ColorScroller without drawing it.")
    parser.add_argument("--socket", default=standard_socket(), help="$THRUM_SOCKET by default, or else $XDG_RUNTIME_DIR/thrum/control.sock")
    parser.add_argument("--swipes", type=int, default=120)
    parser.add_argument("--pace", type=float, default=0.3, help="seconds from swipe to swipe")
    options = parser.parse_args()
    try:
        feed = Feed(options.socket)
    except (OSError, Refused) as problem:
        sys.exit(f"{options.socket}: {problem}; is thrumd running?")
    for _ in range(options.swipes):
        try:
            feed.swipe(options.pace)
        except Gone:
            feed.begin_anew()
    state = feed.engine.ask("feed.state")
    print(f"{state['blocksViewed']} cards viewed, {state['unlockCount']} skins unlocked, tone at {state['toneFrequency']:.0f} Hz")


if __name__ == "__main__":
    main()
