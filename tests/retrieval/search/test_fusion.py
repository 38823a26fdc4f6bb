"""Fusion: bounded, the same in any order, every contribution told."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.search.fusion import (
    MIN_LEXICAL_RELEVANCE,
    blend_cosine,
    fuse_by_average,
    fuse_by_reciprocal_rank,
    merge_variants,
    scale_by_maximum,
    scale_min_max,
    take_best,
    weigh_retrievers,
)

retriever = st.dictionaries(st.integers(0, 12), st.floats(-1e6, 1e6), max_size=8)
scaled_retriever = st.dictionaries(st.integers(0, 12), st.floats(0, 1), max_size=8)
NAMES = ("lexical", "dense", "title")
WEIGHTS = {"lexical": 0.5, "dense": 0.5, "title": 0.1}
retrievers = st.dictionaries(st.sampled_from(NAMES), scaled_retriever)
weights = st.fixed_dictionaries({name: st.sampled_from([0.0, 0.1, 0.5]) for name in NAMES})

Retrievers = dict[str, dict[int, float]]


def total(given_: dict[int, dict[str, float]]) -> dict[int, float]:
    return {key: sum(shares.values()) for key, shares in given_.items()}


@given(retriever)
def test_scaled_scores_fill_the_unit_interval_in_their_order(scores: dict[int, float]) -> None:
    scaled = scale_min_max(scores)
    order = sorted(scores, key=scores.__getitem__)
    assert [scaled[key] for key in order] == sorted(scaled.values())
    assert all(0 <= score <= 1 for score in scaled.values())
    assert not scores or max(scaled.values()) == 1


def test_equal_scores_all_count() -> None:
    assert scale_min_max({1: 0.0, 2: 0.0}) == {1: 1.0, 2: 1.0}


def test_scores_with_a_zero_keep_it() -> None:
    assert scale_by_maximum({1: 4.0, 2: 1.0, 3: 0.0}) == {1: 1.0, 2: 0.25, 3: 0.0}
    assert scale_by_maximum({1: 0.0}) == {1: 0.0}
    assert scale_by_maximum({}) == {}


@given(retrievers, weights)
def test_the_shares_of_every_key_sum_to_its_score_in_the_unit_interval(
    found: Retrievers, given_: dict[str, float]
) -> None:
    for fused in (fuse_by_average(found, given_), fuse_by_reciprocal_rank(found, given_)):
        assert all(0 <= score <= 1 + 1e-9 for score in total(fused).values())
        assert all(share >= 0 for shares in fused.values() for share in shares.values())


@given(retrievers, weights)
def test_weights_of_those_that_vote_sum_to_one(found: Retrievers, given_: dict[str, float]) -> None:
    """A key that is best in every retriever scores 1."""
    voting = {name: held for name, held in found.items() if any(held.values()) and given_[name]}
    agreed = {name: held | {99: 1.0} for name, held in voting.items()}
    if agreed:
        assert total(fuse_by_average(agreed, given_))[99] == pytest.approx(1)
        only = {name: {99: 1.0} for name in voting}
        assert total(fuse_by_reciprocal_rank(only, given_))[99] == pytest.approx(1)


def test_each_share_is_weight_times_score() -> None:
    fused = fuse_by_average({"lexical": {1: 1.0, 2: 0.5}, "title": {1: 0.5}}, WEIGHTS)
    assert fused[1] == pytest.approx({"lexical": 0.5 / 0.6, "title": 0.1 / 0.6 * 0.5})
    assert fused[2] == pytest.approx({"lexical": 0.5 / 0.6 * 0.5, "title": 0})


@pytest.mark.parametrize("fuse", [fuse_by_average, fuse_by_reciprocal_rank])
def test_a_retriever_that_found_nothing_or_has_no_weight_has_no_vote(fuse: Any) -> None:
    words, muted = {1: 1.0, 2: 0.4}, WEIGHTS | {"dense": 0.0}
    alone = fuse({"lexical": words}, WEIGHTS)
    assert fuse({"lexical": words, "dense": {}}, WEIGHTS) == alone
    assert fuse({"lexical": words, "dense": {1: 0.0, 2: 0.0}}, WEIGHTS) == alone
    assert fuse({"lexical": words, "dense": {3: 1.0}}, muted) == alone
    assert fuse({"dense": {3: 1.0}}, muted) == {}


def test_ranks_count_by_one_over_a_constant_and_the_rank() -> None:
    fused = fuse_by_reciprocal_rank(
        {"lexical": {1: 0.9, 2: 0.8, 3: 0.1}, "dense": {2: 0.7, 4: 0.0}}, WEIGHTS, 10
    )
    assert fused[1] == pytest.approx({"lexical": 0.5 * 11 / 11, "dense": 0})
    assert fused[2] == pytest.approx({"lexical": 0.5 * 11 / 12, "dense": 0.5})
    assert fused[3] == pytest.approx({"lexical": 0.5 * 11 / 13, "dense": 0})
    assert 4 not in fused


def test_a_larger_constant_makes_ranks_matter_less() -> None:
    found = {"lexical": {1: 1.0, 2: 0.9}}
    assert total(fuse_by_reciprocal_rank(found, WEIGHTS, 1))[2] == pytest.approx(2 / 3)
    assert total(fuse_by_reciprocal_rank(found, WEIGHTS, 60))[2] == pytest.approx(61 / 62)


@given(retrievers, st.randoms())
def test_the_order_of_retrievers_and_keys_does_not_matter(
    found: Retrievers, random: st.DataObject
) -> None:
    shuffled = {
        name: dict(random.sample(sorted(found[name].items()), len(found[name])))
        for name in random.sample(sorted(found), len(found))
    }
    for fuse in (fuse_by_average, fuse_by_reciprocal_rank):
        assert total(fuse(shuffled, WEIGHTS)) == pytest.approx(total(fuse(found, WEIGHTS)))


@given(st.lists(scaled_retriever, max_size=4))
def test_variants_have_one_vote(variants: list[dict[int, float]]) -> None:
    joined = merge_variants(variants)
    assert joined.keys() == {key for one in variants for key in one}
    for key, score in joined.items():
        assert score == max(one[key] for one in variants if key in one)


@pytest.mark.parametrize(
    ("evidence", "gated", "lexical", "dense"),
    [
        (1.0, False, 0.6, 0.5), (2 / 3, False, 0.5, 0.5),
        (0.5, False, 0.375, 0.5), (0.0, False, 0.15, 0.5),
        (1.0, True, 0.6, 0.0), (MIN_LEXICAL_RELEVANCE, True, 0.15, 0.0),
        (MIN_LEXICAL_RELEVANCE - 0.01, True, 0.15, 0.5),
    ],
)  # fmt: skip
def test_a_retriever_that_guesses_gives_way(
    evidence: float, gated: bool, lexical: float, dense: float
) -> None:
    found = weigh_retrievers(evidence, gated=gated)
    assert found == pytest.approx({"lexical": lexical, "dense": dense, "title": 0.1})


def test_a_cosine_is_mixed_in() -> None:
    assert blend_cosine(0.5, 1.0) == pytest.approx(0.65)
    assert blend_cosine(0.5, 1.0, share=1) == 1


@given(retriever, st.randoms())
def test_a_ranking_repeats(scores: dict[int, float], random: st.DataObject) -> None:
    shuffled = dict(random.sample(sorted(scores.items()), len(scores)))
    assert take_best(shuffled, 5) == take_best(scores, 5)


def test_a_key_that_both_retrievers_found_comes_first() -> None:
    fused = fuse_by_average(
        {"lexical": {1: 1.0, 2: 0.9, 3: 0.0}, "dense": {4: 1.0, 2: 0.9}}, WEIGHTS
    )
    assert take_best(total(fused), 1)[0][0] == 2


def test_a_ranking_keeps_the_best() -> None:
    assert take_best({1: 0.1, 2: 0.9, 3: 0.5}, 2) == [(2, 0.9), (3, 0.5)]
