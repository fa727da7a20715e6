"""The engine's own two models, by their formulas, for cards that another model was in charge of.

The numbers are read out of the engine's sources, where they stand once. Where a model was in charge itself, its record counts."""

import re
from pathlib import Path

import numpy as np

from . import Refused

SOURCES = Path(__file__).resolve().parents[2] / "Sources/Experiences/ColorScroller"
# Views without an unlock that are a long drought on the authors' course of 500; the table does not have the course.
LONG_DROUGHT = 30


def source(name):
    """Returns the text of a source file of the piece, in whichever of its folders it is."""
    found = sorted(SOURCES.rglob(f"{name}.swift"))
    if not found:
        raise Refused(f"{SOURCES} has no {name}.swift: thrum-learn belongs beside the engine's sources")
    return found[0].read_text()


def held(values):
    return np.clip(values, 0, 1)


def signals(frame):
    """Returns velocity, slowing (what is lost from scroll to scroll, beside what is left), drought in views, shallowness and fatigue."""
    velocity = np.maximum(0, frame["velocity"].to_numpy())
    length = np.maximum(0, frame["session_length"].to_numpy())
    active = frame["active_scroll_seconds"].to_numpy()
    depth = np.divide(active, length, out=np.ones_like(active), where=length > 0)
    slowing = np.maximum(0, -frame["velocity_trend"].to_numpy()) / (velocity + 0.2)
    return velocity, slowing, frame["reward_drought"].to_numpy(dtype=float), held(1 - depth), length / (300 + length)


def calibrated(frame, text=None):
    """Returns P(leaving) by the model `calibrated`."""
    text = source("ChurnCalibration") if text is None else text
    weights = [float(number) for number in re.findall(r"[\d.]+", re.search(r"weights = [\[(](.+)[\])]", text)[1])]
    table = np.array([[float(one), float(other)] for one, other in re.findall(r"\((\d\.\d+), (\d\.\d+)\)", text)])
    velocity, slowing, drought, shallow, fatigue = signals(frame)
    score = (weights[0] * (0.5 / (0.5 + velocity)) + weights[1] * held(slowing) + weights[2] * held(drought / 25) + weights[3] * fatigue
             + weights[4] * shallow)
    return np.interp(score, table[:, 0], table[:, 1])


def hand_tuned(frame, text=None):
    """Returns the log-odds by the model `handTuned`, on the authors' course."""
    text = source("HandTunedChurn") if text is None else text
    weights = {name: float(number) for name, number in re.findall(r"(\w+): (-?[\d.]+)", re.search(r"weights = \((.+)\)", text)[1])}
    rest = float(re.search(r"rest = (-?[\d.]+)", text)[1])
    least, span = map(float, re.search(r"\(velocity \+ 0\.2\) - ([\d.]+)\) / ([\d.]+)\)", text).groups())
    velocity, slowing, drought, shallow, fatigue = signals(frame)
    return (rest + weights["drought"] * held(drought / LONG_DROUGHT) + weights["slowing"] * held((slowing - least) / span)
            + weights["slowness"] * (0.5 / (0.5 + velocity)) + weights["shallowness"] * shallow + weights["fatigue"] * fatigue)


def log_odds(chance):
    chance = np.clip(chance, 0.0001, 0.9999)
    return np.log(chance / (1 - chance))


FORMULAS = {"handTuned": hand_tuned, "calibrated": lambda frame: log_odds(calibrated(frame))}


def margins(frame, name):
    """Returns the log-odds of the model `name` for each card, and how far the formula is off, at most, where that model was in charge
    itself; None where it never was."""
    if name not in FORMULAS:
        raise Refused(f"`{name}` is no model of the engine; those are {', '.join(FORMULAS)}")
    found = FORMULAS[name](frame)
    own = (frame["model"] == name).to_numpy(dtype=bool)
    if not own.any():
        return found, None
    recorded = frame["margin"].to_numpy()
    off = float(np.max(np.abs(recorded[own] - found[own])))
    return np.where(own, recorded, found), off
