"""A PulseAudio of our own with a null sink, and an ear at its monitor that knows when something begins to sound."""
import array
import os
import shutil
import subprocess
import tempfile
import threading
import time

from stage import wait_for


class SoundServer:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.address = f"unix:{self.folder}/native"
        self.environment = {**os.environ, "HOME": self.folder, "PULSE_RUNTIME_PATH": self.folder, "PULSE_STATE_PATH": self.folder,
                            "PULSE_SERVER": self.address, "PULSE_COOKIE": self.folder + "/cookie"}
        self.process = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", f"--log-target=file:{self.folder}/log",
             "-L", f"module-native-protocol-unix auth-anonymous=1 socket={self.folder}/native",
             "-L", "module-null-sink sink_name=stage rate=48000 channels=2"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda: subprocess.run(["pactl", "info"], env=self.environment, capture_output=True).returncode == 0, 10, "PulseAudio")

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Ear:
    """Records in pieces of a millisecond. What the null sink plays is exactly nothing, or a sound."""

    def __init__(self, server):
        self.heard = None
        self.last = 0
        self.parec = subprocess.Popen(["parec", "--device=stage.monitor", "--format=float32le", "--rate=48000", "--channels=1",
                                       "--latency-msec=1", "--raw"], env=server.environment, stdout=subprocess.PIPE)
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while piece := os.read(self.parec.stdout.fileno(), 65_536):
            now = time.time()
            samples = array.array("f", piece[:len(piece) // 4 * 4])
            if max(samples, default=0) > 1e-4:
                self.heard = self.heard or now
                self.last = now

    def is_quiet(self):
        return time.time() - self.last > 0.15

    def close(self):
        self.parec.kill()
        self.parec.wait()


def touch_latencies(stage, server, count):
    """Touches the page so often. Returns how long each took in milliseconds from the browser's time of the event: to the page's own code, to
    the monitor, and to the frame after the one that shows it."""
    stage.script("""
        window.measured = { began: [], told: [], drawn: [] }
        addEventListener("pointerdown", event => {
            measured.began.push(performance.timeOrigin + event.timeStamp)
            measured.told.push(performance.now() - event.timeStamp)
        }, true)
        addEventListener("pointermove", event => requestAnimationFrame(() => requestAnimationFrame(() =>
            measured.drawn.push(performance.now() - event.timeStamp))), true)
        """)
    ear = Ear(server)
    heard = []
    try:
        for _ in range(count):
            wait_for(ear.is_quiet, 5, "silence")
            ear.heard = None
            stage.touch("touchStart", (0.5, 0.6))
            wait_for(lambda: ear.heard, 5, "a touch's sound")
            heard.append(ear.heard)
            stage.touch("touchMove", (0.5, 0.58))
            time.sleep(0.1)
            stage.touch("touchEnd")
    finally:
        ear.close()
    measured = stage.script("return measured")
    return measured["told"], [moment * 1000 - began for moment, began in zip(heard, measured["began"])], measured["drawn"]
