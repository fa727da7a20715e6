"""Policies that are estimated from logged chances come out as when they are run."""

import re
from pathlib import Path

import numpy as np
import pytest

import world
from thrum_learn import Refused, policy, tables
from thrum_learn.columns import ACTIONS

EXPLORE = 0.3


@pytest.fixture(scope="module")
def log():
    frame = world.run(world.by_drought(12, 18), 4000, seed=1, explore=EXPLORE, holdout=0.1)
    return policy.Log(tables.Visits(frame), seed=1)


def hidden_policies(count, seed):
    """Policies that nobody logged: each weighs drought, velocity and its trend its own way, and has thresholds of its own."""
    draw = np.random.default_rng(seed)
    for _ in range(count):
        weights = np.zeros(11)
        weights[:3] = draw.uniform(-3, 1), draw.uniform(-5, 5), 1
        moderate = draw.uniform(5, 16)
        yield world.by_weights(weights, moderate, moderate + draw.uniform(1, 8))


def test_the_values_of_hidden_policies_lie_within_their_intervals(log):
    """Twenty policies for each of five seeds. Where 95 of 100 intervals hold the truth, more than ten miss it once in a hundred times."""
    misses = {}
    for seed in range(5, 10):
        for number, chooses in enumerate(hidden_policies(20, seed)):
            lengths = world.run(chooses, 2000, seed=100 * seed + number, explore=EXPLORE).groupby("session").size()
            # What running it gives is known as well as 2000 visits tell.
            error = 1.96 * lengths.std() / len(lengths) ** 0.5
            _, low, high = log.estimate(chooses(log.visits.frame)[0])["robust"]
            if not low - error <= lengths.mean() <= high + error:
                misses[seed, number] = (low, high, lengths.mean(), error)
    print(f"of 100 policies {len(misses)} lie outside of their intervals: {misses}")
    assert len(misses) <= 10, misses


def test_the_recorded_policy_is_worth_what_was_recorded(log):
    found = log.estimate(world.by_drought(12, 18)(log.visits.frame)[0])
    value, _, _ = log.recorded()
    assert found["robust"][0] == pytest.approx(value, rel=0.01)
    assert found["weighted"][0] == pytest.approx(value, rel=1e-9)


def test_a_policy_that_was_hardly_ever_followed_is_said_to_be_thin(log):
    # With three actions in ten drawn, nobody was left alone for long.
    assert log.estimate(np.zeros(len(log.action), int), explore=0, times=20)["visits"] < 2 * policy.FEW


def test_what_was_explored_follows_from_the_recorded_chances(log):
    assert not log.eligible[log.half == 2].any()
    assert log.explored[log.eligible] == pytest.approx(np.full(log.eligible.sum(), EXPLORE))
    assert log.chances(np.zeros(len(log.action), int)).sum(axis=1) == pytest.approx(np.ones(len(log.action)))


def test_where_nobody_decides_a_policy_changes_nothing(log):
    chances = log.chances(np.full(len(log.action), 2))
    forced = ~log.eligible
    assert (chances[forced, log.action[forced]] == 1).all()


def test_the_world_has_the_rests_of_the_engine(log):
    source = (Path(__file__).parents[2] / "Sources/Experiences/ColorScroller/Churn/Interventions.swift").read_text()
    assert list(world.RESTS) == [0] + [int(re.search(rf"case \.{name}: (\d+)", source)[1]) for name in ACTIONS[1:]]
    eligible = log.visits.frame["eligible"].to_numpy(dtype=bool)
    for action, rest in enumerate(world.RESTS[1:], 1):
        acted = np.flatnonzero(log.action == action)
        behind = acted[:, None] + np.arange(1, rest + 2)
        inside = behind[:, -1] < (log.visits.starts + log.visits.lengths)[log.visits.visit[acted]]
        assert inside.sum() > 100 and not eligible[behind[inside, :-1]].any() and eligible[behind[inside, -1]].all()


def test_too_few_visits_are_refused_in_words():
    with pytest.raises(Refused, match="60 are needed"):
        policy.Log(tables.Visits(world.run(world.still, 30, seed=1)), seed=1)


def test_choices_are_made_from_the_thresholds_on():
    margins = np.array([0.2006, np.log(0.55 / 0.45), 0.847, np.log(0.7 / 0.3) + 1e-9])
    assert list(policy.choices(margins)) == [0, 1, 1, 2]
