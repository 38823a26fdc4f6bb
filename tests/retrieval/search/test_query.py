"""A query, read: its words, their values, the evidence of a text, the detail wanted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.search.bm25 import idf
from retrieval.search.query import (
    QueryWord,
    RelevanceScorer,
    analyse_query,
    infer_detail,
    weigh_query_terms,
)
from text.tokens import STOPWORD_WEIGHT, hash_term, tokenise, tokenise_query

words = st.lists(
    st.builds(
        QueryWord,
        st.frozensets(st.integers(0, 9), min_size=1, max_size=3),
        st.sampled_from([0.1, 1.0]),
    ),
    max_size=6,
)
df = st.dictionaries(st.integers(0, 9), st.integers(1, 50))


def of(text: str, language: str = "") -> set[int]:
    return {hash_term(term) for term in tokenise(text, language)}


def test_a_query_s_words_are_stemmed_in_every_language_of_the_documents_in_order() -> None:
    [word] = analyse_query("running", {"en": 3, "de": 1}).words
    assert word.terms == of("running", "en") | of("running", "de")
    assert len(word.terms) == 2
    bare = analyse_query("Running cats", {}).words
    assert [word.terms for word in bare] == [of("running"), of("cats")]
    read = analyse_query("to be or not to be", {"en": 1})
    assert [set(word.terms) for word in read.words] == [
        {hash_term(term) for term in variants} for variants in tokenise_query(read.text, ["en"])
    ]
    assert read.words[0] == read.words[4]  # repeats stay


def test_function_words_weigh_less() -> None:
    the, heron = analyse_query("the heron", {"en": 1}).words
    assert (the.weight, heron.weight) == (STOPWORD_WEIGHT, 1)


@pytest.mark.parametrize(
    ("languages", "expected"), [({"de": 2, "fr": 1}, "de"), ({"fr": 1, "de": 1}, "de"), ({}, "en")]
)
def test_a_query_too_short_to_tell_is_in_the_commonest_language(
    languages: dict[str, int], expected: str
) -> None:
    assert analyse_query("42", languages).language == expected


def test_a_query_is_read_in_its_own_language() -> None:
    assert (
        analyse_query("Was speichert eine große Datenbank im Keller?", {"en": 9}).language == "de"
    )


@given(words, df, st.integers(0, 50))
def test_a_terms_value_is_the_sum_over_its_words(
    asked: list[QueryWord], known: dict[int, int], texts: int
) -> None:
    values = weigh_query_terms(asked, known, texts)
    assert values.keys() == {term for word in asked for term in word.terms}
    for term, value in values.items():
        weight = sum(word.weight for word in asked if term in word.terms)
        assert value == pytest.approx(weight * idf(known.get(term, 0), texts))


@given(words, df, st.integers(0, 50), st.sets(st.integers(0, 12)), st.sets(st.integers(0, 12)))
def test_evidence_grows_with_what_is_held(
    asked: list[QueryWord], known: dict[int, int], texts: int, one: set[int], more: set[int]
) -> None:
    evidence = RelevanceScorer(asked, known, texts)
    every = {term for word in asked for term in word.terms}
    assert evidence.score(set()) == 0
    assert evidence.score(one) <= evidence.score(one | more) + 1e-9
    assert evidence.score(every) == pytest.approx(1 if asked else 0)


def test_any_form_of_a_word_counts_once_by_how_much_it_says() -> None:
    word, other = QueryWord(frozenset([1, 2]), 1), QueryWord(frozenset([3]), 1)
    the = QueryWord(frozenset([3]), STOPWORD_WEIGHT)
    evidence = RelevanceScorer([word, word, word, other], {}, 0)
    assert [evidence.score(held) for held in ([1], [2], [1, 2])] == pytest.approx([0.5] * 3)
    assert RelevanceScorer([the, word], {}, 0).score([3]) == pytest.approx(0.1 / 1.1)
    # a word that nobody knows weighs most
    expected = (1 + idf(500, 1000)) / (2 + idf(500, 1000) + idf(0, 1000))
    assert RelevanceScorer([word, other], {1: 500, 2: 500}, 1000).score([1]) == pytest.approx(
        expected
    )
    assert expected < 0.25


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("What is a heron?", "low"), ("who was Ada Lovelace", "low"), ("what's BM25", "low"),
        ("Was ist ein Reiher?", "low"), ("Wer sind die Maurer?", "low"),
        ("Qu'est-ce que le BM25 ?", "low"), ("Qué es un índice", "low"),
        ("倒排索引是什么？", "low"), ("When did the project start?", "high"),
        ("What is the history of the index?", "high"), ("changes since 2019", "high"),
        ("latest release", "high"), ("Wann wurde sie gebaut?", "high"), ("Depuis quand ?", "high"),
        ("¿Cuándo empezó?", "high"), ("Когда началось?", "high"), ("什么时候发布", "high"),
        ("いつ始まりましたか", "high"), ("How does the index score a query?", "medium"),
        ("What is " + "a very long question about many things " * 3, "medium"),
        ("somewhat is odd", "medium"), ("whenever", "medium"), ("", "medium"),
    ],
)  # fmt: skip
def test_the_detail_that_a_query_wants(text: str, detail: str) -> None:
    assert infer_detail(text) == detail


@given(st.text())
def test_any_text_wants_some_detail(text: str) -> None:
    assert infer_detail(text) in ("low", "medium", "high")
