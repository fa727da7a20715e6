"""A small world of its own to test on: visitors made up in numpy, all of a crowd at once, in the shape of ColorScroller's table.

It shares nothing with the simulated visitors of thrum. Whoever runs a policy here learns its true value."""

import numpy as np
import pandas as pd

from thrum_learn.columns import ACTIONS, REACH, TYPES
from thrum_learn.tables import inputs

LONGEST, FIRST = 600, 5
# The cards after each action on which there is no other: those of the engine's Interventions.swift.
RESTS = np.array([0, 8, 40])


def run(chooses, visits, seed, explore=0.0, holdout=0.0, cut=0.0, days=20, model="made-up"):
    """Runs a crowd under a policy. `chooses` takes a frame of cards and returns the choice at each, 0 none, 1 moderate, 2 high, and the
    log-odds behind it. `cut` is the part of visits that a closing house ends. Returns the table."""
    draw = np.random.default_rng(seed)
    patience, responds = draw.uniform(0.6, 1.6, visits), draw.random(visits) < 0.6
    pace, held_out = draw.lognormal(0, 0.3, visits), draw.random(visits) < holdout
    ends_at = np.where(draw.random(visits) < cut, draw.integers(5, 60, visits), LONGEST)
    boredom, clock, active, velocity, trend = (np.zeros(visits) for _ in range(5))
    drought, unlocks, gift, quiet, pushed = (np.zeros(visits, int) for _ in range(5))
    gift -= 1
    here, was_cut = np.ones(visits, bool), np.zeros(visits, bool)
    start = 1.7e9 + 86400 * draw.integers(days, size=visits) + draw.integers(0, 40000, visits)
    parts = []
    for card in range(1, LONGEST + 1):
        unlocked = (draw.random(visits) < 0.1) | (gift == card)
        rare = draw.random(visits) < 0.25
        drought, unlocks = np.where(unlocked, 0, drought + 1), unlocks + unlocked
        boredom = np.where(unlocked, boredom * np.where(responds, 0.3, 0.9), boredom + 0.045 / patience)
        seconds = pace * draw.lognormal(0, 0.35, visits) * (1 + boredom)
        new = 1 / seconds
        trend, velocity = 0.7 * trend + 0.3 * (new - velocity), new
        clock, active = clock + seconds, active + np.minimum(seconds, 2)
        # Whoever has left is drawn for like all others, so that a visitor's luck is the same under every policy.
        who = np.flatnonzero(here)
        frame = pd.DataFrame({
            "timestamp": (start + clock)[who], "card_index": card, "blocks_viewed": card, "unique_blocks_seen": card,
            "unlock_count": unlocks[who], "reward_drought": drought[who], "velocity": velocity[who], "velocity_trend": trend[who],
            "session_length": clock[who], "active_scroll_seconds": active[who], "time_of_day_bucket": 1,
            "rarity_shown": np.where(unlocked, np.where(rare, "rare", "common"), None)[who], "held_out": held_out[who]})
        chosen, margin = chooses(frame)
        eligible = (~held_out & (card >= FIRST) & (card > quiet))[who]
        drawn = draw.random(visits)[who] < explore
        taken = np.where(eligible, np.where(drawn, draw.integers(3, size=visits)[who], chosen), 0)
        frame["p_churn"], frame["model"], frame["margin"] = 1 / (1 + np.exp(-margin)), model, margin
        frame["eligible"], frame["action"] = eligible, np.array(ACTIONS)[taken]
        frame["propensity"] = np.where(eligible, explore / 3 + (1 - explore) * (taken == chosen), 1.0)
        frame["chosen"], frame["visit"] = np.array(ACTIONS)[chosen], who
        parts.append(frame)
        action = np.zeros(visits, int)
        action[who] = taken
        acts = action > 0
        quiet = np.where(acts, card + RESTS[action], quiet)
        pushed = pushed + acts
        gift = np.where(acts, card + 2, gift)
        boredom = np.where(action == 2, boredom * np.where(responds, 0.6, 1.1), boredom)
        hazard = 1 / (1 + np.exp(5.2 - 4.2 * boredom - 0.25 * np.maximum(0, pushed - 5))) + 0.004
        leaves, is_cut = draw.random(visits) < hazard, card >= ends_at
        was_cut |= here & is_cut
        here = here & ~leaves & ~is_cut
        if not here.any():
            break
    table = pd.concat(parts).sort_values("visit", kind="stable")
    visit = table["visit"].to_numpy()
    behind = table.groupby("visit").cumcount(ascending=False).to_numpy()
    unknown = (was_cut | (np.bincount(visit) == LONGEST))[visit]
    label = pd.array(behind < REACH, dtype="boolean")
    label[unknown & (behind < REACH)] = pd.NA
    table["churn"], table["after_damage"] = label, False
    table["ended"] = np.where(unknown, "shutdown", "idle")
    table["station"], table["run"], table["session"] = "", visit, [f"visit-{number:05}" for number in visit]
    return table[list(TYPES)].astype(TYPES).reset_index(drop=True)


def by_weights(weights, moderate, high):
    """Returns a policy that weighs the inputs, as the engine gives them, and steps in from `moderate` and from `high` on."""

    def chooses(frame):
        margin = inputs(frame).astype(float) @ weights
        return (margin >= moderate).astype(int) + (margin >= high), margin

    return chooses


def still(frame):
    """Never steps in."""
    return np.zeros(len(frame), int), np.full(len(frame), -2.0)


def by_drought(moderate, high):
    """Steps in after so many cards without an unlock."""
    weights = np.zeros(11)
    weights[2] = 1
    return by_weights(weights, moderate, high)
