"""How well scores tell leaving visitors from staying ones, with intervals by bootstrap over visits or days."""

import numpy as np

from .columns import HIGH, MODERATE, REACH

# The last cards of a visit in which an alarm counts as a warning of its end.
LOOK = 20
# One false alarm in forty cards: what an engaged visitor is to bear at most.
FALSE_ALARMS = 1 / 40


class Cards:
    """The cards on which scores are judged: those of `visits` within `mask` on which nothing was done then or on the next four.

    `by` is what was divided, `visit` or `day`: as much as that is drawn anew for intervals, since what belongs together is alike."""

    def __init__(self, visits, mask, by="visit"):
        self.chosen = mask & (visits.weight > 0)
        self.left, self.weight = visits.left[self.chosen], visits.weight[self.chosen]
        self.visit = np.unique(visits.visit[self.chosen], return_inverse=True)[1]
        self.count = int(self.visit.max()) + 1 if len(self.visit) else 0
        self.by, whole_visits = by, np.unique(visits.visit[self.chosen])
        self.unit = np.unique(visits.day[whole_visits], return_inverse=True)[1] if by == "day" else np.arange(self.count)
        self.units = int(self.unit.max()) + 1 if self.count else 0
        self.remaining = visits.remaining[self.chosen]
        # Warnings are looked for in visits whose last cards are all among them.
        near = (self.remaining < LOOK) & ~np.isnan(self.remaining)
        whole = np.minimum(visits.lengths[visits.visit[self.chosen]], LOOK)
        sizes = np.zeros(self.count)
        sizes[self.visit] = whole
        self.warnable = (np.bincount(self.visit[near], minlength=self.count) == sizes) & (sizes > 0)
        self.near = near & self.warnable[self.visit]

    def resamples(self, times, seed):
        """Returns how often each visit was drawn, for each of `times` draws of as many visits, or days, with replacement."""
        draw = np.random.default_rng(seed)
        return [np.bincount(draw.integers(self.units, size=self.units), minlength=self.units)[self.unit] for _ in range(times)]


class Score:
    """One model's scores of `cards`: `margin` is log-odds, of any scale where `chance`, P(leaving), is given beside."""

    def __init__(self, name, cards, margin, chance=None):
        self.name, self.cards, self.margin = name, cards, np.asarray(margin, dtype=float)
        self.chance = 1 / (1 + np.exp(-np.clip(self.margin, -500, 500))) if chance is None else np.asarray(chance, dtype=float)
        self.order = np.argsort(self.margin, kind="stable")
        ordered = self.margin[self.order]
        self.ties = np.flatnonzero(np.r_[True, np.diff(ordered) > 0])
        self.levels = ordered[self.ties]

    def _by_level(self, weight):
        """Returns the weight of leaving and of staying cards at each level of the score, the lowest first."""
        ordered, left = weight[self.order], self.cards.left[self.order]
        return np.add.reduceat(ordered * left, self.ties), np.add.reduceat(ordered * (1 - left), self.ties)

    def figures(self, drawn=None):
        """Returns the figures of all cards, or of those of the visits as often as they were drawn."""
        cards = self.cards
        weight = cards.weight if drawn is None else cards.weight * drawn[cards.visit]
        leaving, staying = self._by_level(weight)
        leave, stay = leaving.sum(), staying.sum()
        if leave == 0 or stay == 0:
            return None
        area = np.sum(leaving * (np.cumsum(staying) - staying / 2)) / (leave * stay)
        above, all_above = np.cumsum(leaving[::-1]), np.cumsum((leaving + staying)[::-1])
        with np.errstate(invalid="ignore", divide="ignore"):
            precision = np.where(all_above > 0, above / all_above, 0)
        lead, warned = self._lead(self.threshold(staying), drawn)
        return {"auc": area, "pr_auc": np.sum(precision * leaving[::-1]) / leave,
                "brier": np.average((self.chance - cards.left) ** 2, weights=weight), "lead": lead, "warned": warned}

    def calls(self):
        """Returns the parts of the cards at which the engine would be called on to step in at all, and strongly."""
        return tuple(float(np.average(self.margin >= least, weights=self.cards.weight)) for least in (MODERATE, HIGH))

    def threshold(self, staying=None):
        """Returns the lowest level above which at most `FALSE_ALARMS` of the staying cards are: an alarm is a score above it."""
        if staying is None:
            staying = self._by_level(self.cards.weight)[1]
        above = np.cumsum(staying[::-1])[::-1] - staying
        return self.levels[int(np.argmax(above <= FALSE_ALARMS * staying.sum()))]

    def leads(self, threshold):
        """Returns for each visit how many cards before its end the first alarm of its last `LOOK` cards came, and 0 where none did."""
        cards = self.cards
        alarm = cards.near & (self.margin > threshold)
        lead = np.zeros(cards.count)
        np.maximum.at(lead, cards.visit[alarm], cards.remaining[alarm])
        return lead

    def _lead(self, threshold, drawn):
        weight = self.cards.warnable * (1.0 if drawn is None else drawn)
        if weight.sum() == 0:
            return np.nan, np.nan
        lead = self.leads(threshold)
        return np.average(lead, weights=weight), np.average(lead >= REACH, weights=weight)

    def roc(self):
        """Returns false and true alarm rates, from none to all."""
        leaving, staying = self._by_level(self.cards.weight)
        return (np.r_[0, np.cumsum(staying[::-1]) / staying.sum()], np.r_[0, np.cumsum(leaving[::-1]) / leaving.sum()])

    def precision_recall(self):
        """Returns recall and precision, from few alarms to all."""
        leaving, staying = self._by_level(self.cards.weight)
        above, every = np.cumsum(leaving[::-1]), np.cumsum((leaving + staying)[::-1])
        return above / leaving.sum(), above / every

    def calibration(self, groups=10):
        """Returns for tenths of the cards, by what was said: the mean of what was said, the part that left, and the tenth's weight."""
        order = np.argsort(self.chance, kind="stable")
        weight = self.cards.weight[order]
        place = np.minimum((np.cumsum(weight) - weight / 2) / weight.sum() * groups, groups - 1).astype(int)
        total = np.bincount(place, weight, groups)
        kept = total > 0
        said = np.bincount(place, weight * self.chance[order], groups)[kept] / total[kept]
        left = np.bincount(place, weight * self.cards.left[order], groups)[kept] / total[kept]
        return said, left, total[kept]


def compare(scores, times, seed):
    """Returns for each score its figures, each as (value, low, high) with an interval of 95 %, and `gain`: by how much the first score's
    AUC is above, with the interval of the difference on the same draws."""
    draws = scores[0].cards.resamples(times, seed)
    whole = [score.figures() for score in scores]
    drawn = [[score.figures(draw) for draw in draws] for score in scores]
    kept = [place for place in range(times) if all(figures[place] is not None for figures in drawn)]
    rows = []
    for score, figures, resampled in zip(scores, whole, drawn):
        row = {"name": score.name}
        for name, value in figures.items():
            low, high = np.nanquantile([resampled[place][name] for place in kept], [0.025, 0.975])
            row[name] = (float(value), float(low), float(high))
        gains = [drawn[0][place]["auc"] - resampled[place]["auc"] for place in kept]
        low, high = np.quantile(gains, [0.025, 0.975])
        row["gain"] = (float(whole[0]["auc"] - figures["auc"]), float(low), float(high))
        rows.append(row)
    return rows


def importance(score_of, inputs, cards, seed, times=2):
    """Returns by how much the AUC falls when one input's values are dealt out anew among the cards, for each input, the mean of `times`.

    `score_of` gives margins of rows of inputs."""
    draw = np.random.default_rng(seed)
    full = Score("", cards, score_of(inputs)).figures()["auc"]
    falls = []
    for place in range(inputs.shape[1]):
        lost = []
        for _ in range(times):
            mixed = inputs.copy()
            mixed[:, place] = draw.permutation(mixed[:, place])
            lost.append(full - Score("", cards, score_of(mixed)).figures()["auc"])
        falls.append(float(np.mean(lost)))
    return falls
