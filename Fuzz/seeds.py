#!/usr/bin/env python3
"""Keeps a reader's seeds in one file: a line each, a name and the bytes in base64.

    seeds.py unpack FILE FOLDER           writes each seed to a file of its name
    seeds.py pack FILE CONTROL            replaces the seeds by what is best of the inputs in libFuzzer's merge control file

A seed called `seed-…` is there for its coverage, and there are at most 50 of these. All others are regressions: whatever their coverage,
`pack` keeps them. To add one: printf '%s %s\\n' NAME "$(base64 -w0 INPUT)" >>Fuzz/corpus/READER.txt

The control file must come from `-set_cover_merge=1`, which notes all features of each input. Of these `pack` takes, again and again, the
input with most features that no input before it has."""

import base64
import pathlib
import sys

MOST = 50


def read(path):
    lines = path.read_text().splitlines() if path.exists() else []
    return {name: base64.b64decode(text, validate=True) for name, text in (line.split(" ") for line in lines)}


def write(path, seeds):
    path.write_text("".join(f"{name} {base64.b64encode(seed).decode()}\n" for name, seed in seeds.items()))


def unpack(path, folder):
    for name, seed in read(path).items():
        (folder / name).write_bytes(seed)


def features(control):
    """What each input covers: its bytes, with a set of numbers."""
    lines = control.read_text().splitlines()
    count = int(lines[0])
    covered = {}
    for line in lines[2 + count:]:
        kind, number, *words = line.split()
        if kind == "FT":
            covered[pathlib.Path(lines[2 + int(number)]).read_bytes()] = {int(word) for word in words}
    return covered


def pack(path, control):
    kept = {name: seed for name, seed in read(path).items() if not name.startswith("seed-")}
    covered = features(control)
    every = set().union(*covered.values())
    have = set().union(*(covered.get(seed, set()) for seed in kept.values()))
    picked = []
    while len(picked) < MOST:
        best = max(covered, key=lambda seed: (len(covered[seed] - have), -len(seed)))
        if not covered[best] - have:
            break
        picked.append(best)
        have |= covered[best]
    kept.update((f"seed-{number:02}", seed) for number, seed in enumerate(picked, 1))
    write(path, kept)
    print(f"{path}: {len(kept)} seeds of {len(covered)} inputs, with {len(have)} of {len(every)} features")


if __name__ == "__main__":
    command, *paths = sys.argv[1:]
    {"unpack": unpack, "pack": pack}[command](*map(pathlib.Path, paths))
