"""Tables of recorded visits: written by `thrum telemetry export`, read, checked, and brought into the form that models take."""

import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from . import Refused
from .columns import ACTIONS, INPUTS, LEAVING, RARITIES, REACH, TYPES

# A card counts at most this often, however unlikely it was that nothing was done there.
HEAVIEST = 20.0


def export(sessions, thrum):
    """Returns the table of the journals `sessions`, as `thrum` exports it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scrolls.csv"
        command = [thrum, "telemetry", "export", "--experience", "colorscroller", "--table", "scrolls", "-o", path, *sessions]
        try:
            done = subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True)
        except OSError as error:
            raise Refused(f"{thrum} does not start ({error.strerror}); --thrum or THRUM says where the program is") from error
        if done.stderr:
            print(done.stderr.strip())
        # 65: a journal could not be read, was named, and was left out.
        if done.returncode not in (0, 65) or not path.exists():
            raise Refused(f"thrum telemetry export ended with {done.returncode}")
        return read(path)


def read(path):
    """Reads a table from a CSV or a Parquet file. Types are those of `columns.TYPES`; a column that is missing is refused by name."""
    path = Path(path)
    try:
        frame = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(
            # pandas' usual reader of numbers is quick, and off by a bit now and then.
            path, dtype={"session": "string", "station": "string"}, float_precision="round_trip")
    except (OSError, ValueError) as error:
        raise Refused(f"{path}: {error}") from error
    missing = [name for name in TYPES if name not in frame.columns]
    if missing:
        raise Refused(f"{path}: no column {', '.join(f'`{name}`' for name in missing)}; "
                      "export the journals anew, by the thrum that recorded them or a newer one")
    try:
        frame = frame[list(TYPES)].astype(TYPES)
    except (TypeError, ValueError) as error:
        raise Refused(f"{path}: {error}") from error
    strange = sorted(set(frame["action"].dropna()) - set(ACTIONS))
    if strange:
        raise Refused(f"{path}: `action` is one of {', '.join(ACTIONS)}, found `{strange[0]}`")
    if not frame["propensity"].between(0, 1, inclusive="right").all():
        raise Refused(f"{path}: `propensity` is above 0 and at most 1 in each line")
    return frame


def write(frame, path):
    """Writes a table as Parquet or, where the name ends in .csv, as CSV; the file appears only when it is whole."""
    path = Path(path)
    beside = path.with_name(f".{path.name}.new")
    if path.suffix == ".csv":
        written = frame.copy()
        for name in (name for name, kind in TYPES.items() if kind == "boolean"):
            written[name] = written[name].map({True: "true", False: "false"})
        written.to_csv(beside, index=False)
    else:
        frame.to_parquet(beside, index=False)
    os.replace(beside, path)


def inputs(frame):
    """Returns what a model is given of each card: float32, as the engine casts it, a column for each of `columns.INPUTS`."""
    length = frame["session_length"].to_numpy()
    active = frame["active_scroll_seconds"].to_numpy()
    made = {
        # The engine's 1 at the very beginning, and its depth anywhere else.
        "engagement_depth": np.divide(active, length, out=np.ones_like(active), where=length > 0),
        "rarity_shown": frame["rarity_shown"].map(RARITIES).fillna(0).to_numpy(dtype=float),
    }
    return np.column_stack([made.get(name, frame[name].to_numpy() if name not in made else None) for name in INPUTS]).astype(np.float32)


class Visits:
    """Cards of recorded visits, visit after visit. All arrays have an element for each card.

    `left` is 1 where the visitor left within five cards, 0 where not, and nan where nobody knows. `remaining` is the number of cards that
    follow, nan in a visit that was cut off. `weight` is how much a card counts in training, and 0 where it must not."""

    def __init__(self, frame):
        if frame.empty:
            raise Refused("the tables have no card")
        # The same name from another station is another session.
        session = pd.factorize(frame["station"].fillna("") + "/" + frame["session"].fillna(""))[0]
        order = np.argsort(session, kind="stable")
        self.frame, session = frame.iloc[order].reset_index(drop=True), session[order]
        # Where the feed began anew the count of views does, and another visit begins. The visit before was ended by an operator.
        another = np.diff(session) > 0
        anew = ~another & (np.diff(self.frame["blocks_viewed"].to_numpy()) <= 0)
        self.visit = np.r_[0, np.cumsum(another | anew)]
        self.count = int(self.visit[-1]) + 1
        self.starts = np.flatnonzero(np.r_[True, another | anew])
        self.lengths = np.diff(np.r_[self.starts, len(self.visit)])
        place = np.arange(len(self.visit)) - self.starts[self.visit]
        by_operator = np.r_[anew, False][self.starts + self.lengths - 1]
        self.left_whole = self.frame["ended"].isin(LEAVING).to_numpy(dtype=bool)[self.starts] & ~by_operator
        self.inputs = inputs(self.frame)
        self.place = place
        follow = (self.lengths[self.visit] - 1 - place).astype(float)
        known = self.left_whole[self.visit]
        self.remaining = np.where(known, follow, np.nan)
        label = self.frame["churn"].astype("float64").to_numpy(dtype=float, na_value=np.nan)
        self.left = np.where(known | (follow >= REACH), label, np.nan)
        self.day = pd.factorize(pd.to_datetime(self.frame["timestamp"].to_numpy()[self.starts], unit="s").date)[0]
        self.weight = self._weights()

    def _weights(self):
        """Returns one over the chance that nothing was done at this card and the next four, and 0 where something was.

        A model is to say who would leave if the machine kept still. Where it had a choice and kept still, the card stands for all those
        alike where it did not: it counts one over the chance of keeping still, at most `HEAVIEST` times."""
        still = (self.frame["action"] == "none").to_numpy(dtype=bool)
        logs = np.where(still, -np.log(self.frame["propensity"].to_numpy()), np.inf)
        total = np.zeros(len(logs))
        for ahead in range(REACH):
            moved = np.zeros(len(logs))
            within = self.place + ahead < self.lengths[self.visit]
            moved[within] = logs[np.flatnonzero(within) + ahead]
            total += moved
        weight = np.where(np.isfinite(total), np.minimum(np.exp(np.minimum(total, 50)), HEAVIEST), 0)
        damaged = self.frame["after_damage"].fillna(False).to_numpy(dtype=bool)
        return np.where(damaged | np.isnan(self.left), 0, weight)

    def split(self, seed, parts=(0.6, 0.15, 0.25)):
        """Divides the visits by whole days where there are at least ten, else by visits. Returns the parts as masks of cards, and the
        word `day` or `visit`."""
        by_day = len(np.unique(self.day)) >= 10
        groups = self.day if by_day else np.arange(self.count)
        shuffled = np.random.default_rng(seed).permutation(np.unique(groups))
        ends = np.round(np.cumsum(parts)[:-1] * len(shuffled)).astype(int)
        masks = [np.isin(groups, part)[self.visit] for part in np.split(shuffled, ends)]
        return masks, "day" if by_day else "visit"
