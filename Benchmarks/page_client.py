#!/usr/bin/env python3
"""Asks of the engine what ColorScroller's page asks, without a browser, which would draw on the same processors: its topics, a `ping` every
three seconds, and the report of drawn frames once a second. With `meters` these too, at 20 Hz.

    page_client.py PORT [meters]
"""
import json
import socket
import sys
import threading
import time

port, more = int(sys.argv[1]), sys.argv[2:]
connection = socket.create_connection(("127.0.0.1", port))
connection.sendall(f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
if not connection.recv(4096).startswith(b"HTTP/1.1 101 "):
    sys.exit("thrumd does not open a WebSocket")


def discard():
    while connection.recv(65_536):
        pass


def send(method, **params):
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    # A masked text frame of less than 64 KiB (RFC 6455, section 5.2); a mask of zeros changes nothing.
    length = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0xFE]) + len(text).to_bytes(2, "big")
    connection.sendall(b"\x81" + length + bytes(4) + text)


threading.Thread(target=discard, daemon=True).start()
send("hello", client="colorscroller", gestures=True)
send("subscribe", topics=["session", "scroll", "unlock", "toast", "intervention", "leaderboard", "held", "rank", "reset", "state", "counters"]
     + more)
for second in range(1 << 30):
    send("page.drew", frames=60 * second)
    if second % 3 == 0:
        send("ping", timeout=15_000)
    time.sleep(1)
