#!/usr/bin/env python3
"""A visitor alone, and then beside 40 clients that behave badly in ten ways, four each. thrumd plays into nothing.

    fairness.py [SECONDS]

Prints as JSON, for each half: how many events the visitor reported, how many were answered with their frame, how late they were placed in
ms (half of them, 99 in 100, all); and memory in KiB before and with the crowd, signs of life to the watchdog, and what was let go.
"""
import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from house import PROGRAMS, Client, Watchdog, until  # noqa: E402

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 4


def line(method, params="{}", number=1):
    return f'{{"jsonrpc":"2.0","id":{number},"method":"{method}","params":{params}}}\n'.encode()


def notice(method, params="{}"):
    return f'{{"jsonrpc":"2.0","method":"{method}","params":{params}}}\n'.encode()


BEGAN = line("touch", '{"phase":"began"}')
DISCOVER = b"[" + b",".join(line("rpc.discover").strip() for _ in range(64)) + b"]\n"


async def deaf(reader, writer, chance):
    writer.write(BEGAN + line("status") * 1_000)
    await asyncio.sleep(30)


async def half_closed(reader, writer, chance):
    writer.write(BEGAN)
    writer.write_eof()
    await asyncio.sleep(1)


async def pinging(reader, writer, chance):
    async def drain():
        while await reader.read(65_536):
            pass
    task = asyncio.create_task(drain())
    try:
        while True:
            writer.write(line("ping") * 500)
            await writer.drain()
    finally:
        task.cancel()


async def reporting(reader, writer, chance):
    while True:
        writer.write(notice("swipe") * 200)
        await writer.drain()
        await asyncio.sleep(0.01)


async def garbage(reader, writer, chance):
    while True:
        writer.write(chance.choice([chance.randbytes(200), b"[" * 300, b'{"jsonrpc":"2.0","params":' + b"[" * 500, b"{}"]) + b"\n")
        await writer.drain()
        await asyncio.wait_for(reader.read(65_536), 1)


async def endless(reader, writer, chance):
    while True:
        writer.write(b"x" * 65_536)
        await writer.drain()
        await asyncio.sleep(0.001)


async def discovering(reader, writer, chance):
    while True:
        writer.write(DISCOVER)
        await writer.drain()
        await asyncio.sleep(0.5)


async def flighty(reader, writer, chance):
    writer.write(BEGAN)
    await asyncio.sleep(0.005)


async def watching(reader, writer, chance):
    writer.write(line("subscribe", '{"topics":["session","event","cue","device","fault","state","meters"],"rate":60}'))
    while await reader.read(256):
        await asyncio.sleep(0.05)


async def planning(reader, writer, chance):
    while True:
        writer.write(line("swipe", '{"delay":%d}' % chance.randrange(1, 600_000)) * 600)
        await writer.drain()
        await asyncio.wait_for(reader.read(65_536), 1)
        await asyncio.sleep(0.2)


WAYS = [deaf, half_closed, pinging, reporting, garbage, endless, discovering, flighty, watching, planning]


async def again(way, path, seed):
    """One client after the other, for ever."""
    chance = random.Random(seed)
    while True:
        writer = None
        try:
            # What it does not read stays in the kernel, and not here.
            reader, writer = await asyncio.open_unix_connection(path, limit=4_096)
            await way(reader, writer, chance)
        except (OSError, asyncio.TimeoutError):
            await asyncio.sleep(0.05)
        finally:
            if writer:
                writer.close()


async def crowd(path):
    await asyncio.gather(*(again(way, path, seed) for seed, way in enumerate(WAYS * 4)))


def visit(path, seconds):
    """Reports about a hundred events a second, each with the moment in which it happened."""
    client = Client(path)
    chance = random.Random(1)
    sent, answers, blocks = 0, {}, 0
    client.socket.setblocking(False)
    end = time.monotonic() + seconds

    def listen():
        try:
            while received := client.socket.recv(65_536):
                client.rest += received
        except BlockingIOError:
            pass
        *lines, client.rest = client.rest.split(b"\n")
        for answer in map(json.loads, lines):
            answers[answer["id"]] = answer

    while time.monotonic() < end:
        sent += 1
        blocks += chance.randrange(4)
        what = ('touch', '"phase":"began"'), ('feed.update', f'"blocksViewed":{blocks}'), ('touch', '"phase":"moved"'), \
            ('tone', '"frequency":440'), ('touch', '"phase":"ended"'), ('chime.play', '"name":"ding"')
        method, params = what[sent % len(what)]
        client.socket.sendall(line(method, f'{{{params},"at":{time.monotonic_ns()}}}', sent))
        time.sleep(chance.uniform(0.005, 0.015))
        listen()
    until(lambda: listen() or len(answers) == sent)
    placed = [answer["result"] for answer in answers.values() if "frame" in answer.get("result", {})]
    late = sorted(result.get("lateMilliseconds", 0) for result in placed) or [0]
    wrong = [answer for answer in answers.values() if "frame" not in answer.get("result", {})]
    client.close()
    return {"events": sent, "placed": len(placed), "late": sum(1 for each in late if each > 1), "wrong": wrong[:1],
            "lateness": [late[len(late) // 2], late[len(late) * 99 // 100], late[-1]]}


def main():
    with tempfile.TemporaryDirectory(prefix="thrum-fairness-") as folder:
        path = os.path.join(folder, "control.sock")
        watchdog = Watchdog(os.path.join(folder, "notify"))
        environment = dict(os.environ, HOME=folder, XDG_STATE_HOME=folder, XDG_CONFIG_HOME=folder, NOTIFY_SOCKET=watchdog.path,
                           WATCHDOG_USEC="4000000")
        engine = subprocess.Popen([os.path.join(PROGRAMS, "thrumd"), "--output", "null", "--devices", "no", "--log", "error", "--socket", path,
                                   "--sessions", os.path.join(folder, "sessions"), "--journal-space", "256"], env=environment)

        def memory():
            with open(f"/proc/{engine.pid}/status") as file:
                return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

        def start():
            child = os.fork()
            if child == 0:
                try:
                    asyncio.run(crowd(path))
                finally:
                    os._exit(1)
            return child

        def stop(child):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)

        try:
            if not until(lambda: os.path.exists(path)):
                sys.exit("fairness: thrumd does not start")
            # Once, so that everything has the size that it needs.
            child = start()
            visit(path, 2)
            stop(child)
            time.sleep(1)
            before = memory()
            alone = visit(path, SECONDS)
            signs = watchdog.signs
            child = start()
            time.sleep(0.5)
            beside = visit(path, SECONDS)
            during = memory()
            signs = watchdog.signs - signs
            stop(child)
            status = Client(path).call("status")["result"]
            print(json.dumps({"alone": alone, "beside": beside, "memory": [before, during], "signs": signs, "released": status["released"],
                              "overload": status["synth"]["overload"]}))
        finally:
            engine.terminate()
            engine.wait()


main()
