"""The pool: every chunk once, every source one number."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from retrieval.passages.pool import (
    MAX_POOL_PASSAGES,
    MIN_BEST_RELEVANCE,
    MIN_COVERAGE,
    MIN_RELEVANCE,
    deduplicate_questions,
    make_scores_comparable,
    merge_hits,
    number_sources,
    select_relevant_hits,
)
from schema.documents import Hit
from schema.search import SearchResult


def hit(chunk: int, score: float, evidence: float = 1.0) -> Hit:
    return Hit(chunk=chunk, document=chunk % 3, score=score, relevance=evidence)


unit = st.floats(0, 1)
hits = st.lists(st.builds(hit, st.integers(0, 9), unit, unit), max_size=40)


@given(hits)
def test_a_chunk_enters_once_with_its_best_score(found: list[Hit]) -> None:
    pool = merge_hits(found)
    assert sorted(one.chunk for one in pool) == sorted({one.chunk for one in found})
    for one in pool:
        assert one.score == max(other.score for other in found if other.chunk == one.chunk)


@given(st.lists(hits, max_size=4))
def test_searches_count_by_their_best_evidence(found: list[list[Hit]]) -> None:
    scaled = make_scores_comparable(found)
    most = max((one.relevance for hits in found for one in hits), default=0.0)
    for before, after in zip(found, scaled, strict=True):
        own = max((one.relevance for one in before), default=0.0)
        for old, new in zip(before, after, strict=True):
            assert new == replace(old, score=old.score * own / (most or 1.0))


def test_what_was_looked_up_by_name_has_all_the_evidence_there_is() -> None:
    named = replace(hit(1, 1.0, evidence=0.1), grade="exact")
    assert make_scores_comparable([[named], [hit(2, 1.0, 0.5)]]) == [[named], [hit(2, 0.5, 0.5)]]


def test_a_hit_without_evidence_stays_out_however_high_its_score() -> None:
    found = SearchResult([hit(1, 1.0, evidence=MIN_RELEVANCE - 0.01), hit(2, 0.1)])
    assert select_relevant_hits(found) == [hit(2, 0.1)]


def test_a_question_that_no_passage_speaks_of_brings_none() -> None:
    weak = [hit(chunk, 1.0, MIN_BEST_RELEVANCE - 0.01) for chunk in range(3)]
    assert select_relevant_hits(SearchResult(weak, coverage=MIN_COVERAGE - 0.01)) == []
    assert (
        select_relevant_hits(SearchResult(weak, coverage=MIN_COVERAGE)) == weak
    )  # each holds a part of it
    assert select_relevant_hits(SearchResult(weak), chosen=True) == weak


def test_what_several_questions_found_comes_first() -> None:
    assert [one.chunk for one in merge_hits([hit(1, 0.52), hit(2, 0.5), hit(2, 0.4)])] == [2, 1]


def test_the_pool_has_a_largest_size() -> None:
    pool = merge_hits(hit(chunk, chunk / 1000) for chunk in range(MAX_POOL_PASSAGES + 50))
    assert len(pool) == MAX_POOL_PASSAGES
    assert pool[0].chunk == MAX_POOL_PASSAGES + 49


@given(st.lists(st.lists(st.integers(0, 20), max_size=10), max_size=5))
def test_numbers_are_given_once_and_kept(rounds: list[list[int]]) -> None:
    numbers: dict[int, int] = {}
    for documents in rounds:
        before, known = dict(numbers), numbers
        numbers = number_sources(known, documents)
        assert known == before  # its input is left alone
        assert before.items() <= numbers.items()
        assert set(numbers) == before.keys() | set(documents)
        assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))


def test_questions_that_differ_in_form_only_are_one() -> None:
    asked = ["What is BM25?", "what  is bm25", "什么是BM25？", "什么是BM25", "?", " ", "Why?"]
    assert deduplicate_questions(asked) == ["What is BM25?", "什么是BM25？", "Why?"]


@given(st.lists(st.text(max_size=10)))
def test_distinct_questions_stay_distinct(asked: list[str]) -> None:
    kept = deduplicate_questions(asked)
    assert deduplicate_questions(kept) == kept
    assert set(kept) <= set(asked)
