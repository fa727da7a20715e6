#!/usr/bin/env python3
"""Makes the models that ModelFileTests reads, and what scikit-learn says of them (Tests/Fixtures/models).

    pip install scikit-learn==1.5.1 coremltools==9.0 numpy==2.2.6
    models.py            writes the models and expected.json anew
    models.py --check    says whether what is there is what scikit-learn says, on as many rows

Each model is written by coremltools. For 1,000,000 rows of float32 its margins are computed by scikit-learn's own decision function and by
learning/thrum_learn/evaluator.py; the SHA-256 of these doubles (little-endian, in the order of the rows) stands in expected.json. Both are
the same bits for trees. For logistic regression scikit-learn multiplies matrices by BLAS, which adds up in an order of its own, so that only the evaluator gives
the bits that are meant; how far the two are apart at most is printed and checked.

The rows come from SplitMix64 (`rows`), which Swift has, too. A quarter of the values are a threshold of the model (the nearest float32), or
one of the two floats beside it."""

import hashlib
import json
import pathlib
import sys
import warnings

import numpy

ROOT = pathlib.Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "learning"))
from thrum_learn import evaluator

FOLDER = ROOT / "Tests/Fixtures/models"
KNOWN = ["velocity", "velocity_trend", "reward_drought", "session_length", "active_scroll_seconds", "engagement_depth", "blocks_viewed",
         "unique_blocks_seen", "unlock_count", "time_of_day_bucket", "rarity_shown"]
# What the values are between.
LOW = [0, -2, 0, 0, 0, 0, 0, 0, 0, 0, 0]
HIGH = [4, 2, 60, 900, 900, 1, 400, 200, 20, 4, 3]
COUNT = 1_000_000
MOST_THRESHOLDS = 60


def splitmix(seed, count):
    """The first numbers of SplitMix64."""
    with numpy.errstate(over="ignore"):
        z = numpy.uint64(seed) + numpy.arange(1, count + 1, dtype=numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        return z ^ (z >> numpy.uint64(31))


def rows(seed, count, thresholds):
    """`thresholds` are lists of float32, one for each of KNOWN. One number of SplitMix64 makes one value, row by row."""
    numbers = splitmix(seed, count * len(KNOWN)).reshape(count, len(KNOWN))
    result = numpy.empty((count, len(KNOWN)), dtype=numpy.float32)
    for column, (low, high) in enumerate(zip(LOW, HIGH)):
        z = numbers[:, column]
        unit = (z >> numpy.uint64(11)).astype(numpy.float64) * 2.0 ** -53
        result[:, column] = (float(low) + float(high - low) * unit).astype(numpy.float32)
        known = numpy.array(thresholds[column], dtype=numpy.float32)
        if len(known):
            at = known[((z >> numpy.uint64(8)) % numpy.uint64(len(known))).astype(int)]
            step = (z >> numpy.uint64(2)) % numpy.uint64(3)
            at = numpy.where(step == 1, numpy.nextafter(at, numpy.float32(numpy.inf)), at)
            at = numpy.where(step == 2, numpy.nextafter(at, numpy.float32(-numpy.inf)), at)
            result[:, column] = numpy.where(z & numpy.uint64(3) == 0, at, result[:, column])
    return result


def visits(seed, count, whole=False):
    """Invented rows to learn from, with what they were followed by."""
    x = rows(seed, count, [[]] * len(KNOWN))
    if whole:
        x = numpy.floor(x)
    noise = (splitmix(seed + 1, count) >> numpy.uint64(11)).astype(numpy.float64) * 2.0 ** -53
    score = x[:, 2] / 30 - x[:, 0] / 2 - x[:, 1] + numpy.sin(x[:, 3] / 100) + (x[:, 9] == 2) - x[:, 8] / 20 + x[:, 5] * x[:, 10]
    return x, (1 / (1 + numpy.exp(-2 * (score - numpy.median(score)))) > noise).astype(int)


def trained():
    """The models: a name, what scikit-learn has learnt, and the names of its inputs in their order."""
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression

    def boosted(seed, names=KNOWN, whole=False, **options):
        x, y = visits(seed, 4000, whole)
        model = GradientBoostingClassifier(random_state=seed, **options)
        return model.fit(x[:, [KNOWN.index(name) for name in names]], y), names

    yield "boosted", *boosted(1, n_estimators=60, max_depth=5, min_samples_leaf=40, subsample=0.7)
    yield "stumps", *boosted(2, n_estimators=300, max_depth=1, learning_rate=0.3)
    # Thresholds between whole numbers, inputs in another order, and not all.
    yield "counts", *boosted(3, names=KNOWN[:6:-1] + KNOWN[2:4], whole=True, n_estimators=80, max_depth=3)
    # One tree that is as deep as it likes, and a prior of nothing.
    yield "deep", *boosted(4, n_estimators=2, max_depth=None, learning_rate=1.0, init="zero", min_samples_leaf=2)
    names = KNOWN[::-1]
    x, y = visits(5, 4000)
    yield "logistic", LogisticRegression(multi_class="ovr", max_iter=5000).fit(x[:, ::-1], y), names
    # Each split looks at three of the inputs, and trees are as deep as those that the time of a prediction is measured with.
    yield "drawn", *boosted(6, n_estimators=100, max_depth=6, max_features=3, min_samples_leaf=10)


def by_hand():
    """All six comparisons and a missing value's way, by coremltools' builder, without a pipeline."""
    from coremltools.models import datatypes
    from coremltools.models.tree_ensemble import TreeEnsembleClassifier

    model = TreeEnsembleClassifier([(name, datatypes.Double()) for name in KNOWN], ["0", "1"], "churn")
    model.set_post_evaluation_transform("Regression_Logistic")
    model.set_default_prediction_value([-0.1])
    kinds = ["LessThanEqual", "LessThan", "GreaterThanEqual", "GreaterThan", "Equal", "NotEqual"]
    for tree in range(24):
        kind, feature = kinds[tree % 6], tree % len(KNOWN)
        threshold = LOW[feature] + (HIGH[feature] - LOW[feature]) * (tree + 1) / (27 if tree % 2 else 32)
        model.add_branch_node(tree, 7, feature, threshold, "BranchOnValue" + kind, 3, 5, missing_value_tracks_true_child=tree % 5 == 0)
        model.add_leaf_node(tree, 3, 0.3 / (tree + 1))
        model.add_branch_node(tree, 5, (feature + 1) % len(KNOWN), 1, "BranchOnValue" + kinds[(tree + 1) % 6], 4, 9)
        model.add_leaf_node(tree, 4, -0.7 / (tree + 2))
        model.add_leaf_node(tree, 9, 0.1 * tree)
    return model.spec.SerializeToString()


def thresholds(model):
    """Of each input at most so many float32 near the thresholds that the file has for it."""
    found = [[] for _ in KNOWN]
    for tree in getattr(model.classifier, "trees", []):
        for node in tree.values():
            if node.behaviour != evaluator.LEAF:
                found[model.places[node.feature]].append(numpy.float32(node.threshold))
    return [sorted(set(each))[:: max(1, len(set(each)) // MOST_THRESHOLDS)][:MOST_THRESHOLDS] for each in found]


def digest(margins):
    return hashlib.sha256(numpy.ascontiguousarray(margins, dtype="<f8").tobytes()).hexdigest()


def entry(name, seed, data, learnt=None, names=()):
    model = evaluator.Evaluator(data, KNOWN)
    known = thresholds(model)
    x = rows(seed, COUNT, known)
    margins = model.margins(x)
    if learnt is not None:
        said = learnt.decision_function(x[:, [KNOWN.index(each) for each in names]])
        apart = numpy.abs(said - margins)
        if hasattr(learnt, "estimators_"):
            same = digest(said) == digest(margins)
            print(f"{name}: {len(data)} bytes, {len(x)} rows, " + ("the same bits as scikit-learn's" if same else "NOT scikit-learn's bits"))
            assert same
        else:
            most = numpy.abs(x).astype(numpy.float64) @ numpy.abs(learnt.coef_[0][[list(names).index(each) for each in KNOWN]])
            steps = (apart / numpy.spacing(most)).max()
            print(f"{name}: {len(data)} bytes, {len(x)} rows, at most {apart.max():.3g} from scikit-learn's: {steps:.1f} ulp of the terms' sum")
            assert steps <= 11
    at = [0, 1, 2, len(x) - 1]
    return {"name": name, "seed": seed, "rows": COUNT, "digest": hashlib.sha256(data).hexdigest(), "margins": digest(margins),
            "tenth": digest(margins[:COUNT // 10]), "some": [float(margins[each]) for each in at[:3]],
            "thresholds": [[int(numpy.float32(value).view(numpy.uint32)) for value in each] for each in known]}


def main():
    warnings.simplefilter("ignore")
    import coremltools

    check = "--check" in sys.argv[1:]
    FOLDER.mkdir(exist_ok=True)
    entries = []
    for seed, (name, learnt, names) in enumerate(trained(), 101):
        path = FOLDER / f"{name}.mlmodel"
        data = coremltools.converters.sklearn.convert(learnt, list(names), "churn").get_spec().SerializeToString(deterministic=True)
        if not check:
            path.write_bytes(data)
        entries.append(entry(name, seed, path.read_bytes(), learnt, names))
    path = FOLDER / "comparisons.mlmodel"
    if not check:
        path.write_bytes(by_hand())
    entries.append(entry("comparisons", 200, path.read_bytes()))
    said = {"inputs": KNOWN, "low": LOW, "high": HIGH, "models": entries}
    if check:
        assert json.loads((FOLDER / "expected.json").read_text()) == said, "expected.json says something else"
    else:
        lines = ",\n".join(json.dumps(each) for each in entries)
        head = json.dumps({key: said[key] for key in ("inputs", "low", "high")})
        (FOLDER / "expected.json").write_text(f"{head[:-1]}, \"models\": [\n{lines}\n]}}\n")


if __name__ == "__main__":
    main()
