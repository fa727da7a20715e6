"""Fits classifiers to recorded visits and writes them as Core ML files."""

import logging
import os
import warnings
from pathlib import Path

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from . import Refused
from .columns import INPUTS, MODERATE

# A hundred and fifty trees of depth 4 are quick enough for the engine, and early stopping seldom leaves as many.
TREES, DEPTH, RATE, PATIENCE = 150, 4, 0.1, 15


def loss(left, margin, weight):
    """Returns the weighted mean of the logarithmic loss."""
    return np.average(np.logaddexp(0, np.where(left > 0, -margin, margin)), weights=weight)


class EarlyStopping:
    """Follows the loss on visits that training does not see, tree by tree, and says when it has stopped falling."""

    def __init__(self, inputs, left, weight):
        self.inputs, self.left, self.weight = inputs, left, weight
        self.margin, self.losses = None, []

    def __call__(self, number, model, _):
        if self.margin is None:
            chance = model.init_.class_prior_[1]
            self.margin = np.full(len(self.left), np.log(chance / (1 - chance)))
        self.margin += model.learning_rate * model.estimators_[number, 0].predict(self.inputs)
        self.losses.append(loss(self.left, self.margin, self.weight))
        return number - int(np.argmin(self.losses)) >= PATIENCE


def boosted_trees(train, check, seed, trees=TREES, depth=DEPTH):
    """Fits gradient-boosted trees to `train`, (inputs, left, weight), as many as serve `check` best."""
    smallest = max(20, len(train[1]) // 400)
    model = GradientBoostingClassifier(n_estimators=trees, max_depth=depth, learning_rate=RATE, subsample=0.5,
                                       max_features=min(6, train[0].shape[1]), min_samples_leaf=smallest, random_state=seed)
    stopping = EarlyStopping(*check)
    inputs, left, weight = train
    model.fit(inputs, left.astype(int), sample_weight=weight, monitor=stopping)
    best = int(np.argmin(stopping.losses)) + 1
    model.estimators_ = model.estimators_[:best]
    model.n_estimators = model.n_estimators_ = best
    return model


def logistic(train, seed):
    """Fits a logistic regression to standardised inputs, and returns it with weights for the inputs as they are."""
    inputs, left, weight = train
    mean, deviation = inputs.mean(axis=0, dtype=float), inputs.std(axis=0, dtype=float)
    # An input that never changes has nothing to say.
    deviation[deviation == 0] = np.inf
    with warnings.catch_warnings():
        # coremltools takes no other than `ovr`, which scikit-learn is about to rename.
        warnings.simplefilter("ignore", FutureWarning)
        model = LogisticRegression(max_iter=500, random_state=seed, multi_class="ovr")
        model.fit((inputs - mean) / deviation, left.astype(int), sample_weight=weight)
    model.coef_ = model.coef_ / deviation
    model.intercept_ = model.intercept_ - model.coef_ @ mean
    return model


def platt(left, margin, weight):
    """Returns a and b such that 1 / (1 + exp(-(a·margin + b))) is the part that left: logistic regression on the margin alone, by Newton's
    method."""
    a, b = 1.0, 0.0
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(a * margin + b, -500, 500)))
        error, spread = weight * (left - chance), weight * chance * (1 - chance)
        gradient = np.array([np.sum(error * margin), np.sum(error)])
        hessian = np.array([[np.sum(spread * margin * margin), np.sum(spread * margin)], [np.sum(spread * margin), np.sum(spread)]])
        step = np.linalg.solve(hessian + 1e-9 * np.eye(2), gradient)
        a, b = a + step[0], b + step[1]
        if np.max(np.abs(step)) < 1e-9:
            break
    if not (np.isfinite(a) and np.isfinite(b) and a > 0):
        raise Refused("the model does not tell leaving visitors from staying ones: there is nothing to be written")
    return float(a), float(b)


def shift(left, margin, weight, alarms):
    """Returns what is to be added to the margin so that the part `alarms` of the staying cards reaches the threshold of a step in."""
    staying = left == 0
    order = np.argsort(margin[staying])[::-1]
    above = np.cumsum(weight[staying][order]) / weight[staying].sum()
    return MODERATE - float(margin[staying][order][min(int(np.searchsorted(above, alarms)), len(order) - 1)])


def write(model, scale, path, about):
    """Writes a fitted model as a pipeline of a featureVectorizer and a classifier; its margins are a·decision + b, with `scale` = (a, b).

    The file's thresholds of .55 and .70 so mean probabilities as they were found on visits that training did not see. `about` is put
    into the file's description."""
    logging.getLogger("coremltools").setLevel(logging.ERROR)
    import coremltools  # noqa: PLC0415 - it takes seconds to load, and judging a policy does without
    spec = coremltools.converters.sklearn.convert(model, INPUTS, "leaving").get_spec()
    classifier = spec.pipelineClassifier.pipeline.models[-1]
    a, b = scale
    if isinstance(model, LogisticRegression):
        weights = classifier.glmClassifier.weights[0].value
        weights[:] = [a * value for value in weights]
        classifier.glmClassifier.offset[:] = [a * value + b for value in classifier.glmClassifier.offset]
    else:
        ensemble = classifier.treeEnsembleClassifier.treeEnsemble
        ensemble.basePredictionValue[:] = [a * value + b for value in ensemble.basePredictionValue]
        for node in ensemble.nodes:
            for value in node.evaluationInfo:
                value.evaluationValue *= a
    spec.description.metadata.shortDescription = "Whether a visitor of ColorScroller is about to leave (1) or not (0)."
    spec.description.metadata.author = "thrum-learn"
    for name, text in about.items():
        spec.description.metadata.userDefined[name] = text
    path = Path(path)
    beside = path.with_name(f".{path.name}.new")
    # Protobuf's maps are in any order unless they are asked for in one; the digest is to follow from the data and the seed.
    beside.write_bytes(spec.SerializeToString(deterministic=True))
    os.replace(beside, path)
