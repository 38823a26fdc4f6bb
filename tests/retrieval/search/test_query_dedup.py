"""Which queries are new."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.search.query_dedup import find_new_by_vectors, find_new_by_words

words = st.lists(
    st.sampled_from(["turbine", "gearbox", "the", "of", "wind", "2023", "rotor", "風力"]),
    max_size=6,
).map(" ".join)


@pytest.mark.parametrize(
    "again",
    [
        "gearbox failures of wind turbines",
        "Gearbox failures: wind turbines?",
        "What are the failures of the gearbox of a wind turbine?",
        "wind turbine gearbox failures 2023",
        "wind turbine gearbox failure",
    ],
)
def test_the_same_words_are_no_new_query(again: str) -> None:
    assert find_new_by_words([again], ["wind turbine gearbox failures"]) == []


@pytest.mark.parametrize(
    "other",
    [
        "wind turbine blade erosion", "gearbox bearings lubrication standards",
        "wind turbine gearbox failures Denmark offshore repair costs", "turbina eólica", "wind",
    ],
)  # fmt: skip
def test_another_subject_is(other: str) -> None:
    assert find_new_by_words([other], ["wind turbine gearbox failures"]) == [0]


def test_candidates_are_compared_with_each_other_and_the_first_stays() -> None:
    asked = ["rotor noise", "Rotor noise?", "tower height", "noise of the rotor"]
    assert find_new_by_words(asked, []) == [0, 2]
    assert find_new_by_words(["", "?"], []) == [0]


@given(st.lists(words, max_size=6), st.lists(words, max_size=4))
def test_what_is_new_is_new_among_itself_and_nothing_tried_is(
    candidates: list[str], tried: list[str]
) -> None:
    places = find_new_by_words(candidates, tried)
    kept = [candidates[place] for place in places]
    assert places == sorted(set(places))
    assert find_new_by_words(kept, tried) == list(range(len(kept)))
    assert find_new_by_words(kept, [*tried, *kept]) == []


def test_vectors_draw_the_line_at_a_cosine() -> None:
    def at(cosine: float) -> list[float]:
        return [cosine, (1 - cosine**2) ** 0.5, 0]

    tried = np.array([[2, 0, 0]], np.float32)
    candidates = np.array([at(0.87), at(0.85), at(0.84), [0, 0, 5]], np.float32)
    assert find_new_by_vectors(candidates, tried) == [1, 3]
    assert find_new_by_vectors(candidates[:1], np.empty((0, 3), np.float32)) == [0]
    assert find_new_by_vectors(np.zeros((2, 3), np.float32), tried) == [0, 1]
