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


def palette(numbers, rare, folded, taken=()):
    hashed = fnv1a(b"".join(n.to_bytes(8, "little") for n in numbers) + rare.encode())
    viewed, active, bucket = numbers[0], numbers[2], numbers[5]
    # Cards in ten seconds of scrolling, from 7, 14 and 28 on.
    pace = sum(viewed * 10_000 >= bound * active for bound in (7, 14, 28))
    seed = hashed & ~31 | (16 | pace << 2 | bucket if folded else 0)
    draws = splitmix64(seed)
    unit = lambda: (next(draws) >> 11) / 2**53
    below = lambda count: next(draws) * count >> 64
    if folded:
        anchor, saturation = ((230, 70, 150, 325)[bucket] + 90 * unit()) % 360, 0.5 + 0.1 * (pace + unit())
    else:
        anchor, saturation = 360 * unit(), 0.5 + 0.4 * unit()
    brightness, spread = 0.55 + 0.4 * unit(), 18 + 25 * unit()
    held = lambda x: min(1, max(0, x))
    naming = splitmix64(~seed & MASK)
    names_below = lambda count: next(naming) * count >> 64

    def color():
        h = (anchor + spread * (2 * unit() - 1)) % 360 / 360
        s = held(saturation + 0.12 * (2 * unit() - 1))
        v = held(brightness + 0.10 * (2 * unit() - 1))
        return "#" + "".join("%02x" % int(c * 255 + 0.5) for c in colorsys.hsv_to_rgb(h, s, v))

    skins, names = [], set(taken)
    for place in range(10):
        while True:
            name = (names_below(24), names_below(24))
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


for numbers, rare, folded in (
    ([64, 60, 71234, 1, 62, 2, 80500, 440000, 373333, 186667, 0], "lava", False),
    ([64, 60, 71234, 1, 62, 2, 80500, 440000, 373333, 186667, 0], "lava", True),
    ([65, 61, 71234, 1, 62, 2, 80500, 440000, 373333, 186667, 0], "lava", True),
    ([300, 280, 300000, 0, 281, 3, 901000, 460000, 324000, 162000, 54000], "ocean-glass", True),
):
    seed, skins = palette(numbers, rare, folded)
    print(seed)
    for skin in skins:
        print("   ", skin)
print("the second again, beside one that has its names")
_, skins = palette([64, 60, 71234, 1, 62, 2, 80500, 440000, 373333, 186667, 0], "lava", True)
print(palette([64, 60, 71234, 1, 62, 2, 80500, 440000, 373333, 186667, 0], "lava", True, [name for name, _ in skins])[1][:3])
