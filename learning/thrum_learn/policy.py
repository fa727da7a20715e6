"""What another policy would have done on recorded visits: how many cards they would have had, by the recorded chances of each action.

A policy here is what chooses at a card where the machine may step in; `chosen` has its choice at each card, as a place in `ACTIONS`."""

import numpy as np
from sklearn.tree import DecisionTreeRegressor

from . import Refused
from .columns import ACTIONS, HIGH, MODERATE
from .tables import Visits

# With fewer visits than this behind it a correction is chance; and with fewer recorded steps in, the gain of a step.
FEW = 30
# An action that was seldom taken in a kind of situation is expected to do what any action does there, worth so many cards.
PRIOR = 30.0
# Cards since the last step in, by which situations are told apart: a gift is found on the second to fourth card.
SINCE = [1, 2, 3, 4, 5, 9, 13, 41]


def choices(margins):
    """Returns what a model's log-odds choose: 0 none, 1 moderate, 2 high."""
    return (margins >= MODERATE).astype(int) + (margins >= HIGH)


class Log:
    """Recorded visits as a log of decisions. Leaves out visits that were cut off or damaged. Of visits that were held out, where nobody
    decided, only the simple model of how visits go on learns; `decided` says of each visit that it is none of them.

    Arrays have an element for each card of `visits`: `action` and `propensity` of what was done, `eligible`, `explored`, and `kind`, the
    kind of situation, by which that model is made."""

    def __init__(self, visits, seed):
        frame = visits.frame
        damaged = frame["after_damage"].fillna(False).to_numpy(dtype=bool)
        spoilt = np.bincount(visits.visit, damaged, visits.count) > 0
        held = frame["held_out"].fillna(False).to_numpy(dtype=bool)[visits.starts]
        wanted = visits.left_whole & ~held & ~spoilt
        quiet = visits.left_whole & held & ~spoilt
        self.left_out = {"held out": int(held.sum()), "cut off": int((~visits.left_whole & ~held).sum()),
                         "damaged": int((spoilt & visits.left_whole & ~held).sum())}
        if wanted.sum() < 2 * FEW:
            raise Refused(f"of {visits.count} visits {wanted.sum()} were decided in and ended by leaving; {2 * FEW} are needed at least")
        # Visits without any intervention: the truth about the policy that does nothing.
        self.held_out_cards = visits.lengths[quiet]
        self.visits = Visits(frame[(wanted | quiet)[visits.visit]])
        self.decided = ~held[wanted | quiet]
        self.count = int(self.decided.sum())
        kept = self.visits.frame
        self.action = kept["action"].map(ACTIONS.index).to_numpy(dtype=int)
        self.propensity = kept["propensity"].to_numpy()
        self.eligible = kept["eligible"].fillna(False).to_numpy(dtype=bool)
        # How often an action was drawn instead of chosen, which follows from the chances that were recorded.
        as_chosen = (kept["chosen"] == kept["action"]).to_numpy(dtype=bool)
        actions = len(ACTIONS)
        self.explored = np.clip(np.where(as_chosen, (1 - self.propensity) * actions / (actions - 1), self.propensity * actions), 0, 1)
        self.every = np.arange(len(self.action))
        self.follows = self.visits.remaining > 0
        self.seed = seed
        # Both halves learn from held-out visits, and neither is asked about them.
        half = np.random.default_rng(seed).permutation(self.visits.count) % 2
        self.half = np.where(self.decided, half, 2)[self.visits.visit]
        self.kind = self._kinds()
        self.recorded_chances = self.chances(kept["chosen"].map(ACTIONS.index).to_numpy(dtype=int))

    def _kinds(self):
        """Returns a number for the kind of situation of each card: a leaf of a small tree that expects how many cards follow, and how long
        ago and how strongly the machine last stepped in."""
        tree = DecisionTreeRegressor(max_leaf_nodes=60, min_samples_leaf=max(20, len(self.action) // 1000), random_state=self.seed)
        leaf = tree.fit(self.visits.inputs, self.visits.remaining).apply(self.visits.inputs)
        acted = np.where(self.action > 0, self.every, -10 ** 9)
        last = np.r_[-10 ** 9, np.maximum.accumulate(acted)[:-1]]
        last = np.where(last >= self.visits.starts[self.visits.visit], last, -10 ** 9)
        since, strength = np.digitize(self.every - last, SINCE), np.where(last >= 0, self.action[np.maximum(last, 0)], 0)
        return np.unique(np.column_stack([leaf, since, strength]), axis=0, return_inverse=True)[1].ravel()

    def chances(self, chosen, explore=None):
        """Returns with which chance the policy takes each action at each card: it explores as often as was recorded, or with the chance
        `explore`. Where nobody decides it does what was done."""
        explore = self.explored if explore is None else np.full(len(self.action), explore)
        taken = np.repeat(explore[:, None] / len(ACTIONS), len(ACTIONS), axis=1)
        taken[self.every, chosen] += 1 - explore
        forced = np.zeros_like(taken)
        forced[self.every, self.action] = 1
        return np.where(self.eligible[:, None], taken, forced)

    def expected(self, chances):
        """Expects how many cards follow each action at each card if the policy goes on from there.

        The kinds of situations are taken for a Markov chain, which is solved. Its two halves of visits are each asked about the other."""
        kinds, decided = int(self.kind.max()) + 1, self.half < 2
        taken = np.column_stack([np.bincount(self.kind[decided], chances[decided, action], kinds) for action in range(len(ACTIONS))])
        # Of a kind that was never decided in nothing is known but that nothing was done.
        taken[:, 0] += taken.sum(axis=1) == 0
        taken /= taken.sum(axis=1)[:, None]
        following = np.r_[self.kind[1:], 0]
        result = np.zeros((len(self.kind), len(ACTIONS)))
        for part in (0, 1):
            seen = self.half != part
            count = np.zeros((len(ACTIONS), kinds))
            moves = np.zeros((len(ACTIONS), kinds, kinds))
            np.add.at(count, (self.action[seen], self.kind[seen]), 1)
            going = seen & self.follows
            np.add.at(moves, (self.action[going], self.kind[going], following[going]), 1)
            pooled, any_moves = count.sum(axis=0), moves.sum(axis=0)
            usual = any_moves / np.maximum(pooled, 1)[:, None]
            moves = (moves + PRIOR * usual) / (count + PRIOR)[:, :, None]
            # Nothing goes on for ever, and of a kind that was not seen the mean of all is expected.
            moves *= 0.9999
            one = moves.sum(axis=2)
            one[:, pooled == 0] = np.mean(self.visits.remaining[seen])
            chain = np.einsum("ka,akj->kj", taken, moves)
            ahead = np.linalg.solve(np.eye(kinds) - chain, np.einsum("ka,ak->k", taken, one))
            result[self.half == part] = (one + moves @ ahead).T[self.kind[self.half == part]]
        return result

    def _table(self, values, last=False):
        """Returns a row for each visit and a column for each place in it; behind a visit's end stands 0, or the visit's `last` value."""
        table = np.zeros((self.visits.count, int(self.visits.lengths.max())))
        table[self.visits.visit, self.visits.place] = values
        if last:
            behind = np.arange(table.shape[1])[None, :] >= self.visits.lengths[:, None]
            table = np.where(behind, table[np.arange(len(table)), self.visits.lengths - 1][:, None], table)
        return table

    def _counts(self, times):
        """Returns how often each visit is in each draw of as many with replacement of those that were decided in; the first draw is all of
        them once."""
        draw, counts = np.random.default_rng(self.seed), np.zeros((times + 1, self.visits.count))
        counts[0, self.decided] = 1
        for row in range(1, times + 1):
            counts[row, self.decided] = np.bincount(draw.integers(self.count, size=self.count), minlength=self.count)
        return counts

    def estimate(self, chosen, explore=None, times=400):
        """Estimates how many cards a visit has under a policy, as a dictionary.

        `weighted`: recorded visits, each card weighted by how much likelier the policy had come there than what was recorded; the weights
        of a place in the visit come to 1 (self-normalised importance sampling, step by step). `robust`: what the chain expects, corrected
        by how recorded visits went on instead, with the same weights (doubly robust: right if either is); places with fewer than `FEW`
        visits behind them are not corrected. Both are (value, low, high), 95 % by bootstrap over visits. `visits`: how many visits the
        weights leave where half are over, as if all counted alike. `step`: what one step in brings, in cards, against keeping still at
        that card and going on as recorded; None where too few were recorded."""
        chances = self.chances(chosen, explore)
        value = self.expected(chances)
        ahead = np.sum(chances * value, axis=1)
        surprise = self.follows * (1 + np.r_[ahead[1:], 0]) - value[self.every, self.action]
        logs = np.cumsum(np.log(np.maximum(chances[self.every, self.action] / self.propensity, 1e-30)))
        before = np.r_[0, logs][self.visits.starts][self.visits.visit]
        weight = self._table(np.exp(np.clip(logs - before, -60, 60)), last=True)
        behind = weight[self.decided].sum(axis=0) ** 2 / np.sum(weight[self.decided] ** 2, axis=0)
        # From the first place on where too few are left, what weights say is chance.
        borne = np.minimum.accumulate(behind >= FEW)
        counts = self._counts(times)
        with np.errstate(invalid="ignore", divide="ignore"):
            total = counts @ weight
            weighted = 1 + np.nan_to_num(counts @ (weight * self._table(self.follows)) / total).sum(axis=1)
            correction = np.nan_to_num(counts @ (weight * self._table(surprise)) / total) @ borne
        robust = 1 + counts @ ahead[self.visits.starts] / self.count + correction
        middle = int(np.median(self.visits.lengths[self.decided])) - 1
        return {"weighted": interval(weighted), "robust": interval(robust), "visits": float(behind[middle]),
                "step": self._step(chosen, counts)}

    def _step(self, chosen, counts):
        acts = self.eligible & (chosen > 0)
        if np.sum(acts & (self.action == chosen)) < FEW or np.sum(acts & (self.action == 0)) < FEW:
            return None
        value = self.expected(self.recorded_chances)

        def robust(action):
            expected = value[self.every, action]
            return expected + (self.action == action) / self.propensity * (self.visits.remaining - expected)

        gain = np.where(acts, robust(chosen) - robust(np.zeros_like(chosen)), 0)
        by_visit, cards = (np.bincount(self.visits.visit, each, self.visits.count) for each in (gain, acts))
        with np.errstate(invalid="ignore", divide="ignore"):
            return interval((counts @ by_visit) / (counts @ cards))

    def recorded(self, times=400):
        """Returns how many cards the recorded visits had, (value, low, high)."""
        return interval(self._counts(times) @ self.visits.lengths / self.count)

    def untouched(self, times=400):
        """Returns how many cards the held-out visits had, or None where there are too few of them."""
        cards = self.held_out_cards
        if len(cards) < FEW:
            return None
        draw = np.random.default_rng(self.seed)
        return interval(np.r_[np.mean(cards), [np.mean(draw.choice(cards, len(cards))) for _ in range(times)]])


def interval(values):
    """Returns the first of `values`, and between which two 95 % of the others are."""
    low, high = np.nanquantile(values[1:], [0.025, 0.975])
    return float(values[0]), float(low), float(high)
