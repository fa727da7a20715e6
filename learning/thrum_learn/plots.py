"""Draws the report's pictures by matplotlib as SVG whose colours are the page's, so that they follow light and dark."""

import io
import re
from html import escape

import matplotlib
import numpy as np

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402 - the backend is chosen first
from matplotlib.ticker import PercentFormatter  # noqa: E402

# What matplotlib draws in these colours has the page's instead; nothing else is this near to black.
PAGE = {"ink": "#000101", "dim": "#000102", "line": "#000103", "raised": "#000104", "first": "#000105", "second": "#000106",
        "third": "#000107", "fourth": "#000108", "fifth": "#000109"}
# Each model is told by its line as well as by its colour.
LOOKS = [("first", "-", 2.6), ("fourth", (0, (6, 1.5, 1, 1.5)), 1.8), ("second", (0, (6, 2)), 1.8), ("third", (0, (1.5, 1.5)), 2.0),
         ("fifth", "-", 1.1), ("dim", (0, (1, 3)), 1.2)]
MARKS = ["o", "D", "s", "^", "v", "x"]

plt.rcParams.update({
    "svg.fonttype": "path", "svg.hashsalt": "thrum", "font.family": ["Inter", "DejaVu Sans"], "font.size": 10.5, "figure.facecolor": "none",
    "axes.facecolor": "none", "axes.edgecolor": PAGE["line"], "axes.labelcolor": PAGE["dim"], "text.color": PAGE["ink"],
    "xtick.color": PAGE["dim"], "ytick.color": PAGE["dim"], "axes.grid": True, "grid.color": PAGE["line"], "grid.linewidth": 0.6,
    "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 11.5, "axes.titleweight": "semibold",
    "axes.titlelocation": "left", "axes.titlecolor": PAGE["ink"], "axes.axisbelow": True,
    "legend.frameon": False, "legend.labelcolor": PAGE["ink"]})


def look(place):
    color, dashes, width = LOOKS[place % len(LOOKS)]
    return {"color": PAGE[color], "linestyle": dashes, "linewidth": width, "zorder": 10 - place}


def svg(figure, name, words):
    """Returns the figure as an inline SVG that says `words` to whoever does not see it. `name` keeps its ids apart from others'."""
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight", pad_inches=0.06)
    plt.close(figure)
    text = out.getvalue().decode()
    text = text[text.index("<svg"):]
    for page, color in PAGE.items():
        text = text.replace(color, f"var(--{page})")
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{name}-", text)
    head = re.search(r"<svg[^>]*>", text)[0]
    box = re.search(r'viewBox="([^"]+)"', head)[1]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" role="img" viewBox="{box}" '
            f'aria-label="{escape(words, quote=True)}">' + text[text.index(head) + len(head):])


def axes(width=4.6, height=3.9, columns=1, **options):
    return plt.subplots(1, columns, figsize=(width * columns, height), layout="constrained", **options)


def percent(*which):
    for axis in which:
        axis.set_major_formatter(PercentFormatter(1, decimals=0))


def curves(scores, name, words):
    """ROC and precision against recall, beside one another."""
    figure, (roc, recall) = axes(columns=2)
    for place, score in enumerate(scores):
        false, true = score.roc()
        roc.plot(false, true, label=score.name, **look(place))
        found, precision = score.precision_recall()
        # What the very first alarms are worth is chance.
        steady = found >= 0.01
        recall.plot(found[steady], precision[steady], **look(place))
    roc.set(title="Found, against false alarms", xlabel="of staying cards, part with an alarm",
            ylabel="of leaving cards, part with an alarm", xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    recall.set(title="Right, against found", xlabel="of leaving cards, part with an alarm", ylabel="of alarms, part that is right",
               xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    percent(roc.xaxis, roc.yaxis, recall.xaxis, recall.yaxis)
    figure.legend(loc="outside lower center", ncols=3, handlelength=3.2)
    return svg(figure, name, words)


def calibration(scores, name, words):
    """What was said against what happened, and how often it was said."""
    figure, (plot, often) = plt.subplots(2, 1, figsize=(5.6, 5.0), layout="constrained", sharex=True, height_ratios=[4, 1])
    plot.plot([0, 1], [0, 1], color=PAGE["dim"], linewidth=1, linestyle=(0, (1, 2)))
    highest = 0.3
    for place, score in enumerate(scores):
        said, left, _ = score.calibration()
        highest = max(highest, *said, *left)
        plot.plot(said, left, marker=MARKS[place], markersize=5, label=score.name, **look(place))
    plot.set(title="What was said, and what happened", ylabel="part that left", xlim=(0, min(1, highest * 1.08)),
             ylim=(0, min(1, highest * 1.08)))
    plot.legend(handlelength=3.2)
    first = scores[0]
    often.hist(first.chance, bins=np.linspace(0, 1, 41), weights=first.cards.weight / first.cards.weight.sum(), color=PAGE["first"])
    often.set(xlabel="P(leaving) that was said", ylabel="cards")
    percent(plot.xaxis, plot.yaxis, often.yaxis)
    return svg(figure, name, words)


def leads(scores, look_back, name, words):
    """The part of visits that were warned at least so many cards before their end."""
    figure, plot = axes(width=7.2)
    cards, highest = np.arange(0, look_back), 0.2
    for place, score in enumerate(scores):
        lead, of = score.leads(score.threshold()), score.cards.warnable
        warned = [np.mean(lead[of] >= max(distance, 1)) for distance in cards]
        highest = max(highest, *warned)
        plot.step(cards, warned, where="mid", label=score.name, **look(place))
    plot.axvline(5, color=PAGE["dim"], linewidth=0.8, linestyle=(0, (1, 2)))
    plot.set(title="Warned in time", xlabel="cards before the end, at least", ylabel="part of visits", xlim=(1, look_back - 1),
             ylim=(0, min(1.01, highest * 1.25)))
    plot.set_xticks(range(1, look_back, 2))
    percent(plot.yaxis)
    plot.legend(handlelength=3.2, ncols=2)
    return svg(figure, name, words)


def bars(names, values, title, label, name, words):
    """Values by name, the largest on top."""
    order = np.argsort(values)
    figure, plot = axes(width=7.2, height=0.6 + 0.32 * len(names))
    plot.barh([names[place] for place in order], [max(0, values[place]) for place in order], color=PAGE["first"], height=0.55)
    plot.grid(visible=False, axis="y")
    plot.set(title=title, xlabel=label)
    plot.tick_params(axis="y", length=0, labelcolor=PAGE["ink"])
    return svg(figure, name, words)


def responses(panels, name, words):
    """How P(leaving) moves with one input while all others stay: a small plot for each of `panels`, (input, values, part)."""
    figure, plots = axes(width=2.3, height=2.3, columns=len(panels), sharey=True)
    for plot, (title, values, part) in zip(np.atleast_1d(plots), panels):
        plot.plot(values, part, **look(0))
        plot.set_title(title, fontsize=9.5)
        plot.set_ylim(0)
        plot.locator_params(axis="x", nbins=4)
        percent(plot.yaxis)
    np.atleast_1d(plots)[0].set_ylabel("mean P(leaving)")
    return svg(figure, name, words)


def intervals(rows, title, label, name, words):
    """Values with their intervals by name, the first on top: (name, (value, low, high), the place of its look)."""
    figure, plot = axes(width=7.2, height=0.8 + 0.42 * len(rows))
    for place, (_, (value, low, high), style) in enumerate(rows):
        color = PAGE[LOOKS[style][0]]
        plot.plot([low, high], [place, place], color=color, linewidth=2.2, solid_capstyle="butt")
        plot.plot([value], [place], marker=MARKS[style], color=color, markersize=7)
    plot.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    plot.set(title=title, xlabel=label, ylim=(len(rows) - 0.5, -0.5))
    plot.grid(visible=False, axis="y")
    plot.tick_params(axis="y", length=0, labelcolor=PAGE["ink"])
    return svg(figure, name, words)


def overlap(counts, name, words):
    """How often each action was taken at cards where the machine might step in; `counts` has (chosen, drawn) by action."""
    figure, plot = axes(width=7.2, height=1.9)
    names, chosen, drawn = list(counts), [row[0] for row in counts.values()], [row[1] for row in counts.values()]
    plot.barh(names, chosen, color=PAGE["second"], height=0.5, label="as chosen")
    plot.barh(names, drawn, left=chosen, color=PAGE["third"], height=0.5, label="drawn", hatch="///", edgecolor=PAGE["raised"])
    plot.set_xscale("symlog", linthresh=10)
    plot.set(title="What was done where something might be", xlabel="cards (each step is ten times as many)")
    plot.invert_yaxis()
    plot.grid(visible=False, axis="y")
    plot.tick_params(axis="y", length=0, labelcolor=PAGE["ink"])
    plot.legend(ncols=2, loc="lower right", bbox_to_anchor=(1, 1))
    return svg(figure, name, words)
