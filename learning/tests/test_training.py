"""A model is trained, written, read independently, and reported."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import world
from thrum_learn import Refused, forest, heuristics, report, training
from thrum_learn.columns import INPUTS, MODERATE
from thrum_learn.evaluator import ModelFile

HAND_TUNED = """
    private static let rest = -3.0
    private static let weights = (drought: 3.0, slowing: 3.0, slowness: 1.0, shallowness: 0.5, fatigue: 0.25)
        let slowing = held((max(0, -inputs.velocityTrend) / (velocity + 0.2) - 0.1) / 0.3)
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """The numbers of a hand-tuned model, so that the tests do not move with the engine's; those of the calibrated one are the engine's."""
    folder = tmp_path_factory.mktemp("sources")
    (folder / "HandTunedChurn.swift").write_text(HAND_TUNED)
    (folder / "ChurnCalibration.swift").write_text(heuristics.source("ChurnCalibration"))
    return folder


@pytest.fixture(scope="module")
def trained(sources, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "churn.mlmodel"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heuristics, "SOURCES", sources)
        patch.setattr(training, "RESAMPLES", 60)
        frame = world.run(world.by_drought(14, 20), 900, seed=1, explore=0.2, holdout=0.3, cut=0.05)
        return frame, path, training.train(frame, path, seed=1, about="made up", report=lambda _: None)


def test_the_file_gives_what_scikit_learn_gives(trained):
    assert trained[2].rounding < 1e-12
    assert trained[2].file.inputs == INPUTS


def test_the_model_is_better_than_chance(trained):
    rows = {row["name"]: row for row in trained[2].rows}
    assert rows["chance"]["gain"][1] > 0


def test_the_same_data_and_seed_give_the_same_file(trained, sources, tmp_path, monkeypatch):
    monkeypatch.setattr(heuristics, "SOURCES", sources)
    monkeypatch.setattr(training, "RESAMPLES", 2)
    again = training.train(trained[0], tmp_path / "churn.mlmodel", seed=1, about="made up", report=lambda _: None)
    assert again.file.digest == trained[2].file.digest


def test_the_report_needs_no_network_and_its_pictures_are_named(trained, tmp_path):
    report.write(trained[2], tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "{{" not in text
    assert not re.findall(r'(?:src|href)="(?!#)', text)
    assert "http" not in text.replace("http://www.w3.org", "")
    pictures = re.findall(r"<svg.*?</svg>", text, flags=re.S)
    assert len(pictures) == 7
    for picture in pictures:
        assert ElementTree.fromstring(picture).get("aria-label")
        assert not re.search(r"#0001|#0000", picture)
    names = re.findall(r'\bid="([^"]+)"', text)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("form", ["trees", "linear"])
def test_a_scaled_model_gives_scaled_margins(form, tmp_path):
    draw = np.random.default_rng(1)
    inputs = draw.normal(size=(1500, 11)).astype(np.float32)
    left = (draw.random(1500) < 1 / (1 + np.exp(-2 * inputs[:, 0]))).astype(float)
    part = (inputs, left, np.ones(1500))
    model = forest.boosted_trees(part, part, seed=1, trees=12) if form == "trees" else forest.logistic(part, seed=1)
    forest.write(model, (1.0, 0.0), tmp_path / "plain.mlmodel", {})
    forest.write(model, (0.5, -1.0), tmp_path / "scaled.mlmodel", {})
    plain, scaled = ModelFile(tmp_path / "plain.mlmodel"), ModelFile(tmp_path / "scaled.mlmodel")
    assert plain.form == form and plain.digest != scaled.digest
    if form == "trees":
        assert (plain.margins(inputs) == model.decision_function(inputs)).all()
    assert plain.margins(inputs) == pytest.approx(model.decision_function(inputs), abs=1e-12)
    assert scaled.margins(inputs) == pytest.approx(0.5 * model.decision_function(inputs) - 1, abs=1e-12)


def test_platts_scaling_finds_the_scale_that_was_hidden():
    draw = np.random.default_rng(2)
    margin = draw.normal(size=200_000)
    left = (draw.random(200_000) < 1 / (1 + np.exp(-(1.7 * margin - 0.6)))).astype(float)
    assert forest.platt(left, margin, np.ones(200_000)) == pytest.approx((1.7, -0.6), abs=0.03)


def test_a_shift_has_the_wanted_part_of_staying_cards_call_for_a_step_in():
    draw = np.random.default_rng(3)
    margin, left, weight = draw.normal(-3, 1, 4000), (draw.random(4000) < 0.1).astype(float), draw.uniform(1, 5, 4000)
    moved = forest.shift(left, margin, weight, 0.025)
    staying = left == 0
    assert np.average(margin[staying] + moved >= MODERATE - 1e-12, weights=weight[staying]) == pytest.approx(0.025, abs=0.002)


def test_a_model_that_is_wrong_way_round_is_refused():
    margin = np.linspace(-1, 1, 1000)
    with pytest.raises(Refused):
        forest.platt((margin < 0.1).astype(float), margin, np.ones(1000))


def test_the_hand_tuned_formula_is_as_documented():
    frame = world.run(world.still, 1, seed=1).head(1).assign(
        velocity=1.8, velocity_trend=-0.5, reward_drought=15, session_length=100.0, active_scroll_seconds=80.0)
    expected = -3 + 3 * 0.5 + 3 * ((0.5 / 2.0 - 0.1) / 0.3) + 1 * (0.5 / 2.3) + 0.5 * 0.2 + 0.25 * 0.25
    assert heuristics.hand_tuned(frame, HAND_TUNED)[0] == pytest.approx(expected, abs=1e-12)


def test_the_engines_formulas_are_found_in_its_sources():
    frame = world.run(world.still, 3, seed=1)
    for name in heuristics.FORMULAS:
        found, off = heuristics.margins(frame, name)
        assert np.isfinite(found).all() and off is None


def test_too_few_visits_are_refused_in_words(sources, tmp_path):
    with pytest.raises(Refused, match="too few visits"):
        training.train(world.run(world.still, 20, seed=1), tmp_path / "churn.mlmodel", seed=1, report=lambda _: None)
