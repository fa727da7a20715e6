"""Listens to what the sound server plays, at its monitor."""

import array
import subprocess
import threading
import time

from claims import until

RATE = 48000
FRAMES = RATE // 20
SERVER = "unix:/run/thrum-sound/native"


def frequency(samples):
    """By how often they cross zero, in Hz."""
    return sum((a < 0) != (b < 0) for a, b in zip(samples, samples[1:])) * RATE / 2 / FRAMES


class Ear(threading.Thread):
    """Keeps, for every 50 ms heard in the last minute, when it came, its peak (0 to 1) and its samples."""

    def __init__(self, server=SERVER, user="thrum"):
        super().__init__(daemon=True)
        self.heard = []
        self.server = server
        self.user = user
        self.start()

    def run(self):
        # Again and again, as the server may be away for a while.
        while True:
            command = ["setpriv", "--reuid=" + self.user, "--regid=" + self.user, "--init-groups", "parec", "--server=" + self.server,
                       "--device=@DEFAULT_MONITOR@", "--format=s16le", f"--rate={RATE}", "--channels=1", "--latency-msec=50"]
            recorder = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            while len(raw := recorder.stdout.read(FRAMES * 2)) == FRAMES * 2:
                samples = array.array("h", raw)
                peak = max(max(samples), -min(samples)) / 32768
                self.heard = self.heard[-1200:] + [(time.monotonic(), peak, samples)]
            recorder.wait()
            time.sleep(0.1)

    def since(self, moment):
        return [piece for piece in self.heard if piece[0] > moment]

    def hears_tone(self, seconds=60):
        """Until half a second of some 440 Hz at -12 dBFS was heard without a break."""
        start = time.monotonic()

        def tone():
            pieces = self.since(start)
            return len(pieces) >= 10 and all(0.2 < peak < 0.3 and 400 < frequency(samples) < 480 for _, peak, samples in pieces[-10:])
        until(tone, seconds, lambda: "no tone: " + self.last(start))

    def hears_nothing(self, seconds=60):
        """Until a whole second of silence was heard."""
        start = time.monotonic()

        def silence():
            pieces = self.since(start)
            return len(pieces) >= 20 and all(peak < 0.0002 for _, peak, _ in pieces[-20:])
        until(silence, seconds, lambda: "no silence: " + self.last(start))

    def heard_no_break(self, start):
        """Whether all that was heard since then was loud."""
        pieces = self.since(start)
        return bool(pieces) and all(peak > 0.2 for _, peak, _ in pieces)

    def last(self, moment):
        return " ".join(f"{peak:.3f}@{frequency(samples):.0f}" for _, peak, samples in self.since(moment)[-10:]) or "nothing recorded"
