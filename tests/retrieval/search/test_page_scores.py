"""What a page says of a query counts beside its passages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.search.page_scores import PASSAGE_BYTES, Page, score_pages

SHORT = PASSAGE_BYTES


def test_a_page_that_speaks_of_the_question_throughout_is_worth_more_than_one_passage() -> None:
    scores = {1: 1.0, 2: 0.95, 3: 0.9, 4: 0.85}
    pages = {1: Page(10, SHORT), **{one: Page(20, 3 * SHORT) for one in (2, 3, 4)}}
    found = score_pages(scores, pages)
    assert found[2] == found[3] == found[4] > found[1]


def test_a_long_page_does_not_win_by_its_length() -> None:
    scores = {1: 1.0, 2: 0.9, 3: 0.5}
    pages = {1: Page(10, SHORT), 2: Page(20, 60 * SHORT), 3: Page(20, 60 * SHORT)}
    found = score_pages(scores, pages)
    assert found[1] > found[2]


def test_pages_of_one_passage_score_what_it_scores() -> None:
    scores = {1: 0.8, 2: 0.6, 3: 0.0}
    assert score_pages(scores, {one: Page(one, SHORT // one) for one in scores}) == pytest.approx(
        scores
    )


def test_what_has_no_page_or_no_score_has_none() -> None:
    assert score_pages({1: 1.0}, {}) == {}
    assert score_pages({1: 0.0}, {1: Page(10, 0)}) == {1: 0.0}


@given(st.dictionaries(st.integers(1, 50), st.tuples(st.floats(0, 1), st.integers(1, 5))))
def test_no_page_scores_more_than_the_best_passage(held: dict[int, tuple[float, int]]) -> None:
    scores = {one: score for one, (score, _) in held.items()}
    pages = {one: Page(document, 700 * document) for one, (_, document) in held.items()}
    found = score_pages(scores, pages)
    assert found.keys() == scores.keys()
    best = max(scores.values(), default=0.0)
    assert all(0 <= score <= best + 1e-9 for score in found.values())
