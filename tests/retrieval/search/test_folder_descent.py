"""Descending a tree: it ends, repeats itself, loses no leaf, and stops when nothing can change."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.search import folder_descent
from retrieval.search.folder_descent import (
    MAX_FOLDERS,
    MAX_FOLDERS_PER_ROUND,
    Descent,
    DescentConverged,
    FolderLimitReached,
    FolderOpened,
    FolderScored,
    FoldersExhausted,
    LeafAdded,
    LeafRaised,
    RoundEnded,
)

SCORE = st.floats(0, 1).map(lambda score: round(score, 3))


@dataclass(frozen=True)
class Tree:
    """Folders and leaves with their own scores; a folder's parent is another, or "" for a root."""

    folders: dict[str, float]
    parents: dict[str, str]
    leaves: dict[int, float]
    places: dict[int, str]
    named: set[str] = field(default_factory=set)
    found: set[int] = field(default_factory=set)

    @property
    def unseen(self) -> float:
        folders = [score for one, score in self.folders.items() if one not in self.named]
        leaves = [score for one, score in self.leaves.items() if one not in self.found]
        return max(folders + leaves, default=0.0)

    def descent(self, propagation: float, best: int = 3) -> Descent:
        return Descent(
            {one: score for one, score in self.folders.items() if one in self.named},
            {one: score for one, score in self.leaves.items() if one in self.found},
            propagation=propagation,
            best=best,
            unseen=self.unseen,
        )

    def below(
        self, folder: str, random: Random | None
    ) -> tuple[dict[str, float], dict[int, float]]:
        """What stands in a folder, in any order."""
        folders = [one for one, above in self.parents.items() if above == folder]
        leaves = [one for one, place in self.places.items() if place == folder]
        if random:
            random.shuffle(folders)
            random.shuffle(leaves)
        return {one: self.folders[one] for one in folders}, {i: self.leaves[i] for i in leaves}


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    names = [f"f{i}" for i in range(draw(st.integers(1, 30)))]
    parents = {
        name: draw(st.sampled_from(["", *names[:number]])) for number, name in enumerate(names)
    }
    places = {leaf: draw(st.sampled_from(names)) for leaf in range(draw(st.integers(0, 40)))}
    roots = {name for name in names if not parents[name]}
    return Tree(
        folders={name: draw(SCORE) for name in names},
        parents=parents,
        leaves={leaf: draw(SCORE) for leaf in places},
        places=places,
        named=roots | draw(st.sets(st.sampled_from(names))),
        found=draw(st.sets(st.sampled_from(sorted(places)))) if places else set(),
    )


def run(tree: Tree, descent: Descent, random: Random | None = None) -> list[list[str]]:
    """Descend to the end; returns the folders of each round. Args: random: orders children."""
    rounds = []
    while opened := descent.open_next_folders():
        rounds.append(opened)
        for folder in opened:
            descent.add_children(folder, *tree.below(folder, random))
    return rounds


def kth(scores: Mapping[int, float], count: int = 3) -> list[float]:
    return sorted(scores.values(), reverse=True)[:count]


def test_a_child_has_part_of_its_own_score_and_part_of_its_folders() -> None:
    descent = Descent({"a": 0.8}, {1: 0.2}, propagation=0.25)
    assert descent.open_next_folders() == ["a"]
    descent.add_children("a", {"a/b": 0.4}, {1: 0.2, 2: 0.6})
    assert descent.waiting_folders() == {"a/b": pytest.approx(0.75 * 0.4 + 0.25 * 0.8)}
    assert descent.scores() == {
        1: pytest.approx(0.75 * 0.2 + 0.25 * 0.8),
        2: pytest.approx(0.75 * 0.6 + 0.25 * 0.8),
    }


def test_a_leaf_under_a_misleading_folder_keeps_its_score() -> None:
    descent = Descent({"bad": 0.0, "good": 0.9}, {1: 0.9, 2: 0.5})
    run(Tree({"bad": 0.0, "good": 0.9}, {}, {1: 0.9, 2: 0.5}, {1: "bad", 2: "good"}), descent)
    assert descent.scores() == {1: 0.9, 2: pytest.approx(0.7)}
    assert descent.best() == [1, 2]


def test_the_best_folders_are_opened_first_and_a_few_at_a_time() -> None:
    descent = Descent({f"f{i}": i / 20 for i in range(20)}, {})
    assert descent.open_next_folders() == ["f19", "f18", "f17", "f16"]
    descent.add_children("f19", {"f19/a": 1.0}, {})
    assert descent.open_next_folders() == ["f19/a", "f15", "f14", "f13"]


@given(trees(), st.floats(0, 1))
def test_a_descent_ends_and_opens_no_folder_twice(tree: Tree, propagation: float) -> None:
    descent = tree.descent(propagation)
    rounds = run(tree, descent)
    opened = [folder for one in rounds for folder in one]
    assert len(opened) == len(set(opened)) <= MAX_FOLDERS
    assert all(len(one) <= MAX_FOLDERS_PER_ROUND for one in rounds)
    assert isinstance(descent.trace[-1], DescentConverged | FoldersExhausted | FolderLimitReached)
    length = len(descent.trace)
    assert descent.open_next_folders() == []
    assert len(descent.trace) == length


@given(trees(), st.floats(0, 1))
def test_no_leaf_that_was_found_is_lost_or_lowered(tree: Tree, propagation: float) -> None:
    descent = tree.descent(propagation)
    run(tree, descent)
    scores = descent.scores()
    assert all(scores[leaf] >= tree.leaves[leaf] for leaf in tree.found)
    assert all(0 <= score <= 1 for score in scores.values())


@given(trees(), st.floats(0, 1))
def test_every_folder_that_is_known_is_opened_or_waits(tree: Tree, propagation: float) -> None:
    descent = tree.descent(propagation)
    opened = {folder for one in run(tree, descent) for folder in one}
    known = tree.named | {one for one, above in tree.parents.items() if above in opened}
    assert opened | descent.waiting_folders().keys() == known


@given(trees())
def test_without_propagation_the_ranking_is_the_flat_one(tree: Tree) -> None:
    descent = tree.descent(0.0, best=10)
    run(tree, descent)
    scores = descent.scores()
    assert scores == {leaf: tree.leaves[leaf] for leaf in scores}
    flat = sorted(scores, key=lambda leaf: (-tree.leaves[leaf], leaf))
    assert descent.best() == flat[:10]


@given(trees(), st.floats(0, 1), st.integers())
def test_the_order_of_children_changes_nothing(tree: Tree, propagation: float, seed: int) -> None:
    first, second = tree.descent(propagation), tree.descent(propagation)
    assert run(tree, first) == run(tree, second, Random(seed))
    assert first.scores() == second.scores()
    assert first.waiting_folders() == second.waiting_folders()
    assert first.trace == second.trace


@given(trees(), st.floats(0, 1))
def test_a_folder_that_waits_does_not_lose_by_its_parent(tree: Tree, propagation: float) -> None:
    descent = tree.descent(propagation)
    run(tree, descent)
    waiting = descent.waiting_folders()
    assert all(waiting[one] >= tree.folders[one] - 1e-9 for one in waiting.keys() & tree.named)


@given(trees(), st.floats(0, 1))
def test_where_it_converged_opening_everything_would_not_change_the_best(
    tree: Tree, propagation: float
) -> None:
    descent = tree.descent(propagation)
    run(tree, descent)
    if not isinstance(descent.trace[-1], DescentConverged):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder_descent, "QUIET_ROUNDS", 1_000)
        patch.setattr(folder_descent, "MAX_FOLDERS", 1_000)
        whole = tree.descent(propagation)
        run(tree, whole)
    assert isinstance(whole.trace[-1], FoldersExhausted)
    assert kth(descent.scores()) == pytest.approx(kth(whole.scores()))


def flat_tree(count: int, folder: float) -> Tree:
    names = [f"f{i:02}" for i in range(count)]
    leaves = {i: 0.9 - i / 100 for i in range(10)}
    return Tree(
        dict.fromkeys(names, folder), dict.fromkeys(names, ""), leaves,
        dict.fromkeys(leaves, names[-1]), named=set(names), found=set(leaves),
    )  # fmt: skip


def test_it_converges_after_three_quiet_rounds_of_one_folder() -> None:
    tree = flat_tree(20, folder=0.1)
    descent = tree.descent(0.5)
    assert [len(one) for one in run(tree, descent)] == [1, 1, 1]
    assert [one.quiet_rounds for one in descent.trace if isinstance(one, RoundEnded)] == [1, 2, 3]
    assert descent.trace[-1] == DescentConverged(bound=0.1, waiting_folders=17)


def test_it_does_not_converge_while_a_folder_could_change_the_best() -> None:
    tree = flat_tree(30, folder=0.95)
    descent = tree.descent(0.5)
    run(tree, descent)
    assert descent.trace[-1] == FolderLimitReached(waiting_folders=30 - MAX_FOLDERS)


def test_folders_that_pass_nothing_on_change_nothing() -> None:
    descent = flat_tree(30, folder=0.95).descent(0.0)
    assert [len(one) for one in run(flat_tree(30, folder=0.95), descent)] == [1, 1, 1]
    assert isinstance(descent.trace[-1], DescentConverged)


def test_it_does_not_converge_while_too_few_leaves_are_known() -> None:
    tree = flat_tree(30, folder=0.0)
    descent = tree.descent(0.5, best=11)
    run(tree, descent)
    assert isinstance(descent.trace[-1], FolderLimitReached)


@given(trees(), st.floats(0, 1))
def test_the_trace_tells_how_every_score_came_about(tree: Tree, propagation: float) -> None:
    descent = tree.descent(propagation)
    rounds = run(tree, descent)
    scores = {leaf: tree.leaves[leaf] for leaf in tree.found}
    folders: dict[str, float] = {}
    for event in descent.trace:
        match event:
            case FolderOpened(folder, score):
                folders[folder] = score
            case LeafAdded(folder, leaf, own, score) | LeafRaised(folder, leaf, own, score):
                assert own == tree.leaves[leaf]
                assert score == pytest.approx(
                    (1 - propagation) * own + propagation * folders[folder]
                )
                scores[leaf] = score
    assert scores == descent.scores()
    assert list(folders) == [folder for one in rounds for folder in one]
    assert {one.folder for one in descent.trace if isinstance(one, FolderScored)} == folders.keys()
