"""What the demo says of an estimate and a run; nothing is started."""

import world
from thrum_learn import demo


def test_a_run_is_compared_with_its_estimate_on_the_visits_that_the_estimate_is_of():
    frame = world.run(world.still, 200, seed=4, holdout=0.3, cut=0.2)
    visits = frame.groupby("session").agg(cards=("run", "size"), held=("held_out", "first"), ended=("ended", "first"))
    mean = visits.cards[~visits.held.astype(bool) & (visits.ended == "idle")].mean()
    words, inside = demo.compare((mean, mean - 0.1, mean + 0.1), frame)
    assert inside and f"run {mean:.1f} ±" in words and "NOT" not in words
    words, inside = demo.compare((2 * mean, 2 * mean - 1, 2 * mean + 1), frame)
    assert not inside and words.endswith("NOT within the interval")


def test_the_engines_other_model_is_estimated_from_visits_that_it_did_not_decide():
    frame = world.run(world.by_drought(12, 18), 400, seed=2, explore=0.2, holdout=0.2, model=demo.RECORDED)
    found = demo.training.judge(demo.tables.Visits(frame), {}, 1, (demo.OTHER,))
    value, low, high = found["estimates"][demo.OTHER]["robust"]
    assert set(found["estimates"]) == {demo.OTHER, "nothing"} and low < value < high
