"""The inverted index: packed postings score as plain BM25 does."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.search.bm25 import idf, weigh_passage_terms
from retrieval.search.bm25_scores import BM25Scores, Postings
from retrieval.search.inverted_index import (
    BLOCK_SIZE,
    ENTRY,
    Entries,
    TermVector,
    find_touched_blocks,
    pack_postings,
    remove_ids,
)
from retrieval.search.query import QueryWord, weigh_query_terms

BASES = (0, BLOCK_SIZE - 3, 7 * BLOCK_SIZE, 2**31 - 4, 2**31 + 5 * BLOCK_SIZE, 2**40)
ids = st.builds(lambda base, place: base + place, st.sampled_from(BASES), st.integers(0, 8))
terms = st.sampled_from([0, 1, 2, 3, 999_999_936])
library = st.dictionaries(ids, st.lists(terms, max_size=12), max_size=20)
query = st.lists(st.tuples(st.frozensets(terms, min_size=1, max_size=2), st.floats(0.1, 1)))
quick = settings(max_examples=60, deadline=None)

Texts = Mapping[int, Sequence[int]]


def rows(texts: Texts) -> dict[tuple[int, int], bytes]:
    given_ = [(identity, TermVector.from_terms(held)) for identity, held in texts.items()]
    found = list(pack_postings(Entries.from_texts(given_)))
    assert len({row[:2] for row in found}) == len(found)
    return {(term, block): entries for term, block, entries in found}


def counts(texts: Texts) -> dict[int, int]:
    every = [term for held in texts.values() for term in set(held)]
    return {term: every.count(term) for term in every}


def scores(texts: Texts, words: list[QueryWord]) -> BM25Scores:
    df, wanted = counts(texts), {term for word in words for term in word.terms}
    read = {key: entries for key, entries in rows(texts).items() if key[0] in wanted}
    return BM25Scores(joined(read), weigh_query_terms(words, df, len(texts)))


def joined(read: Mapping[tuple[int, int], bytes]) -> Postings:
    """Rows of terms and blocks as a statement hands them over."""
    columns = [(term, block, len(entries) // 4, 1) for (term, block), entries in read.items()]
    return Postings(np.array(columns, np.int64).reshape(-1, 4).T, b"".join(read.values()))


def asked(given_: list[tuple[frozenset[int], float]]) -> list[QueryWord]:
    return [QueryWord(held, weight) for held, weight in given_]


def plain(texts: Texts, words: list[QueryWord]) -> dict[int, float]:
    """BM25 word by word, over dictionaries."""
    df = counts(texts)
    return {
        identity: sum(
            word.weight * idf(df[term], len(texts)) * weighted[term]
            for word in words
            for term in word.terms
            if term in weighted
        )
        for identity, weighted in ((one, weigh_passage_terms(held)) for one, held in texts.items())  # type: ignore[arg-type]
    }


@quick
@given(library, query)
def test_scores_are_those_of_plain_bm25(texts: Texts, given_: list) -> None:
    words = asked(given_)
    order = list(texts)
    found = scores(texts, words).scores_for(np.array(order, np.int64))
    expected = plain(texts, words)
    assert found == pytest.approx([expected[one] for one in order], rel=2**-10)


@quick
@given(library, query, st.integers(1, 25), st.sets(ids))
def test_the_best_come_first_and_ties_by_id_also_among_some(
    texts: Texts, given_: list, limit: int, some: set[int]
) -> None:
    held = scores(texts, asked(given_))
    every = np.array(list(texts), np.int64)
    known = dict(zip(every.tolist(), held.scores_for(every).tolist(), strict=True))
    order = [one for _, one in sorted((-score, one) for one, score in known.items() if score > 0)]
    assert held.best(limit) == order[:limit]
    among = np.array(sorted(some), np.int64)
    assert held.best(limit, among) == [one for one in order if one in some][:limit]


def test_of_equal_scores_the_lowest_ids_stay() -> None:
    texts = {one: [7] for one in (5, BLOCK_SIZE + 1, 3 * BLOCK_SIZE, 2**31 + 1)}
    found = scores(texts, [QueryWord(frozenset([7]), 1)]).best(3)
    assert found == [5, BLOCK_SIZE + 1, 3 * BLOCK_SIZE]


@quick
@given(library, query, st.lists(ids, unique=True))
def test_holding_names_the_terms_of_the_query(texts: Texts, given_: list, asked_: list) -> None:
    words = asked(given_)
    wanted = {term for word in words for term in word.terms}
    found = scores(texts, words).find_matched_terms(np.array(asked_, np.int64))
    assert found == [wanted & set(texts.get(one, ())) for one in asked_]


def test_unknown_texts_score_nothing() -> None:
    held = scores({5: [7]}, [QueryWord(frozenset([7]), 1)])
    unknown = np.array([4, 6, BLOCK_SIZE + 5, 2**50], np.int64)
    assert held.scores_for(unknown).tolist() == [0, 0, 0, 0]
    assert held.find_matched_terms(unknown) == [set()] * 4


def test_nothing_indexed_scores_nothing() -> None:
    held = BM25Scores(joined({}), {})
    assert held.best(5) == []
    assert held.scores_for(np.array([1, 2], np.int64)).tolist() == [0, 0]


def test_a_term_without_entries_is_not_scored() -> None:
    [(_, block, entries)] = pack_postings(Entries.from_texts([(3, TermVector.from_terms([8]))]))
    given_ = Postings(np.array([[7, 8], [0, block], [9, 1], [0, 1]]), entries)
    assert given_.count_texts() == {7: 9, 8: 1}
    held = BM25Scores(given_, {7: 1.0, 8: 1.0})
    assert held.best(5) == [3]
    assert held.find_matched_terms(np.array([3], np.int64)) == [{8}]


@quick
@given(library, st.data())
def test_packing_in_turns_and_joining_equals_packing_all(
    texts: dict[int, list[int]], data: st.DataObject
) -> None:
    order = sorted(texts)
    cut = data.draw(st.integers(0, len(order)))
    joined: dict[tuple[int, int], bytes] = {}
    for part in (order[:cut], order[cut:]):
        for key, entries in rows({one: texts[one] for one in part}).items():
            joined[key] = joined.get(key, b"") + entries
    assert joined == rows({one: texts[one] for one in order})


@quick
@given(library, st.randoms())
def test_the_order_of_texts_does_not_matter(
    texts: dict[int, list[int]], random: st.DataObject
) -> None:
    shuffled = random.sample(sorted(texts), len(texts))
    assert rows({one: texts[one] for one in shuffled}) == rows(texts)


@quick
@given(library, st.sets(ids))
def test_taking_texts_out_leaves_the_others(texts: Texts, gone: set[int]) -> None:
    texts_gone = [
        (one, TermVector.from_terms(texts[one]).ids.tobytes()) for one in gone & texts.keys()
    ]
    keys = find_touched_blocks(texts_gone)
    left = {
        key: remove_ids(key[1], entries, np.array(sorted(gone), np.int64))
        if key in keys
        else entries
        for key, entries in rows(texts).items()
    }
    kept = {one: held for one, held in texts.items() if one not in gone}
    assert {key: entries for key, entries in left.items() if entries} == rows(kept)


def test_the_same_place_of_another_block_stays() -> None:
    texts = [(2 * BLOCK_SIZE + 9, TermVector.from_terms([1]))]
    [(_, block, entries)] = pack_postings(Entries.from_texts(texts))
    assert remove_ids(block, entries, np.array([9, BLOCK_SIZE + 9], np.int64)) == entries
    assert remove_ids(block, entries, np.array([2 * BLOCK_SIZE + 9], np.int64)) == b""


def test_an_entry_takes_four_bytes() -> None:
    texts = {one: [1] for one in range(10)}
    [entries] = rows(texts).values()
    assert len(entries) == 4 * len(texts)
    assert np.frombuffer(entries, ENTRY)["place"].tolist() == list(range(10))
