"""Grades: a word for evidence, and evidence of a cosine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.search.grading import (
    DENSE_FROM,
    DENSE_TO,
    MIN_MODERATE,
    MIN_STRONG,
    grade_relevance,
    score_dense_relevance,
)
from schema.documents import Hit
from schema.search import GRADES, SearchResult

share = st.floats(0, 1)


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (0, "weak"), (MIN_MODERATE - 0.01, "weak"), (MIN_MODERATE, "moderate"),
        (MIN_STRONG, "strong"), (1, "strong"),
    ],
)  # fmt: skip
def test_evidence_has_a_word(evidence: float, expected: str) -> None:
    assert grade_relevance(evidence, exact=False) == expected


@given(share, share)
def test_more_evidence_is_no_worse_and_what_was_looked_up_by_name_is_exact(
    one: float, other: float
) -> None:
    low, high = (grade_relevance(evidence, exact=False) for evidence in sorted((one, other)))
    assert GRADES.index(low) <= GRADES.index(high)
    assert grade_relevance(one, exact=True) == "exact"


@given(st.lists(st.sampled_from(GRADES)))
def test_the_best_grade_is_one_of_them(grades: list) -> None:
    hits = [Hit(chunk=1, document=1, score=1, relevance=1, grade=one) for one in grades]
    best = SearchResult(hits).grade
    assert best in (grades or ["weak"])
    assert all(GRADES.index(one) <= GRADES.index(best) for one in grades)


@pytest.mark.parametrize(
    ("deviations", "evidence"),
    [
        (-3, 0), (0, 0), (DENSE_FROM, 0), ((DENSE_FROM + DENSE_TO) / 2, 0.5), (DENSE_TO, 1),
        (DENSE_TO + 3, 1),
    ],
)  # fmt: skip
def test_a_cosine_counts_by_its_height_over_unrelated_ones(
    deviations: float, evidence: float
) -> None:
    mean, deviation = 0.7, 0.02
    cosine = mean + deviations * deviation
    assert score_dense_relevance(cosine, (mean, deviation)) == pytest.approx(evidence, abs=1e-9)


def test_without_a_background_the_model_is_taken_at_its_word() -> None:
    assert score_dense_relevance(0.01, None) == 1


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_a_background_without_spread_breaks_nothing(cosine: float, mean: float) -> None:
    assert 0 <= score_dense_relevance(cosine, (mean, 0.0)) <= 1
