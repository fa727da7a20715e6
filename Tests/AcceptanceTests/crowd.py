#!/usr/bin/env python3
"""255 clients at once for a while: a quarter sends garbage, a quarter subscribes to everything and never reads, a quarter connects and goes
in a loop, a quarter behaves. Prints what those that behave asked, and what they were answered.

    crowd.py SOCKET SECONDS
"""
import asyncio
import json
import os
import random
import sys
import time

path, end = sys.argv[1], time.monotonic() + float(sys.argv[2])
asked = answered = refused = 0


async def garbage(seed):
    chance = random.Random(seed)
    while time.monotonic() < end:
        try:
            reader, writer = await asyncio.open_unix_connection(path)
            while time.monotonic() < end:
                line = chance.choice([chance.randbytes(200), b'{"jsonrpc":"2.0","id":1,"method":"fly"}', b"[" * 300, b"x" * 100_000])
                writer.write(line + b"\n")
                await asyncio.wait_for(writer.drain(), 1)
                # Now and then it looks what came of it.
                if chance.random() < 0.5:
                    await asyncio.wait_for(reader.read(65536), 1)
        except (OSError, asyncio.TimeoutError):
            pass
        finally:
            writer.close()


async def deaf():
    reader, writer = await asyncio.open_unix_connection(path, limit=1)
    writer.write(b'{"jsonrpc":"2.0","id":1,"method":"subscribe"}\n')
    await asyncio.sleep(end - time.monotonic())
    writer.close()


async def flighty():
    global refused
    while time.monotonic() < end:
        try:
            reader, writer = await asyncio.open_unix_connection(path)
            writer.write(b'{"jsonrpc":"2.0","id":1,"method":"touch","params":{"phase":"began"}}\n')
            refused += b"clients are connected" in await reader.readline()
            writer.close()
        except OSError:
            pass
        await asyncio.sleep(0.02)


async def good(seed):
    global asked, answered
    chance = random.Random(seed)
    reader, writer = await asyncio.open_unix_connection(path)
    number = 0
    while time.monotonic() < end:
        number += 1
        method = chance.choice(["ping", "swipe", "tap"])
        writer.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method}).encode() + b"\n")
        asked += 1
        answer = json.loads(await asyncio.wait_for(reader.readline(), 10))
        answered += answer.get("id") == number and "result" in answer
        await asyncio.sleep(0.1)
    writer.close()


async def main():
    quarter = [good(seed) for seed in range(64)]
    await asyncio.gather(*quarter, *(deaf() for _ in range(64)), *(garbage(seed) for seed in range(64)), *(flighty() for _ in range(63)))


asyncio.run(main())
print(json.dumps({"asked": asked, "answered": answered, "refused": refused}))
