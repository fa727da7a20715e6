"""The daemon as its service, and what is asked of it after every trouble."""

import time

from claims import unit, until
from client import SOCKET, Client


def main_process():
    return int(unit("thrumd", "MainPID")["MainPID"])


def restarted(before, seconds):
    """Until another thrumd than the one that was is ready. When that was, in s of the monotonic clock."""
    def again():
        now = unit("thrumd", "MainPID", "ActiveState", "ActiveEnterTimestampMonotonic")
        ready = now["ActiveState"] == "active" and int(now["MainPID"]) not in (0, before)
        return ready and int(now["ActiveEnterTimestampMonotonic"]) / 1e6
    return until(again, seconds, lambda: f"thrumd is not back: {unit('thrumd', 'ActiveState', 'SubState', 'Result', 'NRestarts')}")


def sounds_and_stops(ear, path=SOCKET):
    """Whatever was held before, nothing is heard; a tone is; and nothing when it is let go."""
    ear.hears_nothing()
    client = Client(path=path)
    client.tone(True)
    ear.hears_tone()
    client.tone(False)
    ear.hears_nothing()
    client.close()
