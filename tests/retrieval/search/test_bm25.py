"""BM25: what its formula promises."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.search.bm25 import BM25, K1, PIVOT_LENGTH, idf, weigh_passage_terms

words = st.sampled_from(["index", "query", "term", "rank", "vector"])
passages = st.lists(st.lists(words, max_size=30), max_size=6)


@given(st.lists(words, min_size=1, max_size=200))
def test_a_weight_saturates_and_is_one_in_a_passage_of_pivot_length(terms: list[str]) -> None:
    assert set(weigh_passage_terms(terms)) == set(terms)
    assert all(0 < weight < K1 + 1 for weight in weigh_passage_terms(terms).values())
    pivot = weigh_passage_terms([str(number) for number in range(int(PIVOT_LENGTH))])
    assert pivot["0"] == pytest.approx(1.0)


def test_a_repeated_term_weighs_more_and_a_longer_passage_less() -> None:
    assert weigh_passage_terms(["a", "a", "b"])["a"] > weigh_passage_terms(["a", "c", "b"])["a"]
    assert weigh_passage_terms(["a", "b"])["a"] > weigh_passage_terms(["a"] + ["b"] * 50)["a"]


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_idf_is_positive_and_falls_with_df(df: int, count: int) -> None:
    assert idf(df, count) > 0
    assert math.isfinite(idf(df, count))
    assert idf(df, max(count, df + 1)) > idf(df + 1, max(count, df + 1))


@given(passages, st.dictionaries(words, st.floats(0.1, 5), max_size=4))
def test_a_passage_scores_where_a_term_matches(
    held: list[list[str]], query: dict[str, float]
) -> None:
    scores = BM25(held).scores(query)
    assert len(scores) == len(held)
    for score, terms in zip(scores, held, strict=True):
        assert (score > 0) == bool(query.keys() & set(terms))


def test_the_rarer_term_decides() -> None:
    common, rare = ["index", "x"], ["vector", "x"]
    scores = BM25([common, common, common, rare]).scores({"index": 1, "vector": 1})
    assert scores.index(max(scores)) == 3
