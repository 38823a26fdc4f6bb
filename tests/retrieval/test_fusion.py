"""Fusion: bounded, the same in any order, an arm that found nothing has no vote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.fusion import average, min_max, ranked

arm = st.dictionaries(st.integers(0, 12), st.floats(-1e6, 1e6), max_size=8)
arms = st.lists(arm, max_size=3)


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


@given(arms)
def test_fused_scores_lie_in_the_unit_interval(found: list[dict[int, float]]) -> None:
    fused = average(found)
    assert fused.keys() == {key for one in found for key in one}
    assert all(0 <= score <= 1 for score in fused.values())


@given(arms, st.randoms())
def test_the_order_of_arms_and_keys_does_not_matter(
    found: list[dict[int, float]], random: st.DataObject
) -> None:
    shuffled = [dict(random.sample(sorted(one.items()), len(one))) for one in found]
    random.shuffle(shuffled)
    assert average(shuffled) == pytest.approx(average(found))


@given(arm, st.randoms())
def test_a_ranking_repeats(scores: dict[int, float], random: st.DataObject) -> None:
    shuffled = dict(random.sample(sorted(scores.items()), len(scores)))
    assert ranked(shuffled, 5) == ranked(scores, 5)


def test_an_empty_arm_has_no_vote() -> None:
    assert average([{1: 3.0, 2: 1.0}, {}]) == average([{1: 3.0, 2: 1.0}])


def test_a_key_that_both_arms_found_comes_first() -> None:
    fused = average([{1: 9.0, 2: 8.0, 3: 0.0}, {4: 0.9, 2: 0.8, 5: 0.1}])
    assert ranked(fused, 1)[0][0] == 2


def test_equal_scores_all_count() -> None:
    assert min_max({1: 0.0, 2: 0.0}) == {1: 1.0, 2: 1.0}


def test_a_ranking_keeps_the_best() -> None:
    assert ranked({1: 0.1, 2: 0.9, 3: 0.5}, 2) == [(2, 0.9), (3, 0.5)]
