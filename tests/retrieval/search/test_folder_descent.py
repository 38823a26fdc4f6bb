"""Descending a tree: it ends, repeats itself, loses no leaf, and stops when nothing can change."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.search import folder_descent
from retrieval.search.folder_descent import MAX_FOLDERS, MAX_FOLDERS_PER_ROUND, Descent
from schema.search import Step

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
def test_a_descent_ends_opens_no_folder_twice_and_lowers_no_leaf(
    tree: Tree, propagation: float
) -> None:
    descent = tree.descent(propagation)
    rounds = run(tree, descent)
    opened = [folder for one in rounds for folder in one]
    assert len(opened) == len(set(opened)) <= MAX_FOLDERS
    assert all(len(one) <= MAX_FOLDERS_PER_ROUND for one in rounds)
    told = list(descent.trace)
    assert told[-1].name in ("descent converged", "folders exhausted", "folder limit reached")
    assert descent.open_next_folders() == []
    assert descent.trace == told
    scores, waiting = descent.scores(), descent.waiting_folders()
    assert all(scores[leaf] >= tree.leaves[leaf] for leaf in tree.found)
    assert all(0 <= score <= 1 for score in scores.values())
    known = tree.named | {one for one, above in tree.parents.items() if above in opened}
    assert {*opened} | waiting.keys() == known
    # a folder that waits does not lose by its parent
    assert all(waiting[one] >= tree.folders[one] - 1e-9 for one in waiting.keys() & tree.named)


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
def test_where_it_converged_opening_everything_would_not_change_the_best(
    tree: Tree, propagation: float
) -> None:
    descent = tree.descent(propagation)
    run(tree, descent)
    if descent.trace[-1].name != "descent converged":
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder_descent, "QUIET_ROUNDS", 1_000)
        patch.setattr(folder_descent, "MAX_FOLDERS", 1_000)
        whole = tree.descent(propagation)
        run(tree, whole)
    assert whole.trace[-1].name == "folders exhausted"
    assert kth(descent.scores()) == pytest.approx(kth(whole.scores()))


def flat_tree(count: int, folder: float) -> Tree:
    names = [f"f{i:02}" for i in range(count)]
    leaves = {i: 0.9 - i / 100 for i in range(10)}
    return Tree(
        dict.fromkeys(names, folder), dict.fromkeys(names, ""), leaves,
        dict.fromkeys(leaves, names[-1]), named=set(names), found=set(leaves),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("count", "folder", "propagation", "best", "end"),
    [
        (20, 0.1, 0.5, 3, Step("descent converged", {"bound": 0.1, "waiting_folders": 17})),
        (30, 0.95, 0.5, 3, Step("folder limit reached", {"waiting_folders": 30 - MAX_FOLDERS})),
        (30, 0.95, 0.0, 3, Step("descent converged", {"bound": 0.0, "waiting_folders": 27})),
        (30, 0.0, 0.5, 11, Step("folder limit reached", {"waiting_folders": 30 - MAX_FOLDERS})),
    ],
    ids=["nothing can change", "a folder could", "folders pass nothing on", "too few leaves"],
)
def test_it_converges_after_three_quiet_rounds_where_no_folder_can_change_the_best(
    count: int, folder: float, propagation: float, best: int, end: Step
) -> None:
    tree = flat_tree(count, folder)
    descent = tree.descent(propagation, best)
    rounds = [len(one) for one in run(tree, descent)]
    assert descent.trace[-1] == end
    if end.name == "descent converged":
        assert rounds == [1, 1, 1]
        quiet = [one.detail["quiet_rounds"] for one in descent.trace if one.name == "round ended"]
        assert quiet == [1, 2, 3]


@given(trees(), st.floats(0, 1))
def test_the_trace_tells_how_every_score_came_about(tree: Tree, propagation: float) -> None:
    descent = tree.descent(propagation)
    rounds = run(tree, descent)
    told = [step.detail for step in descent.trace if step.name == "folder opened"]
    folders = {one["folder"]: one["score"] for one in told}
    scores = {leaf: tree.leaves[leaf] for leaf in tree.found}
    for one in descent.lifted:
        assert one.own == tree.leaves[one.leaf]
        assert one.is_new == (one.leaf not in scores)
        mean = (1 - propagation) * one.own + propagation * folders[one.folder]
        assert one.score == pytest.approx(mean, abs=1e-4)
        scores[one.leaf] = one.score
    assert scores == descent.scores()
    assert list(folders) == [folder for one in rounds for folder in one]
    scored = {step.detail["folder"] for step in descent.trace if step.name == "children scored"}
    assert scored == folders.keys()
    lifted = [step for step in descent.trace if step.name in ("leaf added", "leaf raised")]
    assert [step.detail["leaf"] for step in lifted] == [one.leaf for one in descent.lifted]
