"""Messages that are dear to read: deep, wide, long, with many keys, escapes, patterns or answers. Each generator yields messages for ever,
with what may be answered. Python's standard library only; the same seed makes the same messages."""
import base64
import json
import os
import random
import struct

LONGEST = 65_536
BATCH = 64
# What an answer may be.
RESULT, ERROR, EITHER, NONE = "a result", "an error", "a result or an error", "no answer"


def request(method, params=None, number=1):
    text = '{"jsonrpc":"2.0","id":%d,"method":"%s"' % (number, method)
    return text + (',"params":' + params if params is not None else "") + "}"


def fill(start, end, piece, room=LONGEST):
    """As many of `piece` between `start` and `end` as make a line of at most `room` bytes."""
    return start + piece * ((room - len(start.encode()) - len(end.encode())) // len(piece.encode())) + end


def lines(seed):
    """Lines, each with what may be answered to it."""
    chance = random.Random(seed)
    while True:
        depth = chance.choice([2, 15, 16, 17, 100, 500, 5_000, 30_000])
        count = chance.choice([1, 20, 300, 3_000, 20_000])
        inner = chance.choice(["{}", '""', "0", "[]"])
        yield chance.choice([
            # Deep.
            lambda: (request("ping", "[" * depth + inner + "]" * depth), ERROR),
            lambda: (request("haptic.play", '{"a":' * depth + "0" + "}" * depth), ERROR),
            lambda: (fill('{"jsonrpc":"2.0","id":1,"method":"ping","params":[', "0]}", "[" * 300 + "{}" + "]" * 300 + ","), ERROR),
            lambda: ("[" * depth, ERROR),
            lambda: ('{"a":' * depth, ERROR),
            # Wide.
            lambda: (request("ping", "[" + "0," * count + "0]"), ERROR if count > 0 else EITHER),
            lambda: (request("subscribe", '{"topics":[' + '"state",' * count + '"state"]}'), EITHER),
            lambda: (request("ping", "{" + ",".join('"k%d":0' % n for n in range(min(count, 5_000))) + "}"), ERROR),
            lambda: (request("ping", "{" + ",".join('"timeout":0' for n in range(min(count, 5_000))) + "}"), EITHER),
            # Long.
            lambda: (fill(request("hello", '{"client":"')[:-1], '"}}', "a"), ERROR),
            lambda: (fill(request("hello", '{"client":"')[:-1], '"}}', "\\u0041"), ERROR),
            lambda: (fill(request("hello", '{"client":"')[:-1], '"}}', "\\ud83d\\ude00"), ERROR),
            lambda: (fill(request("hello", '{"client":"')[:-1], '"}}', "\U0001F468\u200D"), ERROR),
            lambda: (request("hello", '{"client":"' + "n" * chance.randrange(1, 257) + '"}'), RESULT),
            lambda: (fill('{"jsonrpc":"2.0","id":1,', '"method":"ping"}', " "), RESULT),
            lambda: (request("ping", '{"timeout":0.' + "0" * chance.choice([10, 1_000, 60_000]) + "}"), EITHER),
            lambda: (request("ping", '{"timeout":' + "9" * chance.choice([20, 400, 60_000]) + "}"), ERROR),
            lambda: (request("x" * chance.choice([10, 60_000])), ERROR),
            lambda: (request("touch", '{"phase":"' + "began" * chance.choice([2, 10_000]) + '"}'), ERROR),
            # An inline pattern of up to 64 events, and more.
            lambda: pattern(chance.choice([1, 64, 65, 1_500])),
            # Dear to answer.
            lambda: (request(chance.choice(["rpc.discover", "status", "device.list", "theme.list", "session.list"])), EITHER),
            # No JSON.
            lambda: (request("ping", "{},"), ERROR),
            lambda: (request("ping", "[0,]"), ERROR),
            lambda: (request("ping", '{"timeout":NaN}'), ERROR),
            # A line of spaces alone has no answer.
            lambda: ("!" + "".join(chr(chance.randrange(32, 127)) for _ in range(count)), ERROR),
        ])()


def pattern(events):
    event = '{"Event":{"Time":%g,"EventType":"HapticTransient","EventParameters":[]}}'
    body = ",".join(event % (n * 0.001) for n in range(events))
    return request("haptic.play", '{"pattern":{"Version":1.0,"Pattern":[' + body + "]}}"), EITHER


def batches(seed):
    """Lines with batches, each with the number of answers, or `None` for one error."""
    chance = random.Random(seed)
    while True:
        count = chance.choice([1, 2, 63, BATCH, BATCH + 1, 5_000])
        one = chance.choice([
            request("rpc.discover"), request("status"), request("ping"), request("fly"), "1", "{}", "[]", '"text"',
            request("ping", "[" * chance.choice([3, 300]) + "]" * 0), request("haptic.play", '{"a":' * 10 + "0" + "}" * 10)])
        text = "[" + ",".join([one] * count) + "]"
        if len(text) > LONGEST:
            count = LONGEST // (len(one) + 1)
            text = "[" + ",".join([one] * count) + "]"
        try:
            json.loads(text)
            answers = count if count <= BATCH else None
        except (ValueError, RecursionError):
            answers = None
        yield text, answers


def osc_text(text):
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def osc_message(address, types="", values=b""):
    return osc_text(address) + osc_text("," + types) + values


def osc_bundle(parts, time=1):
    return b"#bundle\0" + struct.pack(">Q", time) + b"".join(struct.pack(">I", len(part)) + part for part in parts)


def datagrams(seed):
    """Open Sound Control packets. Nobody waits for an answer to them."""
    chance = random.Random(seed)
    while True:
        # None of them matches what would be heard: a tone is held meanwhile.
        pattern = chance.choice(["/{rpc,device,journal,chime,haptic,theme,preset}/*", "/rpc/*", "/{rpc,status,device}*/*", "/*/*q",
                                 "/" + "*" * 200 + "q", "/{a,b,c}*{d,e}*?q", "/[a-z]*[!q]*/*q", "/" + "{a,aa,aaa,}" * 20, "/?" * 60,
                                 "/" + "*a" * 100])
        count = chance.choice([1, 16, 64, 116, 2_000])
        packet = chance.choice([
            lambda: osc_bundle([osc_message(pattern)] * count),
            lambda: osc_bundle([osc_message("/rpc/discover")] * count),
            lambda: osc_bundle([osc_message("/status")] * count),
            lambda: osc_message(pattern),
            lambda: osc_message("/ping", "N" * chance.choice([1, 1_000, 60_000])),
            lambda: osc_message("/hello", "s", osc_text("n" * chance.choice([10, 60_000]))),
            lambda: osc_message("/touch/moved", "iff", struct.pack(">iff", 99, chance.random(), chance.random())),
            lambda: nested(chance.choice([2, 8, 9, 1_000])),
            lambda: bytes(chance.randrange(256) for _ in range(chance.randrange(1, 2_000))),
        ])()
        yield packet[:65_000]


def nested(depth):
    packet = osc_message("/*/*q")
    for _ in range(depth):
        packet = osc_bundle([packet])
    return packet


def frame(payload, opcode=1, fin=True, rsv=0, masked=True):
    """A WebSocket frame from a client (RFC 6455, section 5.2)."""
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    mask = 0x80 if masked else 0
    size = len(payload)
    if size < 126:
        head += bytes([mask | size])
    elif size < 65_536:
        head += bytes([mask | 126]) + struct.pack(">H", size)
    else:
        head += bytes([mask | 127]) + struct.pack(">Q", size)
    return head + (b"\0\0\0\0" if masked else b"") + payload


def frames(seed):
    """WebSocket messages, each with whether the connection goes on after it."""
    chance = random.Random(seed)
    texts = lines(seed + 1)
    while True:
        text = next(texts)[0].encode()[:LONGEST]
        pieces = chance.choice([2, 16, 200])
        yield chance.choice([
            lambda: (frame(text), True), lambda: (frame(text), True), lambda: (frame(text), True), lambda: (frame(text), True),
            lambda: (split(text, pieces), True),
            lambda: (frame(b"", opcode=9) * chance.choice([1, 100]), True),
            lambda: (frame(b"x" * 125, opcode=10), True),
            lambda: (frame(text, rsv=chance.randrange(1, 8)), False),
            lambda: (frame(text, masked=False), False),
            lambda: (frame(text, opcode=2), False),
            lambda: (frame(b"\xff\xfe", opcode=1), False),
            lambda: (frame(b"x" * (LONGEST + 1)), False),
            lambda: (frame(b"{", fin=False) + frame(b"{", fin=False), False),
        ])()


def split(text, pieces):
    size = max(1, -(-len(text) // pieces))
    parts = [text[start:start + size] for start in range(0, len(text), size)]
    return b"".join(frame(part, opcode=1 if n == 0 else 0, fin=n == len(parts) - 1) for n, part in enumerate(parts))


def upgrade(port, path="/socket", method="GET", version="1.1", key=None, extra=""):
    """The request that opens a WebSocket."""
    key = key or base64.b64encode(os.urandom(16)).decode()
    return (f"{method} {path} HTTP/{version}\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{extra}\r\n").encode()


def pipelined(port):
    """300 requests at once for the house's file of 8 MiB."""
    return f"GET /storm.bin HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode() * 300


def http_requests(seed, port):
    """HTTP requests, each with the status that is right, or `None` where any but 200 is."""
    chance = random.Random(seed)
    host = f"Host: 127.0.0.1:{port}\r\n"
    while True:
        count = chance.choice([1, 50, 400, 5_000])
        yield chance.choice([
            lambda: (f"GET /metrics HTTP/1.1\r\n{host}\r\n", 200),
            lambda: (f"GET /health?{'a' * chance.randrange(2_000)} HTTP/1.1\r\n{host}\r\n", 200),
            lambda: (f"GET /metrics HTTP/1.1\r\n{host}" + "".join(f"X{n}: {n}\r\n" for n in range(50)) + "\r\n", 200),
            lambda: (f"GET /{'x' * count} HTTP/1.1\r\n{host}\r\n", None),
            lambda: (f"GET /metrics HTTP/1.1\r\n{host}" + "X: y\r\n" * count * 4 + "\r\n", 200 if count < 400 else None),
            lambda: (f"GET /metrics HTTP/1.1\r\nHost: example.org\r\n\r\n", None),
            lambda: (f"POST /metrics HTTP/1.1\r\n{host}Content-Length: 5\r\n\r\nhello", 405),
            lambda: (f"GET /metrics HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n" + "1\r\na\r\n" * count * 10, None),
            lambda: ("".join(chr(chance.randrange(1, 127)) for _ in range(count)) + "\r\n\r\n", None),
        ])()
