"""A PulseAudio and a thrumd of our own, a visitor who holds a tone, and witnesses of how they fare. Python's standard library only."""
import array
import json
import math
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PROGRAMS = os.environ.get("THRUMDEV_BIN", os.path.join(ROOT, ".build/release"))
FREQUENCY, RATE = 400, 48_000
WATCHDOG = 10


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def memory_of(process):
    """What a process has in memory, in KiB."""
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


class Client:
    """A connection to the control socket."""

    def __init__(self, path, timeout=20):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.settimeout(timeout)
        self.rest = b""

    def send(self, data):
        self.socket.sendall(data)

    def read(self):
        """The next line, as JSON; None when the connection is closed."""
        while b"\n" not in self.rest:
            received = self.socket.recv(1 << 18)
            if not received:
                return None
            self.rest += received
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def call(self, method, **params):
        self.send((json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n").encode())
        return self.read()

    def close(self):
        self.socket.close()


class House:
    """Everything that is started, in a folder of its own, and taken down at the end."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="thrum-hostile-")
        self.settings = os.path.join(self.folder, "thrum.yaml")
        self.path = os.path.join(self.folder, "control.sock")
        self.sessions = os.path.join(self.folder, "sessions")
        self.pages = os.path.join(self.folder, "pages")
        os.mkdir(self.pages)
        with open(os.path.join(self.pages, "storm.bin"), "wb") as file:
            file.write(bytes(8 << 20))
        with open(os.path.join(self.pages, "page.html"), "wb") as file:
            file.write(b"<!doctype html>" + b" " * 30_000)
        self.http, self.osc = free_port(), free_port(socket.SOCK_DGRAM)
        self.environment = dict(
            os.environ, PULSE_SERVER=f"unix:{self.folder}/native", PULSE_COOKIE=f"{self.folder}/cookie", PULSE_RUNTIME_PATH=self.folder,
            PULSE_STATE_PATH=self.folder, HOME=self.folder, XDG_STATE_HOME=self.folder, XDG_CONFIG_HOME=self.folder)
        self.programs = []
        self.write_settings()

    def run(self, *words, **options):
        program = subprocess.Popen(words, env=self.environment, **options)
        self.programs.append(program)
        return program

    def write_settings(self, extra=""):
        with open(self.settings, "w") as file:
            file.write("log: critical\n" + extra)

    def start(self):
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.run("pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--log-target=stderr",
                 "-L", f"module-native-protocol-unix auth-anonymous=1 socket={self.folder}/native",
                 "-L", "module-null-sink sink_name=stage rate=48000 channels=1 format=float32le", **quiet)
        if not until(lambda: subprocess.run(["pactl", "info"], env=self.environment, **quiet).returncode == 0):
            sys.exit("hostile: PulseAudio does not start")
        self.watchdog = Watchdog(os.path.join(self.folder, "notify"))
        self.environment.update(NOTIFY_SOCKET=self.watchdog.path, WATCHDOG_USEC=str(WATCHDOG * 1_000_000))
        self.engine = self.run(
            os.path.join(PROGRAMS, "thrumd"), "--config", self.settings, "--socket", self.path, "--sessions", self.sessions,
            "--devices", "no", "--http", str(self.http), "--www", self.pages, "--osc", str(self.osc),
            stdin=subprocess.DEVNULL)
        if not until(lambda: os.path.exists(self.path)):
            sys.exit("hostile: thrumd does not start")
        if not until(lambda: self.status()["output"]["state"] == "connected"):
            sys.exit("hostile: thrumd finds no sound server")

    def record(self):
        """Everything that is heard, from now on."""
        self.heard = os.path.join(self.folder, "heard.raw")
        self.recorder = self.run("parec", "--device=stage.monitor", "--format=float32le", "--rate=48000", "--channels=1",
                                 "--latency-msec=50", self.heard)
        until(lambda: os.path.exists(self.heard) and os.path.getsize(self.heard) > 0)

    def status(self):
        client = Client(self.path)
        try:
            return client.call("status")["result"]
        finally:
            client.close()

    def memory(self):
        return memory_of(self.engine.pid)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.engine.pid}/fd"))

    def stop(self):
        """thrumd's exit status; None if it does not end."""
        self.engine.send_signal(signal.SIGTERM)
        try:
            return self.engine.wait(timeout=30)
        except subprocess.TimeoutExpired:
            return None

    def samples(self):
        """What was recorded."""
        self.recorder.send_signal(signal.SIGINT)
        self.recorder.wait(timeout=10)
        heard = array.array("f")
        with open(self.heard, "rb") as file:
            data = file.read()
        heard.frombytes(data[:len(data) // 4 * 4])
        return heard

    def close(self):
        for program in self.programs:
            if program.poll() is None:
                program.kill()
                program.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Watchdog:
    """systemd, as far as signs of life go: the longest time without one."""

    def __init__(self, path):
        self.path = path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(path)
        self.longest = 0.0
        self.signs = 0
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        last = None
        while True:
            if b"WATCHDOG=1" not in self.socket.recv(65_536):
                continue
            now = time.monotonic()
            if last:
                self.longest = max(self.longest, now - last)
            last = now
            self.signs += 1


class Witness:
    """Somebody who behaves: asks `ping` and lets go of a tone 20 times a second, and notes how long each takes, in ms."""

    def __init__(self, path):
        self.path = path
        self.times = {"ping": [], "tone": []}
        self.failures = []
        self.is_over = False
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        try:
            client = Client(self.path)
            while not self.is_over:
                for method, params in (("ping", {}), ("tone", {"on": False})):
                    begin = time.monotonic()
                    answer = client.call(method, **params)
                    if answer is None or "result" not in answer:
                        self.failures.append(f"{method}: {answer}")
                    self.times[method].append((time.monotonic() - begin) * 1000)
                time.sleep(0.05)
            client.close()
        except OSError as error:
            self.failures.append(str(error))

    def finish(self):
        self.is_over = True
        self.thread.join(timeout=30)
        return self

    def percentile(self, method, part):
        times = sorted(self.times[method]) or [math.nan]
        return times[min(len(times) - 1, int(len(times) * part))]


class Visitor:
    """Holds a tone, and moves the finger now and then, so that nobody takes it for forgotten."""

    def __init__(self, path):
        self.client = Client(path)
        self.client.call("tone", frequency=FREQUENCY, level=-12)
        self.client.call("touch", phase="began", x=0.5, y=0.5)
        self.is_over = False
        self.thread = threading.Thread(target=self.move, daemon=True)
        self.thread.start()

    def move(self):
        try:
            while not self.is_over:
                self.client.call("touch", phase="moved", x=0.5, y=0.5)
                time.sleep(1)
        except OSError:
            # Whoever leaves finds the same, and says so.
            pass

    def leave(self):
        self.is_over = True
        self.thread.join(timeout=10)
        self.client.call("touch", phase="ended")
        self.client.close()


def stray(samples):
    """How far the held tone strays from one sine, at most; after how many s; and its length in s, a tenth of a second at both ends left
    out. Of a sine x[n−1] + x[n+1] = 2 cos ω · x[n]."""
    loud = [n for n in range(0, len(samples), 16) if abs(samples[n]) > 0.1]
    if not loud:
        return math.inf, 0, 0
    first, last = loud[0] + RATE // 10, loud[-1] - RATE // 10
    two_cos = 2 * math.cos(2 * math.pi * FREQUENCY / RATE)
    worst, place = 0.0, first
    before, here = samples[first], samples[first + 1]
    for n in range(first + 2, last):
        after = samples[n]
        difference = abs(before + after - two_cos * here)
        if difference > worst:
            worst, place = difference, n
        before, here = here, after
    return worst, (place - first) / RATE, (last - first) / RATE
