"""Claims of the services as they run."""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request

from claims import claim, require, run, unit, until
from client import SOCKET, Client, ask
from ear import SERVER, Ear
from daemon import main_process, sounds_and_stops
from touchscreen import NAME, Touchscreen

UNITS = ["thrumd.socket", "thrumd.service", "thrum-sound.service"]
CARD = "/run/systemd/system/thrum-sound.service.d"


def starts_at_boot(ear):
    for name in UNITS:
        with claim(f"{name} was started at boot") as measured:
            until(lambda: unit(name, "ActiveState")["ActiveState"] == "active", 60, lambda: str(unit(name, "ActiveState", "SubState", "Result")))
            if name == "thrumd.service":
                times = unit(name, "InactiveExitTimestampMonotonic", "ActiveEnterTimestampMonotonic")
                took = int(times["ActiveEnterTimestampMonotonic"]) - int(times["InactiveExitTimestampMonotonic"])
                measured.append(f"ready {took / 1e6:.2f} s after it was begun, emulated")
    nothing_failed()


def nothing_failed():
    with claim("systemctl --failed is empty"):
        failed = run("systemctl", "--failed", "--plain", "--no-legend").strip()
        require(not failed, failed)


def has_a_card():
    """The virtual machine has none: a sink that is always there stands in for it, after each start of the sound server."""
    with open("/lib/systemd/system/thrum-sound.service") as file:
        start = next(line.strip() for line in file if line.startswith("ExecStart="))
    sink = "module-null-sink sink_name=card rate=48000 channels=2 sink_properties=device.description=Card"
    os.makedirs(CARD)
    with open(CARD + "/card.conf", "w") as file:
        file.write(f'[Service]\nExecStart=\n{start} -L "{sink}"\n')
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", "thrum-sound")
    with claim("thrumd plays on a card that is there when the sound server starts anew"):
        until(lambda: "card" in ask("status")["output"].get("sink", "").lower(), 60, lambda: str(ask("status")["output"]))


def takes_the_card_away():
    shutil.rmtree(CARD, ignore_errors=True)
    run("systemctl", "daemon-reload")


def plays(ear):
    with claim("a tone is heard from the kiosk's own sound server, and silence after it"):
        until(lambda: ask("status")["output"]["state"] == "connected", 30, lambda: str(ask("status")["output"]))
        sounds_and_stops(ear)
    with claim("nothing had to be started twice for that"):
        for name in ("thrumd", "thrum-sound"):
            require(unit(name, "NRestarts")["NRestarts"] == "0", f"{name} was restarted")
    with claim("the render thread has real-time priority, and memory is locked"):
        require(ask("status")["output"]["isRealtime"], "no real-time priority")
        locked = next(line for line in open(f"/proc/{main_process()}/status") if line.startswith("VmLck"))
        require(int(locked.split()[1]) > 1024, locked.strip())
    with claim("thrum status finds the system's socket, and its exit status says that all is well") as measured:
        said = run("env", "-u", "XDG_RUNTIME_DIR", "thrum", "status")
        measured.append(said.splitlines()[0])


def reads_touchscreens(ear):
    with claim("a touchscreen that is plugged in is read, and a finger on it is a session") as measured:
        if "session" in ask("status"):
            ask("session.end")
        before = ask("status")["sessions"]
        screen = Touchscreen()
        plugged = time.monotonic()
        until(lambda: NAME in json.dumps(ask("status")["devices"]["touchscreens"]), 30, lambda: str(ask("status")["devices"]))
        measured.append(f"read {time.monotonic() - plugged:.2f} s after it was plugged in")
        screen.touch(0.5)
        until(lambda: ask("status")["sessions"] > before, 60, "no session began")
        screen.unplug()
        until(lambda: NAME not in json.dumps(ask("status")["devices"]["touchscreens"]), 30, "it is still there after it was unplugged")
        ask("session.end")
        ear.hears_nothing()


def runs(words, user="nobody", group="nogroup", groups="--init-groups"):
    """Whether somebody's command succeeds."""
    return subprocess.run(["setpriv", f"--reuid={user}", f"--regid={group}", groups, *words], capture_output=True).returncode == 0


def connecting(path):
    return ["python3", "-c", f"import socket; socket.socket(socket.AF_UNIX).connect('{path}')"]


def admits_members_of_the_group():
    with claim("members of the group thrum may connect, others may not"):
        require(runs(connecting(SOCKET), groups="--groups=thrum"), "a member was refused")
        require(not runs(connecting(SOCKET), groups="--clear-groups"), "somebody else was let in")


def keeps_its_sound_server_to_itself():
    server = SERVER.removeprefix("unix:")
    with claim("the sound server is for thrumd's user alone: members of the group thrum do not reach it"):
        require(runs(["pactl", "-s", SERVER, "info"], "thrum", "thrum"), "thrumd's user was refused")
        require(not runs(connecting(server), groups="--groups=thrum"), "a member was let in")
        require(not runs(connecting(server), groups="--clear-groups"), "somebody else was let in")
    with claim("the sound server's user reaches neither the control socket nor what thrumd keeps"):
        process = unit("thrum-sound", "MainPID")["MainPID"]
        require(run("stat", "--format=%U", f"/proc/{process}").strip() == "thrum-sound", "it runs as somebody else")
        own = ("thrum-sound", "thrum-sound")
        require(runs(connecting(server), *own), "it does not reach its own socket")
        require(not runs(connecting(SOCKET), *own), "it was let in at the control socket")
        for path in ("/var/lib/thrum", "/var/lib/thrum/sessions", "/var/lib/thrum/state.sqlite"):
            require(not runs(["test", "-r", path], *own), f"it may read {path}")


def opens_its_ports():
    path = "/etc/thrum/thrum.yaml"
    good = open(path).read()
    with claim("a WebSocket on 127.0.0.1 opens, from inside the sandbox"):
        with open(path, "a") as settings:
            settings.write("\nhttp: 7777\n")
        run("systemctl", "restart", "thrumd")
        asked = (b"GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
        with socket.create_connection(("127.0.0.1", 7777), 10) as connection:
            connection.sendall(asked)
            answer = connection.recv(4096)
        # The accept key of the example in RFC 6455, 1.3.
        require(answer.startswith(b"HTTP/1.1 101") and b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in answer, answer[:200])
    with claim("so do the metrics"):
        with urllib.request.urlopen("http://127.0.0.1:7777/metrics", timeout=10) as answer:
            require(b"# TYPE thrum_" in answer.read(), "no metric")
    # As it was: ports are not to be taken from whoever else reads these settings.
    with open(path, "w") as settings:
        settings.write(good)
    run("systemctl", "restart", "thrumd")


def logs_fields():
    with claim("what thrumd logs is in the journal with fields of its own") as measured:
        entries = [json.loads(line) for line in run("journalctl", "--unit=thrumd", "--output=json", "--no-pager").splitlines()]
        fields = {field for entry in entries for field in entry if field.startswith("THRUM_")}
        require(fields, "no field that begins with THRUM_")
        measured.append(" ".join(sorted(fields)))


def serves_a_user():
    """As a manager of a user's own, which a login would have started. Where PipeWire is installed, it is that user's sound server."""
    has_pipewire = os.path.exists("/usr/bin/pipewire-pulse")
    with claim("the units for a user's session start thrumd at a client's first message, too") as measured:
        run("useradd", "--create-home", "visitor")
        runtime = "/run/visitor"
        run("systemd-run", "--unit=visitor", "--uid=visitor", "--property=Delegate=yes", "--property=RuntimeDirectory=visitor",
            f"--setenv=XDG_RUNTIME_DIR={runtime}", "--setenv=HOME=/home/visitor", "/lib/systemd/systemd", "--user")
        until(lambda: os.path.exists(runtime + "/systemd/private"), 30, "no manager")
        user = ["setpriv", "--reuid=visitor", "--regid=visitor", "--clear-groups", "env", f"XDG_RUNTIME_DIR={runtime}", "HOME=/home/visitor"]
        if has_pipewire:
            run(*user, "systemctl", "--user", "mask", "--now", "pulseaudio.socket", "pulseaudio.service")
            run(*user, "systemctl", "--user", "start", "pipewire-pulse.socket", "wireplumber.service")
            run(*user, "pactl", "load-module", "module-null-sink", "sink_name=card")
            run(*user, "pactl", "set-default-sink", "card")
        run(*user, "systemctl", "--user", "start", "thrumd.socket")
        begun = time.monotonic()
        client = Client(path=runtime + "/thrum/control.sock")
        require(client.ask("hello")["name"] == "thrumd", "a wrong answer")
        measured.append(f"answered in {time.monotonic() - begun:.2f} s, emulated")
        require(run(*user, "systemctl", "--user", "is-active", "thrumd.service").strip() == "active", "not the unit's")
    if has_pipewire:
        with claim("a tone is heard from the PipeWire of that user's session, and silence after it") as measured:
            measured.append(next(line for line in run(*user, "pactl", "info").splitlines() if line.startswith("Server Name")))
            sounds_and_stops(Ear(f"unix:{runtime}/pulse/native", "visitor"), runtime + "/thrum/control.sock")
    subprocess.run(["systemctl", "stop", "visitor"], capture_output=True)
    subprocess.run(["userdel", "--remove", "visitor"], capture_output=True)
