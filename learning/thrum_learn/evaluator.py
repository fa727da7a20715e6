"""Evaluates Core ML's classifiers by the format's specification: a second reading, which shares nothing with the engine's and nothing with
coremltools. It reads the bytes itself, and needs numpy alone.

The margin is a double: the weights times the values (float32 as doubles), added up in the order of the file, and the offset after them; or
the base value and then the value of each tree's leaf, in the order in which the file begins the trees."""

import hashlib
import struct
from pathlib import Path

import numpy

from . import Refused

FLOAT32, DOUBLE = 65568, 65600
LESS_EQUAL, LESS, GREATER_EQUAL, GREATER, EQUAL, NOT_EQUAL, LEAF = range(7)
COMPARISONS = [numpy.less_equal, numpy.less, numpy.greater_equal, numpy.greater, numpy.equal, numpy.not_equal]


class Unread(Refused):
    """Why a model cannot be evaluated."""


def expect(condition, why):
    if not condition:
        raise Unread(why)


# Protocol Buffers' encoding: https://protobuf.dev/programming-guides/encoding


def varint(data, at):
    value = 0
    for place in range(10):
        expect(at < len(data), "the end within a number")
        byte = data[at]
        at += 1
        value |= (byte & 127) << (7 * place)
        if byte < 128:
            return value & 0xFFFFFFFFFFFFFFFF, at
    raise Unread("a number of more than ten bytes")


def fields(data):
    """A message's fields in their order: number, wire type, and an integer or bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        number, kind = tag >> 3, tag & 7
        expect(number > 0, "field 0")
        if kind == 0:
            value, at = varint(data, at)
        elif kind in (1, 2, 5):
            length = {1: 8, 5: 4}.get(kind)
            if length is None:
                length, at = varint(data, at)
            expect(length <= len(data) - at, "the end within a field")
            value = data[at:at + length]
            at += length
        else:
            raise Unread(f"wire type {kind}")
        yield number, kind, value


class Message:
    """A message: of a field that comes several times the last counts, and messages are joined (their bytes one after the other)."""

    def __init__(self, data, numbers=(), texts=(), messages=(), doubles=(), lists=(), one_of=()):
        self.values, self.repeated, self.chosen = {}, {number: [] for number in lists}, None
        for number, kind, value in fields(data):
            if number in numbers and kind == 0 or number in doubles and kind == 1:
                self.put(number, struct.unpack("<d", value)[0] if kind == 1 else value)
            elif number in lists and kind in lists[number]:
                self.repeated[number].append((kind, value))
            elif number in texts and kind == 2:
                self.values[number] = text(value)
            elif number in messages and kind == 2:
                if number in one_of and self.chosen != number:
                    for other in one_of:
                        self.values.pop(other, None)
                    self.chosen = number
                self.values[number] = self.values.get(number, b"") + value
            else:
                raise Unread(f"field {number} of wire type {kind}")

    def put(self, number, value):
        self.values[number] = value

    def get(self, number, default=None):
        return self.values.get(number, default)

    def all_doubles(self, number):
        found = []
        for kind, value in self.repeated[number]:
            expect(len(value) % 8 == 0, "the end within a double")
            found += struct.unpack(f"<{len(value) // 8}d", value)
        return found

    def all_integers(self, number):
        found = []
        for kind, value in self.repeated[number]:
            if kind == 0:
                found.append(value)
            else:
                at = 0
                while at < len(value):
                    one, at = varint(value, at)
                    found.append(one)
        return [value - (1 << 64) if value >> 63 else value for value in found]

    def all_bytes(self, number):
        return [value for _, value in self.repeated[number]]


def text(value):
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise Unread("text that is not UTF-8") from error


def int32(value):
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


# Core ML's messages, by the published numbers of their fields.

MODEL_KINDS = (200, 400, 402, 602)


def model(data):
    message = Message(data, numbers=(1, 10), messages=(2,) + MODEL_KINDS, one_of=MODEL_KINDS)
    expect(1 <= int32(message.get(1, 0)) <= 10, "version")
    expect(not message.get(10, 0), "updatable")
    expect(message.chosen, "no kind of model")
    return describe(message.get(2, b"")), message.chosen, message.get(message.chosen)


def describe(data):
    """Inputs and outputs: lists of names with `None` for a number, or the length of an array."""
    message = Message(data, texts=(11, 12), messages=(100,), lists={1: (2,), 10: (2,)})
    metadata(message.get(100, b""))
    return [feature(each) for each in message.all_bytes(1)], [feature(each) for each in message.all_bytes(10)]


def metadata(data):
    """Words for people. What is in their list of words means nothing to anybody else."""
    Message(data, texts=(1, 2, 3, 4), lists={100: (2,)})


TYPE_KINDS = (1, 2, 3, 5, 6)


def feature(data):
    message = Message(data, texts=(1, 2), messages=(3,))
    kind = Message(message.get(3, b""), numbers=(1000,), messages=TYPE_KINDS, one_of=TYPE_KINDS)
    expect(not kind.get(1000, 0), "optional")
    content = kind.get(kind.chosen, b"")
    if kind.chosen == 5:
        array = Message(content, numbers=(2,), lists={1: (0, 2)})
        return message.get(1, ""), (array.all_integers(1), int32(array.get(2, 0)))
    if kind.chosen == 6:
        Message(content, messages=(1, 2), one_of=(1, 2))
    else:
        Message(content)
    return message.get(1, ""), kind.chosen


def length(kind):
    expect(isinstance(kind, tuple) and len(kind[0]) == 1 and kind[1] in (FLOAT32, DOUBLE), "an array of one dimension")
    return kind[0][0]


def numbers(inputs):
    expect(all(kind == 2 for _, kind in inputs), "inputs that are no doubles")
    names = [name for name, _ in inputs]
    expect(len(set(names)) == len(names), "a name twice")
    return names


def labels(message):
    if message.chosen == 100:
        found = Message(message.get(100), lists={1: (2,)})
        expect([text(value) for value in found.all_bytes(1)] == ["0", "1"], "labels")
    else:
        expect(message.chosen == 101, "no labels")
        expect(Message(message.get(101), lists={1: (0, 2)}).all_integers(1) == [0, 1], "labels")


class Node:
    def __init__(self, data):
        message = Message(data, numbers=(1, 2, 3, 10, 12, 13, 14), doubles=(11, 30), lists={20: (2,)})
        self.tree, self.id, self.behaviour = message.get(1, 0), message.get(2, 0), int32(message.get(3, 0))
        self.feature, self.threshold = message.get(10, 0), message.get(11, 0.0)
        self.children = message.get(12, 0), message.get(13, 0)
        self.missing = bool(message.get(14, 0))
        self.value = 0.0
        infos = [Message(each, numbers=(1,), doubles=(2,)) for each in message.all_bytes(20)]
        for info in infos:
            expect(info.get(1, 0) == 0, "a dimension")
            self.value = info.get(2, 0.0)
        expect(len(infos) == (1 if self.behaviour == LEAF else 0), "values of a node")


class Trees:
    def __init__(self, data):
        message = Message(data, numbers=(2,), messages=(1, 100, 101), one_of=(100, 101))
        labels(message)
        expect(int32(message.get(2, 0)) == 2, "transform")
        parameters = Message(message.get(1, b""), numbers=(2,), lists={1: (2,), 3: (1, 2)})
        expect(parameters.get(2, 0) == 1, "dimensions")
        (self.base,) = exactly(parameters.all_doubles(3), 1)
        trees = {}
        for node in map(Node, parameters.all_bytes(1)):
            tree = trees.setdefault(node.tree, {})
            expect(node.id not in tree, "an ID twice")
            tree[node.id] = node
        expect(trees, "no trees")
        self.trees, self.roots = list(trees.values()), []
        for tree in self.trees:
            targets = [child for node in tree.values() if node.behaviour != LEAF for child in node.children]
            expect(all(target in tree for target in targets), "a child that is missing")
            expect(len(set(targets)) == len(targets), "a node that two lead to")
            children = set(targets)
            self.roots += exactly([each for each in tree if each not in children], 1)

    def margins(self, rows):
        """`rows` are float32, a row for each prediction."""
        total = numpy.full(len(rows), self.base)
        for tree, root in zip(self.trees, self.roots):
            total += self.walk(tree, root, rows)
        return total

    @staticmethod
    def walk(tree, root, rows):
        """The value of each row's leaf: all rows go down together, and part where they differ."""
        values = numpy.empty(len(rows))
        groups, gone = [(root, numpy.arange(len(rows)))], 0
        while groups:
            place, members = groups.pop()
            node = tree[place]
            gone += 1
            expect(gone <= len(tree), "a cycle")
            if node.behaviour == LEAF:
                values[members] = node.value
                continue
            expect(0 <= node.behaviour < LEAF, "a comparison")
            expect(node.feature < rows.shape[1], "a feature")
            column = rows[members, node.feature].astype(numpy.float64)
            isnan = numpy.isnan(column)
            is_true = numpy.where(isnan, node.missing, COMPARISONS[node.behaviour](column, node.threshold))
            groups += [(node.children[0], members[is_true]), (node.children[1], members[~is_true])]
        return values


class Weights:
    def __init__(self, data):
        message = Message(data, numbers=(3, 4), messages=(100, 101), lists={1: (2,), 2: (1, 2)}, one_of=(100, 101))
        labels(message)
        expect(int32(message.get(3, 0)) == 0, "link")
        expect(int32(message.get(4, 0)) in (0, 1), "encoding")
        (row,) = exactly(message.all_bytes(1), 1)
        self.weights = Message(row, lists={1: (1, 2)}).all_doubles(1)
        (self.offset,) = exactly(message.all_doubles(2), 1)

    def margins(self, rows):
        expect(len(self.weights) == rows.shape[1], "weights")
        total = numpy.zeros(len(rows))
        for place, weight in enumerate(self.weights):
            total += weight * rows[:, place].astype(numpy.float64)
        return total + self.offset


def exactly(found, count):
    expect(len(found) == count, f"{len(found)} where {count} is meant")
    return found


class Evaluator:
    """A model whose inputs are among the names in `known`, in whose order the rows are. Without `known` they are the file's own `inputs`."""

    def __init__(self, data, known=None):
        (inputs, _), kind, content = model(data)
        if kind == 200:
            names = numbers(inputs)
            pipeline = Message(Message(content, messages=(1,)).get(1, b""), lists={1: (2,), 2: (2,)})
            for name in pipeline.all_bytes(2):
                text(name)
            first, last = exactly(pipeline.all_bytes(1), 2)
            names = self.vector(first, last, names)
            (_, kind, content) = model(last)
        elif len(inputs) == 1 and inputs[0][1] != 2:
            expect(known is not None, "an array, whose numbers have no names")
            expect(length(inputs[0][1]) == len(known), "an array of another length")
            names = list(known)
        else:
            names = numbers(inputs)
        known = names if known is None else list(known)
        expect(all(name in known for name in names), "an input that is not known")
        self.inputs, self.places = names, [known.index(name) for name in names]
        expect(kind in (400, 402), "no classifier")
        self.classifier = Weights(content) if kind == 400 else Trees(content)

    @staticmethod
    def vector(first, last, names):
        (inputs, outputs), kind, content = model(first)
        expect(kind == 602, "no vectorizer")
        given = numbers(inputs)
        expect(set(given) <= set(names), "an input that the pipeline has not")
        columns = []
        for each in Message(content, lists={1: (2,)}).all_bytes(1):
            column = Message(each, texts=(1,), numbers=(2,))
            expect(column.get(2, 0) == 1 and column.get(1, "") in given, "a column")
            columns.append(column.get(1, ""))
        (output,) = exactly(outputs, 1)
        expect(length(output[1]) == len(columns), "another length")
        (taken,) = exactly(model(last)[0][0], 1)
        expect(taken[0] == output[0] and length(taken[1]) == len(columns), "another array")
        return columns

    def margins(self, rows):
        return self.classifier.margins(rows[:, self.places])



class ModelFile(Evaluator):
    """A classifier out of a file: `name`, `digest`, `inputs` (their names in the file's order), and the log-odds that it gives."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        self.name, self.digest = Path(path).name, hashlib.sha256(data).hexdigest()
        try:
            super().__init__(data)
        except Unread as error:
            raise Refused(f"{path}: a classifier was expected, found {error}") from error

    @property
    def form(self):
        return "linear" if isinstance(self.classifier, Weights) else "trees"

    @property
    def size(self):
        """How large the model is, in words."""
        if self.form == "linear":
            return f"{len(self.classifier.weights)} weights"
        return f"{len(self.classifier.trees)} trees, {sum(map(len, self.classifier.trees))} nodes"

    def margins(self, rows):
        """Returns the log-odds of each row. The values, which are taken as float32, are in the order of `inputs`."""
        rows = numpy.asarray(rows, dtype=numpy.float32)
        if rows.shape[1] != len(self.inputs):
            raise Refused(f"{self.name} takes {len(self.inputs)} inputs, found {rows.shape[1]}")
        return super().margins(rows)
