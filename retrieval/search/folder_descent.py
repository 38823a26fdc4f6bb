"""Descending a tree of folders, best first: which folders to open, and what that does to leaves.

The idea is OpenViking's, whose published formula gives a child half of its own score and half of
its folder's. Here nothing is lost by it: leaves that the flat search found keep at least their own
score, a folder that is not opened waits and is never dropped, and a descent ends by itself only
when no folder that waits can change the best leaves. Pure: the caller looks into the folders that
it is told to, and says what it found there.

    score(child) = (1 - propagation) * own(child) + propagation * score(folder)

All scores, of folders and leaves, lie on one scale from 0 to 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from schema.search import Step

MAX_FOLDERS_PER_ROUND = 4
"""Folders that one round opens at most."""

QUIET_ROUNDS = 3
"""Rounds without a change among the best leaves, before a descent ends by itself."""

MAX_FOLDERS = 12
"""Folders that one descent opens at most."""


@dataclass(frozen=True)
class LiftedLeaf:
    """A leaf at the score that a folder gives it; an `is_new` one was not known before."""

    folder: str
    leaf: int
    own: float
    score: float
    is_new: bool


class Descent:
    """One descent: `open_next_folders`, then `add_children` of each, until none is left.

    `trace` tells every step, `lifted` the leaves that a folder added or raised, in order.
    """

    def __init__(
        self,
        folders: Mapping[str, float],
        leaves: Mapping[int, float],
        *,
        propagation: float = 0.5,
        best: int = 10,
        unseen: float = 1.0,
    ) -> None:
        """Start.

        Args:
            folders: own scores of the folders that a search of all folders found, and of the roots.
            leaves: own scores of the leaves that the flat search found.
            propagation: share of a folder's score in its children's, 0 to 1; 0 is the flat ranking.
            best: how many leaves are wanted.
            unseen: the most that any folder or leaf scores by itself that is not named here.
        """
        self._share = propagation
        self._own = dict(leaves)
        self._leaves = dict(leaves)
        self._waiting = dict(folders)
        self._opened: dict[str, float] = {}
        self._best = best
        self._unseen = unseen
        self._top = self.best()
        self._quiet = 0
        self._over = False
        self.lifted: list[LiftedLeaf] = []
        self.trace: list[Step] = []

    def open_next_folders(self) -> list[str]:
        """Open the best folders that wait; none where the descent has ended.

        Where no folder can change the best leaves any more, the quiet rounds that are left only
        put that to the test, and one folder a round will do.
        """
        if self._opened and not self._over:
            self._close_round()
        if self._over or self._has_ended():
            return []
        width = 1 if self._find_upper_bound() <= self._find_threshold() else MAX_FOLDERS_PER_ROUND
        order = sorted(self._waiting, key=lambda one: (-self._waiting[one], one))
        chosen = order[: min(width, MAX_FOLDERS - len(self._opened))]
        for folder in chosen:
            self._opened[folder] = self._waiting.pop(folder)
            self._tell("folder opened", folder=folder, score=self._opened[folder])
        return chosen

    def add_children(
        self, folder: str, folders: Mapping[str, float], leaves: Mapping[int, float]
    ) -> None:
        """Record what stands directly in a folder that was opened.

        Args:
            folder: the folder.
            folders: own scores of its folders. One that waits is no better than this folder, which
                was opened before it, and so does not lose by it.
            leaves: own scores of its leaves. One that is known keeps its own score, or more.
        """
        new_leaves = leaves.keys() - self._leaves.keys()
        self._tell(
            "children scored",
            folder=folder,
            folders=len(folders),
            leaves=len(leaves),
            new_folders=len(folders.keys() - self._waiting.keys() - self._opened.keys()),
            new_leaves=len(new_leaves),
        )
        for one in sorted(folders.keys() - self._opened.keys()):
            self._waiting[one] = self._blend_score(folder, folders[one])
        for leaf in sorted(leaves):
            own = self._own.setdefault(leaf, leaves[leaf])
            score = self._blend_score(folder, own)
            is_new = leaf in new_leaves
            if is_new or score > self._leaves[leaf]:
                self._leaves[leaf] = score
                self.lifted.append(LiftedLeaf(folder, leaf, own, score, is_new))
                step = "leaf added" if is_new else "leaf raised"
                self._tell(step, folder=folder, leaf=leaf, own=own, score=score)

    def scores(self) -> dict[int, float]:
        """The score of every leaf that is known."""
        return dict(self._leaves)

    def waiting_folders(self) -> dict[str, float]:
        """Folders that are known and not opened, with their scores."""
        return dict(self._waiting)

    def best(self) -> list[int]:
        """The best leaves, best first; ties by number, so that runs repeat."""
        return sorted(self._leaves, key=lambda one: (-self._leaves[one], one))[: self._best]

    def _blend_score(self, folder: str, own: float) -> float:
        return (1 - self._share) * own + self._share * self._opened[folder]

    def _find_threshold(self) -> float:
        """The score that a leaf must exceed to be among the best."""
        return self._leaves[self._top[-1]] if len(self._top) >= self._best else -1.0

    def _close_round(self) -> None:
        top = self.best()
        self._quiet = self._quiet + 1 if top == self._top else 0
        self._top = top
        threshold = self._find_threshold()
        self._tell("round ended", threshold=threshold, quiet_rounds=self._quiet)

    def _find_upper_bound(self) -> float:
        """The most that a leaf outside of the best can get from folders that wait.

        A child's score is a weighted mean of its own and its folder's, so it exceeds neither;
        following the folders downwards, a leaf's score exceeds none of: its own (at most the
        least of the best, else it were among them, or `unseen`), the score of the waiting folder
        above it, and the own scores of folders between that nobody named (`unseen`). Where
        folders pass nothing on, only `unseen` counts.
        """
        folders = max(self._waiting.values(), default=0.0) if self._share else 0.0
        return max(folders, self._unseen)

    def _has_ended(self) -> bool:
        if not self._waiting:
            self._tell("folders exhausted")
        elif self._quiet >= QUIET_ROUNDS and self._find_upper_bound() <= self._find_threshold():
            bound = self._find_upper_bound()
            self._tell("descent converged", bound=bound, waiting_folders=len(self._waiting))
        elif len(self._opened) >= MAX_FOLDERS:
            self._tell("folder limit reached", waiting_folders=len(self._waiting))
        else:
            return False
        self._over = True
        return True

    def _tell(self, step: str, **detail: str | float) -> None:
        rounded = {
            key: round(one, 4) if isinstance(one, float) else one for key, one in detail.items()
        }
        self.trace.append(Step(step, rounded))
