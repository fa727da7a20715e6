"""A thrumd whose time stands still until somebody waits (held_clock.c)."""
import atexit
import ctypes
import mmap
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time

from thrum import Engine

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECOND = 1_000_000_000
# 2037-06-01 10:00 in UTC, a Monday: a house opens. Both of its clocks are ahead of the machine's own, so that no thread that waits until a
# moment of theirs finds that moment over.
OPENS = 2_127_463_200
AHEAD = 86_400 * SECOND
IDLE = 45


class Impossible(Exception):
    """The trial cannot be held."""


_built = None


def held_clock():
    """Compiles the clock once, and returns its path."""
    global _built
    if _built is None:
        folder = tempfile.mkdtemp(prefix="held-clock-")
        atexit.register(shutil.rmtree, folder, True)
        _built = os.path.join(folder, "held_clock.so")
        source = os.path.join(ROOT, "Tests/Visitors/held_clock.c")
        try:
            subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-pthread", "-o", _built, source, "-ldl"], check=True, capture_output=True,
                           text=True)
        except (OSError, subprocess.CalledProcessError) as problem:
            raise Impossible(f"{source} is not compiled: {getattr(problem, 'stderr', '') or problem}") from problem
    return _built


class House:
    """Starts a thrumd with an experience in exhibition mode. `now` is in seconds since its start. With a `seed` all of its sessions draw by
    that seed; without one each draws anew."""

    def __init__(self, piece, seed=None):
        self.folder = tempfile.mkdtemp(prefix="visitors-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.process = None
        try:
            self._start(piece, seed)
        except BaseException:
            self.close()
            raise

    def _start(self, piece, seed):
        program = os.path.join(os.environ.get("THRUMDEV_BIN", os.path.join(ROOT, ".build/release")), "thrumd")
        if not os.access(program, os.X_OK):
            raise Impossible(f"{program} is not there: make builds it, and THRUMDEV_BIN says where else it is")
        path = os.path.join(self.folder, "clock")
        with open(path, "wb") as file:
            self.began = time.clock_gettime_ns(time.CLOCK_MONOTONIC) + AHEAD
            file.write(struct.pack("qqq", self.began, self.began, OPENS * SECOND - self.began))
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 24)
        # One store of eight bytes, so that the other side never sees half of it.
        self.target = ctypes.c_int64.from_buffer(self.memory, 8)
        arrived, pipe = os.pipe()
        self.arrived = os.fdopen(arrived, "rb", buffering=0)
        control = os.path.join(self.folder, "control.sock")
        self.process = subprocess.Popen(
            [program, "--output", "null", "--rate", "8000", "--experience", piece.name, "--exhibition", "yes",
             "--devices", "no", "--socket", control, "--sessions", os.path.join(self.folder, "sessions"), "--journal-space", "64",
             "--idle", str(IDLE), "--log", "error", *([] if seed is None else ["--seed", str(seed)])],
            env={**os.environ, "LD_PRELOAD": held_clock(), "HELD_CLOCK": path, "HELD_CLOCK_PIPE": str(pipe), "TZ": "UTC",
                 "STATE_DIRECTORY": os.path.join(self.folder, "state")}, pass_fds=[pipe])
        os.close(pipe)
        for _ in range(1_000):
            if os.path.exists(control):
                break
            if self.process.poll() is not None:
                raise Impossible("thrumd does not start")
            time.sleep(0.02)
        self.page = Engine("scripts/try-visitors", control)
        self.page.ask("subscribe", topics=["session", "cue", "explore.mode", "explore.activate", *piece.topics])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def now(self):
        return (struct.unpack_from("q", self.memory, 0)[0] - self.began) / SECOND

    def wait(self, seconds):
        """Lets time go on for `seconds`. Everything that falls due happens at its moment."""
        self.target.value += max(1, int(seconds * SECOND))
        self.page.tell("ping")
        if not self.arrived.read(1):
            raise Impossible(f"thrumd has ended with the status {self.process.wait()}")
