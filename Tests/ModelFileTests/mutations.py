#!/usr/bin/env python3
"""mutations.py PROGRAM [MUTATIONS [SEED]]: has ModelTrial (PROGRAM) read models, and compares its margins with those of a second reading.

First the models of Tests/Fixtures/models over all of their rows. Then mutated ones: bits are flipped, bytes set, fields of one message taken
out, doubled, swapped, put into others, numbers replaced by awkward ones, the end cut off. Whatever is accepted must be read by the evaluator,
too, and have the same margins, to the bit. A crash, an answer that takes longer than 20 s, and a difference end this with status 1; the model
is kept in out/."""

import base64
import collections
import functools
import json
import math
import pathlib
import random
import select
import struct
import subprocess
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import models
from models import ROOT, evaluator

# Seconds for a mutated model, and for a million rows, which take a debug build on a busy machine minutes.
PATIENCE = 20
PATIENCE_FOR_ALL = 900
# Rows for each mutated model.
ROWS = 24


class Program:
    """A running ModelTrial, which has its rows."""

    def __init__(self, path, rows, patience=PATIENCE):
        self.rows, self.patience = rows, patience
        self.running = subprocess.Popen([path, ",".join(models.KNOWN)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.send(rows.astype("<f4").tobytes())

    def send(self, frame):
        self.running.stdin.write(struct.pack("<I", len(frame)) + frame)
        self.running.stdin.flush()

    def receive(self, count):
        data = b""
        while len(data) < count:
            if not select.select([self.running.stdout], [], [], self.patience)[0]:
                self.running.kill()
                raise TimeoutError
            more = self.running.stdout.raw.read(count - len(data))
            if not more:
                raise EOFError(f"ModelTrial ended with status {self.running.wait()}")
            data += more
        return data

    def margins(self, model):
        """None where the model is refused."""
        self.send(model)
        (length,) = struct.unpack("<I", self.receive(4))
        if length == 0:
            return None
        return numpy.frombuffer(self.receive(length), dtype="<f8")


# Mutations


def flip_bits(random, data):
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 1, 2, 3, 8])):
        place = random.randrange(len(data) * 8)
        data[place // 8] ^= 1 << place % 8
    return bytes(data)


def set_bytes(random, data):
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 4])):
        data[random.randrange(len(data))] = random.choice([0, 1, 2, 8, 10, 0x7F, 0x80, 0xFF, random.randrange(256)])
    return bytes(data)


def cut(random, data):
    return data[:random.randrange(len(data))]


def splice(random, data):
    """Bytes from one place to another, in the same message or not."""
    start = random.randrange(len(data))
    part = data[start:start + random.randrange(1, 40)]
    place = random.randrange(len(data))
    return data[:place] + part + data[place + (len(part) if random.random() < 0.5 else 0):]


def tree_of(data, depth=0):
    """A message as lists that can be changed; whatever is no message stays bytes."""
    result = []
    for number, kind, value in evaluator.fields(data):
        if kind == 2 and depth < 9 and len(value) > 1:
            try:
                value = tree_of(value, depth + 1)
            except evaluator.Unread:
                pass
        result.append([number, kind, value])
    return result


@functools.cache
def known_tree(data):
    return tree_of(data)


def copied(fields):
    return [[number, kind, copied(value) if isinstance(value, list) else value] for number, kind, value in fields]


def encode_varint(value):
    result = bytearray()
    while value > 127:
        result.append(value & 127 | 128)
        value >>= 7
    return bytes(result) + bytes([value])


def encode(fields):
    result = b""
    for number, kind, value in fields:
        result += encode_varint(number << 3 | kind)
        if kind == 0:
            result += encode_varint(value)
        else:
            value = encode(value) if isinstance(value, list) else value
            result += (encode_varint(len(value)) if kind == 2 else b"") + value
    return result


def messages(fields):
    found = [fields]
    for _, _, value in fields:
        if isinstance(value, list):
            found += messages(value)
    return found


AWKWARD = [math.nan, math.inf, -math.inf, -0.0, 0.0, 5e-324, 1e308, -1.7e308, 0.1, 1e-46, 3.5e38, 16777217.0]


def change_fields(random, data):
    fields = copied(known_tree(data))
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        of = random.choice([each for each in messages(fields) if each] or [None])
        if of is None:
            break
        place = random.randrange(len(of))
        field = of[place]
        what = random.randrange(9)
        if what == 0:
            del of[place]
        elif what == 1:
            of.insert(random.randrange(len(of) + 1), copied([field])[0])
        elif what == 2:
            other = random.randrange(len(of))
            of[place], of[other] = of[other], of[place]
        elif what == 3:
            random.choice(messages(fields)).append(copied([field])[0])
        elif what == 4:
            field[0] = random.choice([field[0] + 1, 1, 2, 3, 10, 14, 20, 100, 101, 400, 402, 602, random.randrange(1, 3001)])
        elif field[1] == 0:
            field[2] = random.choice([field[2] + 1, max(0, field[2] - 1), field[2] ^ 1, 0, 1, 2, 3, 4, 5, 6, 7, 2 ** 31, 2 ** 32 + 1, 2 ** 63, 2 ** 64 - 1])
        elif field[1] == 1:
            field[2] = struct.pack("<d", random.choice(AWKWARD + [struct.unpack("<d", field[2])[0] * (1 + 2 ** -52)]))
        elif isinstance(field[2], list):
            random.shuffle(field[2])
        elif len(field[2]):
            field[2] = random.choice([b"", field[2][:-1], field[2] + field[2], flip_bits(random, field[2])])
    return encode(fields)


# These know nothing of fields.
BLIND = [flip_bits, set_bytes, cut, splice]
MUTATIONS = BLIND + [change_fields, change_fields, change_fields, change_fields]


def small(data, random):
    """Fewer trees, of which mutations find more in the same time."""
    fields = tree_of(data)
    for each in messages(fields):
        nodes = [field for field in each if field[0] == 1 and isinstance(field[2], list) and len(field[2]) > 1]
        if len(nodes) > 100:
            keep = random.randrange(1, 4)
            gone = {id(field) for field in nodes if any(one[0] == 1 and one[2] >= keep for one in field[2])}
            each[:] = [field for field in each if id(field) not in gone]
    return encode(fields)


def main():
    path, *numbers = sys.argv[1:]
    count, seed = int(numbers[0]) if numbers else 100_000, int(numbers[1]) if len(numbers) > 1 else 1
    said = json.loads((models.FOLDER / "expected.json").read_text())
    seeds, fixed = [], []
    for entry in said["models"]:
        thresholds = [numpy.array(each, dtype=numpy.uint32).view(numpy.float32) for each in entry["thresholds"]]
        x = models.rows(entry["seed"], entry["rows"], thresholds)
        data = (models.FOLDER / f"{entry['name']}.mlmodel").read_bytes()
        program = Program(path, x, PATIENCE_FOR_ALL)
        assert models.digest(program.margins(data)) == entry["margins"] == models.digest(program.margins(data)), entry["name"]
        program.running.stdin.close()
        print(f"{entry['name']}: {len(x)} rows have the margins that are expected, twice")
        seeds.append(data)
        fixed.append(x[:: len(x) // 4][:4])
    dice = random.Random(seed)
    seeds += [small(data, dice) for data in seeds for _ in range(6) if len(data) > 10_000]
    extremes = numpy.array([[0] * 11, [3e38] * 11, [-3e38] * 11, [1e-40] * 11], dtype=numpy.float32)
    program = Program(path, numpy.concatenate(fixed + [extremes])[:ROWS + 4])
    least = [data for data in seeds if len(data) < 4000]
    tally, kinds = collections.Counter(), collections.Counter()
    for number in range(count):
        # Mostly of the small ones.
        base = dice.choice(least if dice.random() < 0.99 else seeds)
        kind = dice.choice(MUTATIONS)
        model = kind(dice, base)
        if model and dice.random() < 0.15:
            model = dice.choice(BLIND)(dice, model)
        try:
            margins = program.margins(model)
        except (EOFError, TimeoutError, BrokenPipeError) as error:
            return fail(number, model, repr(error))
        try:
            other = evaluator.Evaluator(model, models.KNOWN)
            other = other if margins is None else other.margins(program.rows)
        except evaluator.Unread as error:
            other = None
            if margins is not None:
                return fail(number, model, f"accepted, and the evaluator says: {error}")
        if margins is None:
            tally["refused"] += 1
            tally["refused, which the evaluator reads"] += other is not None
        elif not numpy.isfinite(margins).all() or margins.tobytes() != other.astype("<f8").tobytes():
            return fail(number, model, f"{margins} where the evaluator says {other}")
        else:
            tally["accepted, with the same margins"] += 1
            tally["of these other bytes than the model that was mutated"] += model != base
            kinds[kind.__name__] += 1
    print(f"{count} mutated models: " + ", ".join(f"{tally[key]} {key}" for key in tally) + "; accepted of "
          + ", ".join(f"{key} {kinds[key]}" for key in sorted(kinds)))


def fail(number, model, why):
    (ROOT / "out").mkdir(exist_ok=True)
    path = ROOT / f"out/mutated-{number}.mlmodel"
    path.write_bytes(model)
    print(f"FAIL: mutation {number}, {path}: {why}\n{base64.b64encode(model[:600]).decode()}")
    return 1


if __name__ == "__main__":
    with numpy.errstate(all="ignore"):
        sys.exit(main())
