"""The table is typed, refused by name where it is not whole, and weighted as documented."""

import numpy as np
import pandas as pd
import pytest

import world
from thrum_learn import Refused, tables
from thrum_learn.columns import INPUTS, REACH, TYPES


@pytest.fixture(scope="module")
def frame():
    return world.run(world.by_drought(12, 18), 120, seed=3, explore=0.2, holdout=0.2, cut=0.2)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_table_is_read_as_it_was_written(frame, tmp_path, ending):
    path = tmp_path / f"scrolls.{ending}"
    tables.write(frame, path)
    found = tables.read(path)
    assert dict(found.dtypes.astype(str)) == TYPES
    for name in TYPES:
        left, right = found[name], frame[name]
        if TYPES[name] == "string":
            left, right = left.fillna(""), right.fillna("")
        pd.testing.assert_series_equal(left, right, check_exact=True)


def test_flags_in_csv_are_the_engines_words(frame, tmp_path):
    tables.write(frame, tmp_path / "scrolls.csv")
    first = (tmp_path / "scrolls.csv").read_text().splitlines()[1]
    assert "False" not in first and ",false," in first


def test_a_missing_column_is_refused_by_name(frame, tmp_path):
    frame.drop(columns=["propensity"]).to_parquet(tmp_path / "old.parquet")
    with pytest.raises(Refused, match="no column `propensity`"):
        tables.read(tmp_path / "old.parquet")


@pytest.mark.parametrize(("column", "value"), [("propensity", 0.0), ("propensity", 1.5), ("action", "shout")])
def test_a_value_that_cannot_be_is_refused_by_name(frame, tmp_path, column, value):
    wrong = frame.copy()
    wrong.loc[3, column] = value
    wrong.to_parquet(tmp_path / "wrong.parquet")
    with pytest.raises(Refused, match=f"`{column}`"):
        tables.read(tmp_path / "wrong.parquet")


def test_visits_that_were_cut_off_are_never_negatives_near_their_end(frame):
    visits = tables.Visits(frame.assign(churn=pd.array([False] * len(frame), dtype="boolean")))
    cut = ~visits.left_whole[visits.visit]
    near = visits.lengths[visits.visit] - 1 - visits.place < REACH
    assert cut.any()
    assert np.isnan(visits.left[cut & near]).all() and (visits.weight[cut & near] == 0).all()
    assert not np.isnan(visits.left[cut & ~near]).any()


def card(**values):
    """A table of one visit of six cards with nothing remarkable about it, but for `values`."""
    made = {name: {"string": "", "boolean": False}.get(kind, 1) for name, kind in TYPES.items()}
    frame = pd.DataFrame([made | {"action": "none", "chosen": "none", "ended": "idle", "model": "handTuned"}] * 6)
    frame["blocks_viewed"] = range(1, 7)
    for name, value in values.items():
        frame[name] = value
    return frame.astype(TYPES)


def test_a_cards_weight_is_one_over_the_chance_that_nothing_was_done_on_five_cards():
    visits = tables.Visits(card(propensity=[0.5, 0.8, 1, 1, 1, 0.25]))
    assert visits.weight == pytest.approx([1 / 0.4, 1 / 0.2, 4, 4, 4, 4])


def test_cards_before_a_step_in_do_not_count():
    visits = tables.Visits(card(action=["none"] * 5 + ["high"]))
    assert list(visits.weight) == [1, 0, 0, 0, 0, 0]


def test_no_card_counts_more_than_the_heaviest():
    assert tables.Visits(card(propensity=1 / 60)).weight.max() == tables.HEAVIEST


def test_a_card_behind_damage_does_not_count():
    assert list(tables.Visits(card(after_damage=[False] * 4 + [True] * 2)).weight) == [1, 1, 1, 1, 0, 0]


def test_inputs_are_float32_in_the_agreed_order():
    frame = card(session_length=[0, 2, 4, 8, 16, 32], active_scroll_seconds=[0, 1, 2, 2, 2, 2],
                 rarity_shown=["", "common", "rare", "special", None, ""], velocity=0.1)
    found = tables.inputs(frame)
    assert found.dtype == np.float32
    assert list(found[:, INPUTS.index("engagement_depth")]) == [1, 0.5, 0.5, 0.25, 0.125, 0.0625]
    assert list(found[:, INPUTS.index("rarity_shown")]) == [0, 1, 2, 3, 0, 0]
    assert found[0, INPUTS.index("velocity")] == np.float32(0.1)


def test_no_visit_and_no_day_is_in_two_parts(frame):
    visits = tables.Visits(frame)
    masks, by = visits.split(seed=1)
    assert by == "day" and np.sum(masks, axis=0).tolist() == [1] * len(visits.visit)
    days = [set(visits.day[visits.visit[mask]]) for mask in masks]
    assert not (days[0] & days[1] or days[0] & days[2] or days[1] & days[2])


def test_visits_of_few_days_are_divided_by_visit():
    visits = tables.Visits(world.run(world.still, 40, seed=1, days=3))
    masks, by = visits.split(seed=1)
    parts = [set(visits.visit[mask]) for mask in masks]
    assert by == "visit" and sum(map(len, parts)) == 40


def test_the_same_session_of_two_stations_is_two_visits():
    both = pd.concat([card(station="hall"), card(station="foyer")])
    assert tables.Visits(both).count == 2


def test_where_the_feed_began_anew_another_visit_begins_and_nobody_left():
    visits = tables.Visits(card(blocks_viewed=[1, 2, 3, 1, 2, 3], churn=[False] * 3 + [True] * 3))
    assert (visits.count, list(visits.left_whole)) == (2, [False, True])
    assert np.isnan(visits.left[:3]).all() and list(visits.left[3:]) == [1, 1, 1]


def test_a_feed_that_began_anew_after_one_card_is_another_visit():
    visits = tables.Visits(card(blocks_viewed=[1, 1, 2, 3, 1, 2]))
    assert (visits.count, list(visits.lengths), list(visits.left_whole)) == (3, [1, 3, 2], [False, False, True])
