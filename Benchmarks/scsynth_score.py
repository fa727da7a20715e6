#!/usr/bin/env python3
"""Writes a score for scsynth's non-realtime mode that does the work of make_session's session: a gated sine whose pitch is
set twice a second, and two decaying notes of three partials every 20 s. Usage: scsynth_score.py SECONDS > score.osc

Formats: Open Sound Control 1.0; SuperCollider's synth definition file format, version 2 ("Synth Definition File Format" in
its reference)."""
import struct
import sys


def text(s):
    b = s.encode() + b"\0"
    return b + b"\0" * (-len(b) % 4)


def message(address, *arguments):
    types, body = ",", b""
    for a in arguments:
        if isinstance(a, int):
            types, body = types + "i", body + struct.pack(">i", a)
        elif isinstance(a, float):
            types, body = types + "f", body + struct.pack(">f", a)
        elif isinstance(a, bytes):
            types, body = types + "b", body + struct.pack(">i", len(a)) + a + b"\0" * (-len(a) % 4)
        else:
            types, body = types + "s", body + text(a)
    return text(address) + text(types) + body


def bundle(seconds, *messages):
    body = b"#bundle\0" + struct.pack(">Q", int(seconds * 2**32))
    for m in messages:
        body += struct.pack(">i", len(m)) + m
    return struct.pack(">i", len(body)) + body


def pstring(s):
    return bytes([len(s)]) + s.encode()


def synthdef(name, constants, parameters, ugens):
    out = b"SCgf" + struct.pack(">ih", 2, 1) + pstring(name)
    out += struct.pack(">i", len(constants)) + b"".join(struct.pack(">f", c) for c in constants)
    out += struct.pack(">i", len(parameters)) + b"".join(struct.pack(">f", v) for _, v in parameters)
    out += struct.pack(">i", len(parameters))
    out += b"".join(pstring(n) + struct.pack(">i", k) for k, (n, _) in enumerate(parameters))
    out += struct.pack(">i", len(ugens))
    for kind, rate, special, inputs, outputs in ugens:
        out += pstring(kind) + struct.pack(">biih", rate, len(inputs), outputs, special)
        out += b"".join(struct.pack(">ii", *i) for i in inputs) + bytes([rate]) * outputs
    return out + struct.pack(">h", 0)


KR, AR, TIMES = 1, 2, 2
tone = synthdef("tone", [0.0], [("freq", 440.0), ("amp", 0.0)], [
    ("Control", KR, 0, [], 2),
    ("SinOsc", AR, 0, [(0, 0), (-1, 0)], 1),
    ("BinaryOpUGen", AR, TIMES, [(1, 0), (0, 1)], 1),
    ("Out", AR, 0, [(-1, 0), (2, 0)], 0),
])
partial = synthdef("partial", [0.0, 1.0, 0.001, 2.0], [("freq", 440.0), ("amp", 0.1), ("dur", 1.0)], [
    ("Control", KR, 0, [], 3),
    ("SinOsc", AR, 0, [(0, 0), (-1, 0)], 1),
    ("XLine", KR, 0, [(-1, 1), (-1, 2), (0, 2), (-1, 3)], 1),
    ("BinaryOpUGen", AR, TIMES, [(1, 0), (2, 0)], 1),
    ("BinaryOpUGen", AR, TIMES, [(3, 0), (0, 1)], 1),
    ("Out", AR, 0, [(-1, 0), (4, 0)], 0),
])

seconds = int(sys.argv[1])
out = sys.stdout.buffer
score = [(0, [message("/d_recv", tone), message("/d_recv", partial), message("/s_new", "tone", 1000, 0, 0)])]
for half in range(seconds * 2):
    at = half * 0.5
    pitch = min(5000.0, 240 * 2 ** (half / 120))
    score.append((at, [message("/n_set", 1000, "amp", 0.3)]))
    if half % 40 == 0:
        for start, base, decay in ((0.0, 659.2551, 0.9), (0.12, 987.7666, 1.4)):
            for ratio, level in ((1.0, 0.158), (2.756, 0.0158), (5.404, 0.004)):
                score.append((at + start, [message("/s_new", "partial", -1, 0, 0, "freq", base * ratio, "amp", level,
                                                   "dur", decay * 110 / 60)]))
    score.append((at + 0.0625, [message("/n_set", 1000, "freq", pitch)]))
    score.append((at + 0.25, [message("/n_set", 1000, "amp", 0.0)]))
score.append((seconds, [message("/n_free", 1000)]))
for at, messages in sorted(score, key=lambda entry: entry[0]):
    out.write(bundle(at, *messages))
