"""Fusion: bounded, the same in any order, every contribution told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.fusion import (
    CONFIDENT,
    SPEAKING,
    arm_weights,
    averaged,
    by_maximum,
    min_max,
    one_vote,
    ranked,
    reblended,
    reciprocal_ranks,
)

arm = st.dictionaries(st.integers(0, 12), st.floats(-1e6, 1e6), max_size=8)
scaled_arm = st.dictionaries(st.integers(0, 12), st.floats(0, 1), max_size=8)
NAMES = ("words", "meaning", "title")
WEIGHTS = {"words": 0.5, "meaning": 0.5, "title": 0.1}
arms = st.dictionaries(st.sampled_from(NAMES), scaled_arm)
weights = st.fixed_dictionaries({name: st.sampled_from([0.0, 0.1, 0.5]) for name in NAMES})

Arms = dict[str, dict[int, float]]


def total(given_: dict[int, dict[str, float]]) -> dict[int, float]:
    return {key: sum(shares.values()) for key, shares in given_.items()}


@given(arm)
def test_scaled_scores_fill_the_unit_interval(scores: dict[int, float]) -> None:
    scaled = min_max(scores)
    assert scaled.keys() == scores.keys()
    assert all(0 <= score <= 1 for score in scaled.values())
    assert not scores or max(scaled.values()) == 1


@given(arm)
def test_scaling_keeps_the_order(scores: dict[int, float]) -> None:
    scaled = min_max(scores)
    order = sorted(scores, key=scores.__getitem__)
    assert [scaled[key] for key in order] == sorted(scaled.values())


def test_equal_scores_all_count() -> None:
    assert min_max({1: 0.0, 2: 0.0}) == {1: 1.0, 2: 1.0}


def test_scores_with_a_zero_keep_it() -> None:
    assert by_maximum({1: 4.0, 2: 1.0, 3: 0.0}) == {1: 1.0, 2: 0.25, 3: 0.0}
    assert by_maximum({1: 0.0}) == {1: 0.0}
    assert by_maximum({}) == {}


@given(arms, weights)
def test_the_shares_of_every_key_sum_to_its_score_in_the_unit_interval(
    found: Arms, given_: dict[str, float]
) -> None:
    for fused in (averaged(found, given_), reciprocal_ranks(found, given_)):
        assert all(0 <= score <= 1 + 1e-9 for score in total(fused).values())
        assert all(share >= 0 for shares in fused.values() for share in shares.values())


@given(arms, weights)
def test_weights_of_those_that_vote_sum_to_one(found: Arms, given_: dict[str, float]) -> None:
    """A key that is best in every arm scores 1."""
    voting = {name: held for name, held in found.items() if any(held.values()) and given_[name]}
    agreed = {name: held | {99: 1.0} for name, held in voting.items()}
    if agreed:
        assert total(averaged(agreed, given_))[99] == pytest.approx(1)
        only = {name: {99: 1.0} for name in voting}
        assert total(reciprocal_ranks(only, given_))[99] == pytest.approx(1)


def test_each_share_is_weight_times_score() -> None:
    fused = averaged({"words": {1: 1.0, 2: 0.5}, "title": {1: 0.5}}, WEIGHTS)
    assert fused[1] == pytest.approx({"words": 0.5 / 0.6, "title": 0.1 / 0.6 * 0.5})
    assert fused[2] == pytest.approx({"words": 0.5 / 0.6 * 0.5, "title": 0})


@pytest.mark.parametrize("fuse", [averaged, reciprocal_ranks])
@pytest.mark.parametrize("silent", [{}, {1: 0.0, 2: 0.0}], ids=["empty", "zeros"])
def test_an_arm_that_found_nothing_has_no_vote(fuse, silent: dict[int, float]) -> None:  # type: ignore[no-untyped-def]
    words = {1: 1.0, 2: 0.4}
    assert fuse({"words": words, "meaning": silent}, WEIGHTS) == fuse({"words": words}, WEIGHTS)


@pytest.mark.parametrize("fuse", [averaged, reciprocal_ranks])
def test_an_arm_without_weight_has_no_vote(fuse) -> None:  # type: ignore[no-untyped-def]
    muted = WEIGHTS | {"meaning": 0.0}
    words = {1: 1.0, 2: 0.4}
    assert fuse({"words": words, "meaning": {3: 1.0}}, muted) == fuse({"words": words}, muted)
    assert fuse({"meaning": {3: 1.0}}, muted) == {}


def test_ranks_count_by_one_over_a_constant_and_the_rank() -> None:
    fused = reciprocal_ranks(
        {"words": {1: 0.9, 2: 0.8, 3: 0.1}, "meaning": {2: 0.7, 4: 0.0}}, WEIGHTS, 10
    )
    assert fused[1] == pytest.approx({"words": 0.5 * 11 / 11})
    assert fused[2] == pytest.approx({"words": 0.5 * 11 / 12, "meaning": 0.5})
    assert fused[3] == pytest.approx({"words": 0.5 * 11 / 13})
    assert 4 not in fused


def test_a_larger_constant_makes_ranks_matter_less() -> None:
    found = {"words": {1: 1.0, 2: 0.9}}
    assert total(reciprocal_ranks(found, WEIGHTS, 1))[2] == pytest.approx(2 / 3)
    assert total(reciprocal_ranks(found, WEIGHTS, 60))[2] == pytest.approx(61 / 62)


@given(arms, st.randoms())
def test_the_order_of_arms_and_keys_does_not_matter(found: Arms, random: st.DataObject) -> None:
    shuffled = {
        name: dict(random.sample(sorted(found[name].items()), len(found[name])))
        for name in random.sample(sorted(found), len(found))
    }
    for fuse in (averaged, reciprocal_ranks):
        assert total(fuse(shuffled, WEIGHTS)) == pytest.approx(total(fuse(found, WEIGHTS)))


@given(st.lists(scaled_arm, max_size=4))
def test_variants_have_one_vote(variants: list[dict[int, float]]) -> None:
    joined = one_vote(variants)
    assert joined.keys() == {key for one in variants for key in one}
    for key, score in joined.items():
        assert score == max(one[key] for one in variants if key in one)


@pytest.mark.parametrize(
    ("evidence", "gated", "words", "meaning"),
    [
        (1.0, False, 0.5, 0.5),
        (CONFIDENT, False, 0.5, 0.5),
        (CONFIDENT - 0.01, False, 0.25, 0.5),
        (0.0, False, 0.25, 0.5),
        (1.0, True, 0.5, 0.0),
        (SPEAKING, True, 0.25, 0.0),
        (SPEAKING - 0.01, True, 0.25, 0.5),
    ],
)
def test_an_arm_that_guesses_gives_way(
    evidence: float, gated: bool, words: float, meaning: float
) -> None:
    found = arm_weights(evidence, gated=gated)
    assert (found["words"], found["meaning"], found["title"]) == (words, meaning, 0.1)


def test_a_cosine_is_mixed_in() -> None:
    assert reblended(0.5, 1.0) == pytest.approx(0.65)
    assert reblended(0.5, 1.0, share=1) == 1


@given(arm, st.randoms())
def test_a_ranking_repeats(scores: dict[int, float], random: st.DataObject) -> None:
    shuffled = dict(random.sample(sorted(scores.items()), len(scores)))
    assert ranked(shuffled, 5) == ranked(scores, 5)


def test_a_key_that_both_arms_found_comes_first() -> None:
    fused = averaged({"words": {1: 1.0, 2: 0.9, 3: 0.0}, "meaning": {4: 1.0, 2: 0.9}}, WEIGHTS)
    assert ranked(total(fused), 1)[0][0] == 2


def test_a_ranking_keeps_the_best() -> None:
    assert ranked({1: 0.1, 2: 0.9, 3: 0.5}, 2) == [(2, 0.9), (3, 0.5)]
