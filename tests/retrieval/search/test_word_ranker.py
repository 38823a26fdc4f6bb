"""Ranking by words alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.search.bm25 import TermCounts
from retrieval.search.word_ranker import WordRanker, score_by_words


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=4))
def test_every_text_gets_a_score(query: str, texts: list[str]) -> None:
    scores = score_by_words(query, texts)
    assert len(scores) == len(texts)
    assert all(score >= 0 for score in scores)


def test_the_text_about_the_query_comes_first_and_one_without_a_word_of_it_scores_nothing() -> None:
    texts = ["The cat sat on what the mat was.", "An index maps terms to passages.", ""]
    scores = score_by_words("What is the index of a passage?", texts)
    assert scores[1] > scores[0] > scores[2] == 0
    assert score_by_words("volcano", texts) == [0, 0, 0]


@pytest.mark.parametrize(
    ("query", "good", "bad"),
    [
        ("Datenbanken speichern", "Die Datenbank speichert den Index.", "Der Hund schläft heute."),
        ("检索系统", "信息检索系统保存索引。", "今天天气很好，我们去公园。"),
        ("الفهرس", "يحفظ الفهرس كل كلمة في النص.", "الكلب نائم في البيت اليوم."),
    ],
)
def test_other_languages_rank_too(query: str, good: str, bad: str) -> None:
    scores = score_by_words(query, [bad, good])
    assert scores[1] > scores[0]


def test_a_word_that_is_rare_in_the_library_tells_more_than_one_that_is_rare_among_the_found() -> (
    None
):
    texts = ["the vacuum of a heron", "a busy bee", "vacuum and vacuum", "the vacuum is old"]
    ranker = WordRanker(texts, "en")
    among_the_found = ranker.scores("busy vacuum")
    assert among_the_found[1] > among_the_found[2]
    terms = ranker.list_terms(["busy vacuum"])
    counts = TermCounts(1_000, {term: 5 if term.startswith("vacu") else 400 for term in terms})
    in_the_library = ranker.scores("busy vacuum", counts)
    assert in_the_library[2] > in_the_library[1] > 0
