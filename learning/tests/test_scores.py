"""Figures of scores against scikit-learn's, and against counts by hand."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

import world
from thrum_learn import scores, tables


@pytest.fixture(scope="module")
def cards():
    visits = tables.Visits(world.run(world.by_drought(12, 18), 300, seed=5, explore=0.2, holdout=0.5))
    return scores.Cards(visits, np.ones(len(visits.visit), bool))


def test_areas_are_those_of_scikit_learn_with_weights_and_ties(cards):
    margin = np.round(np.random.default_rng(1).normal(size=len(cards.left)) + cards.left, 1)
    found = scores.Score("", cards, margin).figures()
    assert found["auc"] == pytest.approx(roc_auc_score(cards.left, margin, sample_weight=cards.weight), abs=1e-12)
    assert found["pr_auc"] == pytest.approx(average_precision_score(cards.left, margin, sample_weight=cards.weight), abs=1e-12)


def test_a_visit_that_is_drawn_twice_counts_twice(cards):
    margin = np.random.default_rng(2).normal(size=len(cards.left)) + cards.left
    drawn = cards.resamples(1, seed=3)[0]
    weight = cards.weight * drawn[cards.visit]
    assert scores.Score("", cards, margin).figures(drawn)["auc"] == pytest.approx(
        roc_auc_score(cards.left, margin, sample_weight=weight), abs=1e-12)


def test_false_alarms_are_no_more_than_allowed(cards):
    score = scores.Score("", cards, np.random.default_rng(4).normal(size=len(cards.left)))
    alarm = score.margin > score.threshold()
    part = np.sum(cards.weight[alarm & (cards.left == 0)]) / np.sum(cards.weight[cards.left == 0])
    assert 0.02 < part <= scores.FALSE_ALARMS


def test_a_score_that_never_moves_warns_nobody(cards):
    found = scores.Score("", cards, np.zeros(len(cards.left))).figures()
    assert (found["auc"], found["lead"], found["warned"]) == (0.5, 0, 0)


def test_lead_is_counted_from_the_first_alarm_of_the_last_cards(cards):
    # Whoever knows how many cards remain warns as early as counts.
    known = scores.Score("", cards, np.where(np.isnan(cards.remaining), -1e3, -np.nan_to_num(cards.remaining)))
    leads = known.leads(-7.5)[cards.warnable]
    assert leads.max() == 7


def test_an_interval_holds_what_it_is_of(cards):
    margin = np.random.default_rng(6).normal(size=len(cards.left)) + cards.left
    row, chance = scores.compare([scores.Score("model", cards, margin), scores.Score("chance", cards, np.zeros(len(margin)))], 100, seed=1)
    assert row["auc"][1] < row["auc"][0] < row["auc"][2]
    assert chance["gain"][1] > 0


def test_where_days_were_divided_the_visits_of_a_day_are_drawn_together():
    visits = tables.Visits(world.run(world.by_drought(12, 18), 300, seed=5, explore=0.2, holdout=0.5))
    everything = np.ones(len(visits.visit), bool)
    by_day, by_visit = scores.Cards(visits, everything, "day"), scores.Cards(visits, everything)
    days = by_day.units
    assert (days, by_visit.units) == (len(np.unique(visits.day)), by_visit.count) and 10 < days < 30
    day = visits.day[np.unique(visits.visit[by_day.chosen])]
    for drawn in by_day.resamples(20, seed=1):
        times = [set(drawn[day == one]) for one in range(days)]
        assert all(len(each) == 1 for each in times) and sum(map(sum, times)) == days
    assert all(drawn.sum() == by_visit.count for drawn in by_visit.resamples(5, seed=1))


def test_the_interval_of_days_that_differ_is_wider_than_that_of_their_visits():
    frame = world.run(world.still, 600, seed=8)
    visits = tables.Visits(frame)
    everything = np.ones(len(visits.visit), bool)
    cards = [scores.Cards(visits, everything, by) for by in ("visit", "day")]
    # On every other day the margin knows who leaves, and on the rest nothing: what differs is the day.
    chosen = cards[0].chosen
    knows = visits.day[visits.visit[chosen]] % 2
    margin = np.random.default_rng(9).normal(size=chosen.sum()) + 3 * knows * cards[0].left
    widths = []
    for each in cards:
        _, low, high = scores.compare([scores.Score("", each, margin)], 100, seed=1)[0]["brier"]
        widths.append(high - low)
    assert widths[1] > 1.5 * widths[0]
