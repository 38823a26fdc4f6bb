"""Boosts: what each is worth, and what is told of it."""

import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.search import boosts
from retrieval.search.boosts import apply_boosts
from retrieval.search.candidates import Candidate, sort_best_first
from schema.search import Boost

TODAY = date(2026, 1, 1)


def candidate(chunk: int = 1, score: float = 0.5, **known: object) -> Candidate:
    return Candidate(chunk=chunk, document=chunk, score=score, **known)  # type: ignore[arg-type]


def applied(candidates: list[Candidate], *on: Boost, **options: object) -> list[Candidate]:
    usual = {"query": "", "language": "en", "detail": "medium", "weights": {}, "today": TODAY}
    return apply_boosts(candidates, on, **usual | options)  # type: ignore[arg-type]


@given(st.floats(0.01, 1), st.floats(-1, 1))
def test_cosine_mixes_seven_to_three(score: float, cosine: float) -> None:
    factor = boosts.boost_by_cosine(candidate(score=score, cosine=cosine))
    assert score * factor == pytest.approx(0.7 * score + 0.3 * cosine)


def test_without_a_cosine_the_score_stays() -> None:
    assert boosts.boost_by_cosine(candidate(cosine=None)) == 1
    assert boosts.boost_by_cosine(candidate(score=0, cosine=0.9)) == 1


@pytest.mark.parametrize(
    ("uri", "factor"), [("file:///a/b/c", 2), ("file:///a/x", 0.5), ("file:///z", 1), ("", 1)]
)
def test_the_longest_beginning_of_a_place_counts(uri: str, factor: float) -> None:
    weights = {"file:///a/": 0.5, "file:///a/b": 2, "file:///a/b/d": 9}
    assert boosts.boost_by_path(candidate(uri=uri), weights) == factor


@pytest.mark.parametrize("links", [0, 1, 7])
def test_links_count_by_their_logarithm(links: int) -> None:
    expected = 1 + 0.05 * math.log(1 + links)
    assert boosts.boost_by_links(candidate(links_in=links)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("published", "factor"),
    [
        ("2026-01-01", 1.3),
        ("2025-10-03", 1.15),  # ninety days
        ("2025-10-03T10:00:00Z", 1.15),
        ("2025-10", 1 + 0.3 * 90 / (90 + 92)),
        ("2025", 1 + 0.3 * 90 / (90 + 365)),
        ("2026-01-02", 1),
        ("", 1),
        ("20", 1),
        ("2025-13-01", 1),
        ("soon", 1),
        ("last spring", 1),
    ],
)
def test_what_is_new_counts_more(published: str, factor: float) -> None:
    assert boosts.boost_by_recency(candidate(published=published), TODAY) == pytest.approx(factor)


@given(st.text(st.sampled_from("0123456789-T:Zabc "), max_size=14))
def test_no_date_of_a_source_breaks_recency(published: str) -> None:
    assert 1 <= boosts.boost_by_recency(candidate(published=published), TODAY) <= 1.3


@pytest.mark.parametrize(
    ("title", "query", "factor"),
    [
        ("Inverted Indexes", "how does an inverted index work", 1.25),
        ("Inverted indexes", "index, inverted", 1),
        ("Inverted indexes of today", "inverted index", 1),
        ("Herons", "where do herons fish", 1),
        ("What is the", "what is the heron", 1),
        ("", "inverted index", 1),
        ("read fileName", "how to read fileName quickly", 1.25),
    ],
)
def test_a_title_inside_the_query_counts(title: str, query: str, factor: float) -> None:
    assert boosts.boost_by_title_phrase(candidate(title=title), query, "en") == factor


def test_what_was_replaced_counts_half() -> None:
    assert boosts.demote_superseded(candidate(superseded=True)) == 0.5
    assert boosts.demote_superseded(candidate()) == 1


@pytest.mark.parametrize(
    ("kind", "detail", "factor"),
    [("timeline", "high", 1.25), ("timeline", "medium", 1), ("body", "high", 1)],
)
def test_the_whole_record_prefers_timelines(kind: str, detail: str, factor: float) -> None:
    assert boosts.boost_timeline(candidate(kind=kind), detail) == factor  # type: ignore[arg-type]


def test_boosts_are_told_in_the_order_of_their_working() -> None:
    one = candidate(
        kind="timeline", superseded=True, uri="a", links_in=3, published="2026", title="Red heron"
    )
    [changed] = applied(
        [one],
        "links", "superseded", "paths", "recency", "title_phrase",
        query="the red heron", detail="high", weights={"a": 2},
    )  # fmt: skip
    links = 1 + 0.05 * math.log(4)
    assert list(changed.why) == [
        "timeline ×1.25", f"links ×{links:.2f}", "superseded ×0.50", "paths ×2.00",
        "recency ×1.30", "title phrase ×1.25",
    ]  # fmt: skip
    assert changed.score == pytest.approx(0.5 * 1.25 * links * 0.5 * 2 * 1.3 * 1.25)


def test_a_boost_sees_the_score_as_those_before_left_it() -> None:
    one = candidate(score=0.8, cosine=0.2, superseded=True)
    [first] = applied([one], "cosine", "superseded")
    [last] = applied([one], "superseded", "cosine")
    assert first.score == pytest.approx((0.7 * 0.8 + 0.3 * 0.2) * 0.5)
    assert last.score == pytest.approx(0.7 * 0.4 + 0.3 * 0.2)


def test_a_boost_that_is_off_changes_nothing() -> None:
    one = candidate(superseded=True, links_in=9, published="2026", cosine=0.1)
    assert applied([one]) == [one]


def test_what_has_no_say_is_not_told() -> None:
    [changed] = applied([candidate()], "links", "superseded", "recency", "paths", "cosine")
    assert changed.why == ()


def test_boosts_put_the_best_first() -> None:
    replaced, kept = candidate(1, 0.9, superseded=True), candidate(2, 0.5)
    assert [one.chunk for one in applied([replaced, kept], "superseded")] == [2, 1]


def test_exact_ones_come_first_then_scores_then_chunks() -> None:
    given_ = [
        candidate(4, 0.9),
        candidate(3, 0.9),
        candidate(2, 0.1, exact=True),
        candidate(1, 0.2),
    ]
    assert [one.chunk for one in sort_best_first(given_)] == [2, 3, 4, 1]
