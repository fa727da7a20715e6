"""Writes the report on a model: one HTML file, which needs no network and says in tables what it draws."""

import os
from html import escape
from pathlib import Path

from . import plots, policy, scores
from .columns import INPUTS, REACH

TEMPLATE = Path(__file__).with_name("report.html")
LIMITS = [
    "It knows only what the table has. It knows nothing of faces, company, weather or the bus that leaves at four.",
    "It has learned from these visits in this place. In another hall, season or theme it may be wrong; judge it there anew.",
    "It says who leaves, not why, and not whether a reward would keep them. Only the estimate of policies and a trial say that.",
    "Who leaves within five cards is known of visits that ended by themselves. Visits that were cut off are left out near their cut.",
]


def figure(row, name, digits=3):
    value, low, high = row[name]
    return f"{value:.{digits}f} <small>{low:.{digits}f} to {high:.{digits}f}</small>" if value == value else "not known"


def table(heads, rows, caption, kind=""):
    """Returns a table; the first cell of each row is its heading. Cells are HTML already. Of the kind `models` the
    first row stands out."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join(f'<tr><th scope="row">{row[0]}</th>' + "".join(f"<td>{cell}</td>" for cell in row[1:]) + "</tr>" for row in rows)
    return (f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption, quote=True)}">'
            f'<table class="{kind}"><caption>{escape(caption)}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>")


def drawing(svg, words):
    return f"<figure>{svg}<figcaption>{words}</figcaption></figure>"


def beaten(rows):
    """Returns the names of those that the first is better than by more than the interval, and of the others that it should be."""
    rivals = [row for row in rows if row["name"] in ("handTuned", "calibrated", "position alone")]
    return [row["name"] for row in rivals if row["gain"][1] > 0], [row["name"] for row in rivals if row["gain"][1] <= 0]


def verdict(trained):
    """Says in two sentences whether the model is better than what there was."""
    first = trained.rows[0]
    better, not_better = beaten(trained.rows)
    area = ("Of a leaving and a staying visitor’s card it gives the leaving one the higher chance in "
            f"{first['auc'][0] * 100:.0f} of 100 pairs.")
    if not not_better:
        return f"{area} That is better than {', '.join(better[:-1])} and {better[-1]}, by more than chance in these visits explains."
    also = f" It is better than {' and '.join(better)}." if better else ""
    return (f"{area}{also} It is not better than {' and '.join(not_better)} by more than chance explains: "
            "there is no reason to use it instead.")


def score_rows(trained):
    return [[escape(row["name"]), figure(row, "auc"), "" if place == 0 else figure(row, "gain"), figure(row, "pr_auc"),
             figure(row, "brier"), figure(row, "lead", 1), figure(row, "warned", 2)] for place, row in enumerate(trained.rows)]


def policy_section(policies, name):
    if "refused" in policies:
        return f"<p>It cannot be estimated: {escape(policies['refused'])}.</p>"
    rows, drawn = [], []
    styles = {name: 0, "handTuned": 2, "calibrated": 3, "nothing": 4}
    for who, found in policies["estimates"].items():
        thin = found["visits"] < 2 * policy.FEW
        step = figure({"step": found["step"]}, "step", 1) if found["step"] else "too few recorded"
        robust = "cannot be told" if thin else figure(found, "robust", 1)
        rows.append([escape(who), robust, figure(found, "weighted", 1), f"{found['visits']:.0f}", step])
        if not thin:
            drawn.append((who, found["robust"], styles[who]))
    rows.append(["as recorded", figure(policies, "recorded", 1), "", str(policies["visits"]), ""])
    drawn.append(("as recorded", policies["recorded"], 1))
    if policies["untouched"]:
        rows.append(["held-out visits", figure(policies, "untouched", 1), "", str(policies["held_out"]), ""])
        drawn.append(("held-out visits", policies["untouched"], 5))
    left_out = ", ".join(f"{count} {why}" for why, count in policies["left_out"].items() if count)
    words = "; ".join(f"{who} {value[0]:.1f} cards, {value[1]:.1f} to {value[2]:.1f}" for who, value, _ in drawn)
    counts = [[action, str(chosen), str(by_draw)] for action, (chosen, by_draw) in policies["actions"].items()]
    least = "none" if policies["least"] is None else f"{policies['least']:.4f}"
    return "".join([
        drawing(plots.intervals(drawn, "Cards a visit would have", "cards", "policy", f"Cards a visit would have: {words}."),
                "The models explore as often as was recorded. Held-out visits and <em>nothing</em> are the same policy, one recorded and "
                "one estimated: where their intervals lie apart, trust no estimate here."),
        table(["policy", "cards a visit (doubly robust)", "by weights alone", "visits behind it", "one step in brings, cards"], rows,
              f"Estimated from {policies['visits']} recorded visits that the model was not trained on"
              + (f"; left out: {left_out}" if left_out else ""), "models"),
        "<h3>Overlap</h3><p>A policy can be judged only by what was done. Where the recorded machine never did what the other would, "
        "nothing is known. It drew its action instead of choosing at "
        f"{policies['explored'] * 100:.1f} of 100 cards where it might step in; the smallest recorded chance of what was done is {least}. “Visits behind it” is how many visits are left, as if all counted "
        f"alike, once they are weighted like the other policy’s; below {2 * policy.FEW} nothing is told.</p>",
        drawing(plots.overlap(policies["actions"], "overlap", "What was done where the machine might step in: " + "; ".join(
            f"{action} {chosen} times as chosen and {by_draw} times drawn" for action, chosen, by_draw in counts) + "."),
            "Only drawn actions say what would have been."),
        table(["action", "as chosen", "drawn"], counts, f"{policies['eligible']} cards where the machine might step in")])


def write(trained, path):
    """Writes the report to `path`; the file appears only when it is whole."""
    rows, name = trained.rows, trained.file.name
    areas = "; ".join(f"{row['name']} {row['auc'][0]:.3f}" for row in rows)
    briers = "; ".join(f"{row['name']} {row['brier'][0]:.3f}" for row in rows)
    warned = "; ".join(f"{row['name']} {row['warned'][0] * 100:.0f} of 100 visits" for row in rows)
    shown = [score for score in trained.scores if score.name not in ("chance",)]
    ranked = sorted(zip(INPUTS, trained.importance), key=lambda pair: -pair[1])
    first = rows[0]
    off = "; ".join(f"{who}: " + ("was not in charge of any card" if value is None else f"off by {value:.2g} at most")
                    for who, value in trained.formulas.items())
    parts = {
        "title": f"Who is about to leave: {escape(name)}", "name": escape(name), "verdict": escape(verdict(trained)),
        "auc": f"{first['auc'][0]:.2f}", "brier": f"{first['brier'][0]:.3f}", "lead": f"{first['lead'][0]:.1f}",
        "warned": f"{first['warned'][0] * 100:.0f} %",
        "scores": table(["model", "ROC-AUC", f"{name} is better by", "PR-AUC", "Brier", "lead, cards", f"warned {REACH} cards before"],
                        score_rows(trained), "Each with an interval of 95 % by bootstrap over "
                        f"{trained.scores[0].cards.units} {trained.scores[0].cards.by}s", "models"),
        "curves": drawing(plots.curves(trained.scores, "curves", f"ROC and precision-recall curves. Area under ROC: {areas}."),
                          "Higher is better. The dotted diagonal is chance."),
        "calibration": drawing(plots.calibration([score for score in shown if score.name != "position alone"], "calibration",
                                                 f"Calibration curves. Brier scores: {briers}."),
                               "On the dotted line, of ten visitors with a P of 0.7 seven leave. Below: how often each P was said."),
        "calls": table(["model", "moderate or high", "high"], [
            [escape(score.name), *(f"{1000 * part:.1f} of 1000 cards" for part in score.calls())] for score in shown[:4]],
            "How often each calls for a step in: P of 0.55 and more, and of 0.70 and more", "models"),
        "leads": drawing(plots.leads(shown, scores.LOOK, "leads", f"Warned at least {REACH} cards before the end: {warned}."),
                         f"Each model’s alarm is set so that one in {1 / scores.FALSE_ALARMS:.0f} cards of staying visitors raises it. "
                         f"Alarms count in the last {scores.LOOK} cards. The dotted line is at {REACH} cards."),
        "importance": drawing(plots.bars([name for name, _ in ranked], [fall for _, fall in ranked], "What it looks at",
                                         "by how much the AUC falls when the input is shuffled", "importance",
                                         "Importance: " + "; ".join(f"{one} {fall:.3f}" for one, fall in ranked) + "."),
                              "Inputs that say the same stand in for one another, and each then seems to matter less."),
        "responses": drawing(plots.responses(trained.responses, "responses", "How the mean P(leaving) moves with one input: " + "; ".join(
            f"{one} from {part[0] * 100:.0f} to {part[-1] * 100:.0f} %" for one, _, part in trained.responses) + "."),
            "The mean of what it says when one input is moved and all others stay as they were."),
        "policy": policy_section(trained.policies, name),
        "card": "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in trained.card.items()),
        "limits": "".join(f"<li>{escape(limit)}</li>" for limit in LIMITS),
        "checked": escape("The file’s margins, read and summed without coremltools, differ from scikit-learn’s by "
                          f"{trained.rounding:.1g} at most. The engine’s own models are recomputed by their formulas ({off})."),
    }
    text = TEMPLATE.read_text()
    for key, value in parts.items():
        text = text.replace("{{" + key + "}}", value)
    path = Path(path)
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text)
    os.replace(beside, path)
