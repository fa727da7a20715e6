#!/usr/bin/env python3
"""What the AHAP files beside this one have a transducer do, in numpy and from the definitions in docs/haptics.md alone.
Writes for each a .reference, which the tests compare with: its frames at 48 kHz, then every 37th of them."""
import glob
import json
import os
import numpy as np

RATE = 48000


class Pattern:
    def __init__(self, path):
        entries = json.load(open(path))["Pattern"]
        self.events = [entry["Event"] for entry in entries if "Event" in entry]
        self.jumps = [entry["Parameter"] for entry in entries if "Parameter" in entry]
        self.curves = [entry["ParameterCurve"] for entry in entries if "ParameterCurve" in entry]

    def control(self, name, t):
        """A parameter's control at the times t; of two controls the one that began later counts."""
        least, neutral = (0, 1.0) if name == "Intensity" else (-1, 0.0)
        found = []
        for jump in self.jumps:
            if jump["ParameterID"] == f"Haptic{name}Control":
                value = np.clip(jump["ParameterValue"], least, 1)
                found.append((jump["Time"], np.full_like(t, value)))
        for curve in self.curves:
            if curve["ParameterID"] == f"Haptic{name}Control":
                points = curve["ParameterCurveControlPoints"]
                times = np.array([curve["Time"] + point["Time"] for point in points])
                values = np.clip([point["ParameterValue"] for point in points], least, 1)
                found.append((times[0], np.interp(t, times, values)))
        out = np.full_like(t, neutral)
        for start, values in sorted(found, key=lambda pair: pair[0]):
            out = np.where(t >= start, values, out)
        return out

    def play(self, event):
        given = {p["ParameterID"]: p["ParameterValue"] for p in event.get("EventParameters", [])}
        start = event["Time"]
        sharpness = given.get("HapticSharpness", 0.5)

        def at(name, moment):
            return self.control(name, np.array([moment]))[0]

        def part(name, moment):
            return 0.005 * 200 ** np.clip(given.get(f"{name}Time", 0) + at(f"{name}Time", moment), 0, 1)

        if event["EventType"] == "HapticTransient":
            constant = 1.5 / hertz(sharpness + at("Sharpness", start))
            length = np.log(1000) * constant
            age = ages(length)
            gain = np.maximum(0, 1 - age / length) * np.exp(-age / constant)
        elif given.get("Sustained", 1):
            attack, duration = part("Attack", start), event["EventDuration"]
            release = part("Release", start + duration)
            length = duration + release
            age = ages(length)
            reached = np.minimum(1, np.minimum(age, duration) / attack)
            gain = reached * np.where(age < duration, 1, np.maximum(0, 1 - (age - duration) / release))
        else:
            attack = part("Attack", start)
            decay = part("Decay", start + attack)
            length = attack + decay
            age = ages(length)
            gain = np.where(age < attack, age / attack, np.maximum(0, 1 - (age - attack) / decay))
        t = start + age
        phase = np.cumsum(hertz(sharpness + self.control("Sharpness", t)) / RATE)
        phase = np.concatenate(([0.0], phase[:-1]))
        strength = np.clip(given.get("HapticIntensity", 1) * self.control("Intensity", t), 0, 1)
        return int(np.round(start * RATE)), strength * gain * np.sin(2 * np.pi * phase)


def hertz(sharpness):
    return 80 * (250 / 80) ** np.clip(sharpness, 0, 1)


def ages(length):
    return np.arange(int(np.ceil(length * RATE))) / RATE


folder = os.path.dirname(os.path.abspath(__file__))
for path in glob.glob(os.path.join(folder, "*.ahap")):
    pattern = Pattern(path)
    pieces = [pattern.play(event) for event in pattern.events]
    out = np.zeros(max(first + len(samples) for first, samples in pieces))
    for first, samples in pieces:
        out[first:first + len(samples)] += samples
    out /= max(1, np.abs(out).max())
    with open(path.replace(".ahap", ".reference"), "w") as file:
        file.write(f"{len(out)}\n" + "\n".join(f"{value:.7f}" for value in out[::37]) + "\n")
