"""From tables to a model file, and to all that can be said of how good it is: `Trained`."""

import hashlib
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import sklearn

from . import Refused, forest, heuristics, policy, scores
from .columns import ACTIONS, INPUTS, LEAVING
from .evaluator import ModelFile
from .tables import HEAVIEST, Visits

# Fewer leaving visits than this in the part that judges say nothing.
FEWEST = 20
RESAMPLES = 300


@dataclass
class Trained:
    """A model file and its figures. `rows` are those of `scores.compare`, the file's first; `policies` those of `judge`."""

    file: ModelFile
    scores: list
    rows: list
    importance: list
    responses: list
    policies: dict
    card: dict
    rounding: float
    formulas: dict = field(default_factory=dict)


def samples(visits, mask):
    """Returns inputs, labels and weights of the cards in `mask` that may be trained on. Weights come to as much as there are cards."""
    chosen = mask & (visits.weight > 0)
    weight = visits.weight[chosen]
    return visits.inputs[chosen], visits.left[chosen], weight / weight.mean()


def check_size(visits, masks):
    for mask, words in zip(masks, ("train on", "stop early by", "judge by")):
        good = mask & (visits.weight > 0)
        leaving = len(np.unique(visits.visit[good & (visits.left == 1)]))
        if leaving < FEWEST or not (visits.left[good] == 0).any():
            raise Refused(f"too few visits: to {words} there are {leaving} that left undisturbed, and {FEWEST} are needed at least. "
                          "Gather more, or raise `holdout`")


def train(frame, path, seed, form="trees", about="", sources=(), alarms=None, report=print):
    """Trains on `frame`, writes the model to `path`, and judges that file on visits that it has not seen.

    With `alarms` the file's margins are shifted so that it calls for a step in on that part of the cards of staying visitors. What it says
    is judged as a probability without that shift."""
    visits = Visits(frame)
    masks, by = visits.split(seed)
    check_size(visits, masks)
    (train_mask, check_mask, test_mask) = masks
    teach, check = samples(visits, train_mask), samples(visits, check_mask)
    report(f"{visits.count} visits, {len(visits.visit)} cards; {np.sum(visits.weight > 0)} to learn from, divided by {by}")
    models = {"trees": forest.boosted_trees(teach, check, seed), "linear": forest.logistic(teach, seed)}
    position = [INPUTS.index("blocks_viewed")]
    by_position = forest.boosted_trees((teach[0][:, position], *teach[1:]), (check[0][:, position], *check[1:]), seed, trees=60, depth=3)
    report(f"{models['trees'].n_estimators_} trees; the loss on other visits falls no more")
    scales = {name: forest.platt(check[1], model.decision_function(check[0]), check[2]) for name, model in models.items()}
    data = hashlib.sha256(pd.util.hash_pandas_object(visits.frame, index=False).to_numpy().tobytes()).hexdigest()
    a, b = scales[form]
    moved = 0.0 if alarms is None else forest.shift(check[1], a * models[form].decision_function(check[0]) + b, check[2], alarms)
    scales[form] = (a, b + moved)
    forest.write(models[form], scales[form], path, {"data": data, "seed": str(seed), "about": about})
    file = ModelFile(path)
    a, b = scales[form]
    cards = scores.Cards(visits, test_mask, by)
    rows = visits.inputs[cards.chosen]
    margins = file.margins(rows)
    wanted = a * models[form].decision_function(rows) + b
    rounding = float(np.max(np.abs(margins - wanted)))
    if rounding > 1e-6:
        raise Refused(f"{path}: the file's margins are off by {rounding} from those of scikit-learn")
    test_frame = visits.frame[cards.chosen]
    other = "linear" if form == "trees" else "trees"
    a, b = scales[other]
    names = {"trees": "gradient-boosted trees", "linear": "logistic regression"}
    compared = [scores.Score(file.name, cards, margins, 1 / (1 + np.exp(moved - margins))),
                scores.Score(names[other], cards, a * models[other].decision_function(rows) + b)]
    formulas = {}
    for name in heuristics.FORMULAS:
        found, formulas[name] = heuristics.margins(test_frame, name)
        compared.append(scores.Score(name, cards, found))
    compared.append(scores.Score("position alone", cards, by_position.decision_function(rows[:, position])))
    chance = np.average(cards.left, weights=cards.weight)
    compared.append(scores.Score("chance", cards, np.full(len(rows), np.log(chance / (1 - chance)))))
    result = scores.compare(compared, RESAMPLES, seed)
    falls = scores.importance(file.margins, rows, cards, seed)
    policies = judge(Visits(visits.frame[test_mask]), {file.name: file}, seed)
    card = describe(visits, frame, masks, by, seed, about, sources, data, file, names[form], scales[form], moved)
    return Trained(file, compared, result, falls, responses(file, rows, falls, seed), policies, card, rounding, formulas)


def responses(file, rows, falls, seed, panels=4, cards=1500):
    """Returns how the mean P(leaving) moves with each of the most important inputs: (input, values, mean P)."""
    some = rows[np.random.default_rng(seed).choice(len(rows), min(cards, len(rows)), replace=False)]
    found = []
    for place in np.argsort(falls)[::-1][:panels]:
        values = np.unique(np.quantile(rows[:, place], np.linspace(0.02, 0.98, 25)))
        means = []
        for value in values:
            asked = some.copy()
            asked[:, place] = value
            means.append(float(np.mean(1 / (1 + np.exp(-file.margins(asked))))))
        found.append((INPUTS[place], values, means))
    return found


def judge(visits, files, seed, own=("handTuned", "calibrated"), explore=None):
    """Judges policies on recorded visits: doing nothing, the engine's own models, and `files`. Returns words instead where it cannot."""
    try:
        log = policy.Log(visits, seed)
    except Refused as refusal:
        return {"refused": str(refusal)}
    frame = log.visits.frame
    chosen = {name: policy.choices(file.margins(log.visits.inputs)) for name, file in files.items()}
    chosen |= {name: policy.choices(heuristics.margins(frame, name)[0]) for name in own}
    estimates = {name: log.estimate(choice, explore) for name, choice in chosen.items()}
    # As in a visit that is held out, where nothing is drawn either.
    estimates["nothing"] = log.estimate(np.zeros(len(frame), int), 0.0)
    as_chosen = (frame["action"] == frame["chosen"]).to_numpy(dtype=bool)
    may = log.eligible
    return {
        "estimates": estimates,
        "recorded": log.recorded(), "untouched": log.untouched(), "held_out": len(log.held_out_cards), "visits": log.count,
        "left_out": log.left_out, "eligible": int(may.sum()), "least": float(log.propensity[may].min()) if may.any() else None,
        "explored": float(np.mean(log.explored[may])) if may.any() else 0.0,
        "actions": {name: (int(np.sum(may & (log.action == place) & as_chosen)), int(np.sum(may & (log.action == place) & ~as_chosen)))
                    for place, name in enumerate(ACTIONS)}}


def describe(visits, frame, masks, by, seed, about, sources, data, file, form, scale, moved):
    """Returns the model card: what it was made of, as words and figures by name."""
    firsts = visits.frame.iloc[visits.starts]
    dates = pd.to_datetime(frame["timestamp"], unit="s").dt.strftime("%Y-%m-%d")
    ends = firsts["ended"].fillna("cut").replace("", "cut").value_counts()
    stations = sorted(set(firsts["station"].dropna()) - {""})
    per_part = [len(np.unique(visits.visit[mask])) for mask in masks]
    return {
        "File": f"{file.name}, {form}, {file.size}", "SHA-256 of the file": file.digest, "Data": about or "not described (--about)",
        "Tables": ", ".join(map(str, sources)) or "in memory", "SHA-256 of the data": data,
        "Visits and cards": f"{visits.count} and {len(frame)}, from {dates.min()} to {dates.max()} (UTC)",
        "Stations": ", ".join(stations) or "none signed",
        "How visits ended": ", ".join(f"{count} {name}" + ("" if name in LEAVING else " (not the visitor’s doing)")
                                      for name, count in ends.items()),
        "Models in charge": ", ".join(f"{name} of {count} cards" for name, count in frame["model"].value_counts().items()),
        "Held out": f"{int(firsts['held_out'].fillna(False).sum())} visits",
        "Divided": f"by {by}: {per_part[0]} visits to train on, {per_part[1]} to stop early and calibrate by, {per_part[2]} to judge by",
        "Weights": f"one over the chance that nothing was done on five cards, at most {HEAVIEST:.0f}; cards before a step in are left out",
        "Calibration": f"margin = {scale[0]:.4f} · decision {'+' if scale[1] >= 0 else '−'} {abs(scale[1]):.4f}, written into the file"
                       + (f"; {moved:.4f} of it is a shift, so P as the engine tells it is no probability" if moved else ""),
        "Seed": str(seed), "Made with": f"scikit-learn {sklearn.__version__}, numpy {np.__version__}"}
