"""Checks a WAV by its specification and prints its chunks: RIFF (Microsoft & IBM, 1991), its revision 3.0 (1994), RF64 (EBU Tech 3306)."""
import struct
import sys

data = sys.stdin.buffer.read() if sys.argv[1] == "-" else open(sys.argv[1], "rb").read()
form, size, kind = struct.unpack("<4sI4s", data[:12])
assert form in (b"RIFF", b"RF64") and kind == b"WAVE", (form, kind)
place, chunks = 12, []
long_sizes = None
while place < len(data):
    name, length = struct.unpack("<4sI", data[place:place + 8])
    if name == b"ds64":
        assert form == b"RF64" and not chunks, "ds64 is the first chunk of an RF64"
        long_sizes = struct.unpack("<QQQI", data[place + 8:place + 36])
    if name == b"data" and form == b"RF64":
        assert length == 0xFFFFFFFF
        length = long_sizes[1]
    body = data[place + 8:place + 8 + length]
    chunks.append((name.decode("ascii"), length, body))
    place += 8 + length + length % 2
    if len(sys.argv) > 2 and name == b"data":
        break  # of an RF64 there is only the beginning
if len(sys.argv) == 2:
    assert place == len(data), f"chunks end at {place}, the file at {len(data)}"
    assert size == len(data) - 8, f"RIFF says {size}, the file has {len(data) - 8}"
names = [name for name, _, _ in chunks]
assert len(set(names)) == len(names) and names.index("fmt ") < names.index("data")
bodies = {name: body for name, _, body in chunks}
sizes = {name: length for name, length, _ in chunks}
tag, channels, rate, per_second, block, bits = struct.unpack("<HHIIHH", bodies["fmt "][:16])
assert block == channels * bits // 8 and per_second == rate * block
assert sizes["data"] % block == 0
frames = sizes["data"] // block
if tag == 1:
    assert sizes["fmt "] == 16 and bits in (16, 24)
else:
    assert tag == 3 and bits == 32 and sizes["fmt "] == 18, "other than PCM: with the size of its extension"
    assert struct.unpack("<H", bodies["fmt "][16:18]) == (0,)
    assert struct.unpack("<I", bodies["fact"]) == ((0xFFFFFFFF,) if form == b"RF64" else (frames,))
if form == b"RF64":
    riff, samples, count, table = long_sizes
    assert size == 0xFFFFFFFF and count == frames and table == 0 and samples == sizes["data"]
    header = place - 8 - samples - samples % 2
    assert riff == header + 8 + samples + samples % 2 - 8
print(" ".join(name.strip() for name in names), tag, channels, rate, bits, frames)
