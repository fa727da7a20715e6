"""The mixed soak of scripts/soak: everything that a house has at once, and how much more memory thrumd needs from minute to minute."""
import http.client
import json
import os
import random
import socket
import statistics
import threading
import time

MEBIBYTE = 1 << 20
# Until then what a program sets up once is set up; the slope is of what follows.
SETTLED = 0.3
# After so many seconds without anybody the session ends.
IDLE = 10


class Line:
    """A connection to the control socket: a request and its answer, one at a time. What is told meanwhile is thrown away."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.rest = b""
        self.last = 0

    def tell(self, method, **params):
        self.socket.sendall(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode() + b"\n")

    def ask(self, method, **params):
        """The answer's result; None where it is refused for now. A request that is wrong is an error."""
        self.last += 1
        self.socket.sendall(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}).encode() + b"\n")
        while True:
            line = self.line()
            if line.get("id") == self.last:
                if line.get("error", {}).get("code", -32000) != -32000:
                    raise ValueError(f"{method}: {line['error']['message']}")
                return line.get("result")

    def line(self):
        while b"\n" not in self.rest:
            received = self.socket.recv(1 << 16)
            if not received:
                raise ConnectionError("thrumd is gone")
            self.rest += received
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def close(self):
        self.socket.close()


class Crowd:
    """Whoever is there, each on a thread of its own, until `stop` is set. `counts` has how often each did what it does."""

    def __init__(self, path, port, seed):
        self.path, self.port, self.seed = path, port, seed
        self.stop = threading.Event()
        self.counts = {}
        self.problems = []
        self.threads = []

    def start(self, name, body, number):
        def work():
            chance = random.Random(f"{self.seed} {name} {number}")
            while not self.stop.is_set():
                try:
                    body(chance)
                    self.counts[name] = self.counts.get(name, 0) + 1
                except Exception as problem:  # Any is told, and ends the soak with FAIL.
                    self.problems.append(f"{name}: {type(problem).__name__}: {problem}")
                    return
        self.threads.append(threading.Thread(target=work, daemon=True))
        self.threads[-1].start()

    def begin(self):
        for name, body, count in [("visitor", self.visitor, 4), ("onlooker", self.onlooker, 4), ("slow reader", self.slow_reader, 1),
                                  ("export", self.export, 1), ("operator", self.operator, 1), ("page", self.page, 2),
                                  ("sounds", self.sounds, 1)]:
            for number in range(count):
                self.start(name, body, number)

    def end(self):
        self.stop.set()
        for thread in self.threads:
            thread.join(timeout=90)

    def visitor(self, chance):
        """Touches as a screen reports them, and swipes, for some seconds; then it goes, sometimes with a finger down."""
        line = Line(self.path)
        for _ in range(chance.randrange(5, 15)):
            line.tell("touch", phase="began", x=0.5, y=0.8)
            for step in range(12):
                line.tell("touch", phase="moved", x=0.5, y=0.8 - 0.05 * step)
                self.stop.wait(1 / 120)
            line.tell("touch", phase="ended", x=0.5, y=0.2)
            line.tell("swipe", direction="up" if chance.random() < 0.8 else "down", velocity=2)
            self.stop.wait(chance.uniform(0.05, 0.4))
        line.ask("feed.state")
        if chance.random() < 0.3:
            line.tell("touch", phase="began", x=0.1, y=0.1)
            line.ask("ping")
        line.close()

    def onlooker(self, chance):
        """Is told everything, with 20 meters a second, for some seconds."""
        line = Line(self.path)
        line.ask("subscribe", rate=20)
        end = time.monotonic() + chance.uniform(3, 12)
        while time.monotonic() < end and not self.stop.is_set():
            line.line()
        line.close()

    def slow_reader(self, chance):
        """Is told everything and reads nothing, until it goes."""
        line = Line(self.path)
        line.ask("subscribe", rate=20)
        self.stop.wait(chance.uniform(5, 20))
        line.close()

    def export(self, chance):
        """Exports the session under way, which grows, by parts; then asks for what has not been sent."""
        line = Line(self.path)
        cursor = {}
        while True:
            part = line.ask("telemetry.export", limit=chance.choice([50, 500, 5000]), **cursor)
            if not part or not part.get("cursor") or self.stop.is_set():
                break
            cursor = {"cursor": part["cursor"]}
        line.ask("telemetry.unsent", limit=500)
        line.close()
        self.stop.wait(0.2)

    def operator(self, chance):
        line = Line(self.path)
        for method in ["status", "session.list", "log.list", "setting.list", "client.list", "rpc.discover", "texture.list",
                       "schedule.week", "token.list", "rehearsal.list"]:
            line.ask(method)
            self.stop.wait(chance.uniform(0, 0.2))
        line.close()

    def page(self, chance):
        """A page with its files, the metrics, and then another connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        for path in ["/colorscroller/", "/kit/engine.js", "/console/", "/metrics", "/health"]:
            connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            if response.status != 200 and path != "/health":
                raise ValueError(f"{path}: {response.status}")
            self.stop.wait(chance.uniform(0, 0.1))
        connection.close()

    def sounds(self, chance):
        """Chimes, patterns and the house's own."""
        line = Line(self.path)
        for _ in range(20):
            line.tell("chime.play", name="unlock")
            line.tell("tone", on=chance.random() < 0.5, frequency=chance.uniform(300, 3_000))
            self.stop.wait(0.1)
        line.ask("theme.set", name=chance.choice(["standard", "glass", "harmonium"]))
        line.close()


def memory(process):
    with open(f"/proc/{process}/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    return int(fields["VmRSS"].split()[0]) * 1024


def slope(samples):
    """Of the line through the samples with the least squares, in MiB a minute."""
    return statistics.linear_regression([at / 60 for at, _ in samples], [size / MEBIBYTE for _, size in samples]).slope


def mixed(process, path, port, seconds, most, seed):
    """Whether memory grows by at most `most` MiB a minute, and is back when all have left. Prints a table of tenths."""
    crowd = Crowd(path, port, seed)
    # What only starting needs is given back when all is open.
    time.sleep(1)
    before = memory(process)
    crowd.begin()
    begin = time.monotonic()
    samples = []
    while (at := time.monotonic() - begin) < seconds and not crowd.problems:
        samples.append((at, memory(process)))
        time.sleep(0.1)
    crowd.end()
    # The session ends as well.
    time.sleep(IDLE + 5)
    after = memory(process)
    if crowd.problems:
        print(f"  {len(crowd.problems)} problems, the first: {crowd.problems[0]}: FAIL")
        return False
    print("  " + ", ".join(f"{count} × {name}" for name, count in sorted(crowd.counts.items())))
    for tenth in range(10):
        sizes = [size for at, size in samples if int(at / seconds * 10) == tenth]
        print(f"  tenth {tenth + 1:2}   {sum(sizes) / len(sizes) / MEBIBYTE:8.2f} MiB")
    found = slope([sample for sample in samples if sample[0] >= SETTLED * seconds])
    good = found <= most
    print(f"  before {before / MEBIBYTE:.1f}, after all have left {after / MEBIBYTE:.1f} MiB; slope {found:+.2f} MiB a minute, "
          f"at most {most}: {'PASS' if good else 'FAIL'}", flush=True)
    return good
