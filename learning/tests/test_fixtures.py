"""The model that the engine's tests use is one that it takes."""

from pathlib import Path

import numpy as np

from thrum_learn.columns import INPUTS
from thrum_learn.evaluator import ModelFile


def test_the_fixture_takes_the_agreed_inputs_and_gives_finite_margins():
    file = ModelFile(Path(__file__).parents[1] / "fixtures/churn.mlmodel")
    assert (file.form, file.inputs) == ("trees", INPUTS)
    assert np.isfinite(file.margins(np.random.default_rng(1).uniform(0, 100, (1000, len(INPUTS))))).all()
