#!/usr/bin/env python3
"""What wave.ahap has a transducer do, every 37th frame at 48 kHz, in numpy and from the definitions alone: see
docs/haptics.md. Writes wave.reference, which the tests compare with."""
import os
import numpy as np

RATE = 48000


def hertz(sharpness):
    return 80 * (250 / 80) ** np.clip(sharpness, 0, 1)


def part(adjuster):
    return 0.005 * 200 ** np.clip(adjuster, 0, 1)


def intensity_control(t):
    curve = np.interp(t, [0.1, 0.3, 0.4], [1.0, 0.4, 0.9])
    return np.where(t < 0.1, 1.0, np.where(t < 0.75, curve, 0.3))


def sharpness_control(t):
    return np.where(t < 0.15, 0.0, np.interp(t, [0.15, 0.35], [0.0, 0.5]))


def event(start, length, intensity, sharpness, gain):
    age = np.arange(int(np.ceil(length * RATE))) / RATE
    t = start + age
    f = hertz(sharpness + sharpness_control(t))
    phase = np.concatenate(([0.0], np.cumsum(f / RATE)[:-1]))
    return np.clip(intensity * intensity_control(t), 0, 1) * gain(age) * np.sin(2 * np.pi * phase)


def tap(age):
    constant = 1.5 / hertz(0.2)
    return np.maximum(0, 1 - age / (np.log(1000) * constant)) * np.exp(-age / constant)


def held(age):
    reached = np.minimum(1, np.minimum(age, 0.3) / part(0.5))
    return np.where(age < 0.3, reached, reached * np.maximum(0, 1 - (age - 0.3) / part(0.6)))


def falling(age):
    return np.where(age < part(0), age / part(0), np.maximum(0, 1 - (age - part(0)) / part(0.7)))


out = np.zeros(3 * RATE)
pieces = [
    (0.0, event(0.0, np.log(1000) * 1.5 / hertz(0.2), 0.8, 0.2, tap)),
    (0.1, event(0.1, 0.3 + part(0.6), 0.5, 0.0, held)),
    (0.7, event(0.7, part(0) + part(0.7), 1.0, 0.3, falling)),
]
end = 0
for start, samples in pieces:
    first = int(np.ceil(start * RATE - 1e-9))
    out[first:first + len(samples)] += samples
    end = max(end, first + len(samples))
out /= max(1, np.abs(out[:end]).max())
folder = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(folder, "wave.reference"), "w") as file:
    file.write(f"{end}\n" + "\n".join(f"{value:.7f}" for value in out[:end:37]) + "\n")
