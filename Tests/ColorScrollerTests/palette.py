#!/usr/bin/env python3
"""Golden values for PaletteTests, worked out from the description in docs/colorscroller.md with Python's own colorsys."""
import colorsys

MASK = (1 << 64) - 1


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def splitmix64(seed):
    while True:
        seed = seed + 0x9E3779B97F4A7C15 & MASK
        z = seed
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        yield z ^ z >> 31


def palette(numbers, rare):
    seed = fnv1a(b"".join(n.to_bytes(8, "little") for n in numbers) + rare.encode())
    draws = splitmix64(seed)
    unit = lambda: (next(draws) >> 11) / 2**53
    below = lambda count: next(draws) * count >> 64
    anchor, saturation, brightness, spread = 360 * unit(), 0.5 + 0.4 * unit(), 0.55 + 0.4 * unit(), 18 + 25 * unit()
    held = lambda x: min(1, max(0, x))

    def color():
        h = (anchor + spread * (2 * unit() - 1)) % 360 / 360
        s = held(saturation + 0.12 * (2 * unit() - 1))
        v = held(brightness + 0.10 * (2 * unit() - 1))
        return "#" + "".join("%02x" % int(c * 255 + 0.5) for c in colorsys.hsv_to_rgb(h, s, v))

    skins, names = [], set()
    for place in range(10):
        while True:
            name = (below(24), below(24))
            if name not in names:
                break
        names.add(name)
        if place < 6:
            look = ["solid", color()]
        elif place < 9:
            stops = 2 + below(2)
            look = ["gradient"] + [color() for _ in range(stops)] + [15 * below(24)]
        else:
            kind = below(4)
            look = [["stripes", color, color], ["dots", color, color, color], ["symbols", 8, color, color], ["emoji", 8, color]][kind]
            look = [part if isinstance(part, str) else below(part) if isinstance(part, int) else part() for part in look]
            if kind == 0:
                look.append(45 * below(4))
        skins.append((name, look))
    return "0x%016x" % seed, skins


for numbers, rare in (
    ([64, 60, 71234, 1, 62, 2, 80500, 666667, 333333, 0], "lava"),
    ([65, 61, 71234, 1, 62, 2, 80500, 666667, 333333, 0], "lava"),
    ([300, 280, 300000, 0, 281, 0, 901000, 600000, 300000, 100000], "ocean-glass"),
):
    seed, skins = palette(numbers, rare)
    print(seed)
    for skin in skins:
        print("   ", skin)
