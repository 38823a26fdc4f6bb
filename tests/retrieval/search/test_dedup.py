"""Choosing passages: nothing twice, no source lost, no kind alone, summaries where they exist."""

import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from retrieval.search.candidates import Candidate
from retrieval.search.dedup import (
    MAX_KIND_SHARE,
    MAX_MIRRORS,
    SAME_FACT,
    SAME_TEXT,
    SelectedPassage,
    deduplicate,
)
from schema.search import SUMMARIES
from text.tokens import hash_term, tokenise

ROOT = Path(__file__).parents[3]


def item(chunk: int, document: int, text: str = "", kind: str = "body") -> Candidate:
    """A candidate; without a text it has one that shares no word with any other."""
    own = " ".join(f"c{chunk}w{number}" for number in range(8))
    text = text or own
    words = frozenset(map(hash_term, tokenise(text)))
    return Candidate(chunk=chunk, document=document, kind=kind, text=text, term_ids=words)


def version(subject: int, changed: int) -> str:
    """A text of 40 words, the last few of them changed.

    Versions with 0 and 2 changed words are one text, with 0 and 4 copies but not one text, with 0
    and 6 neither.
    """
    words = [f"s{subject}w{number}" for number in range(40 - changed)]
    return " ".join([*words, *(f"s{subject}v{changed}w{number}" for number in range(changed))])


def candidates(
    kinds: Sequence[str], text: st.SearchStrategy[str]
) -> st.SearchStrategy[list[Candidate]]:
    rows = st.lists(st.tuples(st.integers(0, 7), text, st.sampled_from(kinds)), max_size=25)
    return rows.map(lambda found: [item(chunk, *row) for chunk, row in enumerate(found)])


KINDS = ("body", "body", "body", "code", "timeline", "abstract", "overview")
DETAILS = ("body", "body", "body", "code", "timeline")
versions = st.builds(version, st.integers(0, 5), st.sampled_from([0, 2, 4, 6]))
found = candidates(KINDS, versions)
unlike = candidates(KINDS, st.just(""))
limits = st.integers(1, 12)
caps = st.integers(1, 4)


def chunks(kept: Sequence[SelectedPassage]) -> list[int]:
    return [one.item.chunk for one in kept]


def facts(kept: Sequence[SelectedPassage]) -> list[Candidate]:
    return [one.item for one in kept if one.mirror_of is None]


def documents(items: Sequence[Candidate]) -> set[int]:
    return {one.document for one in items}


def jaccard(one: set[object], other: set[object]) -> float:
    return len(one & other) / len(one | other)


def same_text(one: Candidate, other: Candidate) -> bool:
    return jaccard({*tokenise(one.text)}, {*tokenise(other.text)}) > SAME_TEXT


def copies(one: Candidate, other: Candidate) -> bool:
    def shingles(text: str) -> set[object]:
        words = tokenise(text)
        return {tuple(words[start : start + 5]) for start in range(len(words) - 4)}

    return jaccard(shingles(one.text), shingles(other.text)) >= SAME_FACT


@given(found, limits, caps)
def test_the_result_is_some_of_the_candidates_each_once(
    items: list[Candidate], limit: int, cap: int
) -> None:
    kept = deduplicate(items, limit=limit, per_document=cap)
    assert len({*chunks(kept)}) == len(kept)
    assert all(items[one.item.chunk] is one.item for one in kept)


@given(found, caps)
def test_only_the_limit_takes_a_document_s_last_passage(items: list[Candidate], cap: int) -> None:
    kept = deduplicate(items, limit=len(items) + 1, per_document=cap)
    assert documents([one.item for one in kept]) == documents(items)


@given(found, limits, caps)
def test_every_document_among_the_best_stays_unless_it_only_copies(
    items: list[Candidate], limit: int, cap: int
) -> None:
    kept = [one.item for one in deduplicate(items, limit=limit, per_document=cap)]
    for document in documents(items[:limit]) - documents(kept):
        best = next(one for one in items if one.document == document)
        better = items[: best.chunk]
        most = max(
            (sum(copies(twin, one) for one in better) for twin in better if copies(twin, best)),
            default=0,
        )
        assert most > MAX_MIRRORS  # a fact and all its mirrors


@given(found, limits, caps)
def test_the_limit_counts_all_but_the_first_mirrors(
    items: list[Candidate], limit: int, cap: int
) -> None:
    kept = deduplicate(items, limit=limit, per_document=cap)
    mirrors = Counter(one.mirror_of for one in kept if one.mirror_of is not None)
    paying = sum(max(0, number - MAX_MIRRORS) for number in mirrors.values())
    assert len(facts(kept)) + paying <= limit


@given(unlike, limits)
def test_places_are_filled_while_candidates_last(items: list[Candidate], limit: int) -> None:
    kept = deduplicate(items, limit=limit, per_document=25)
    assert len(kept) == min(limit, len(items))


@given(found, limits, caps)
def test_no_document_has_more_than_its_share(items: list[Candidate], limit: int, cap: int) -> None:
    kept = deduplicate(items, limit=limit, per_document=cap)
    assert all(number <= cap for number in Counter(one.item.document for one in kept).values())


@given(found, limits)
def test_no_document_says_the_same_twice(items: list[Candidate], limit: int) -> None:
    said: dict[int, list[Candidate]] = defaultdict(list)
    for one in deduplicate(items, limit=limit, per_document=25):
        assert not any(same_text(one.item, other) for other in said[one.item.document])
        said[one.item.document].append(one.item)


@given(found, limits, caps)
def test_every_copy_is_marked(items: list[Candidate], limit: int, cap: int) -> None:
    unmarked = facts(deduplicate(items, limit=limit, per_document=cap))
    for place, one in enumerate(unmarked):
        for other in unmarked[:place]:
            assert one.document == other.document or not copies(one, other)


@given(found, limits, caps)
def test_a_mirror_stands_behind_a_better_twin_of_another_document(
    items: list[Candidate], limit: int, cap: int
) -> None:
    kept = deduplicate(items, limit=limit, per_document=cap)
    mirrors: Counter[int] = Counter()
    for place, one in enumerate(kept):
        if one.mirror_of is None:
            continue
        twin = items[one.mirror_of]
        assert twin.document != one.item.document
        assert twin.chunk < one.item.chunk
        assert copies(twin, one.item)
        mirrors[twin.chunk] += 1
        if mirrors[twin.chunk] <= MAX_MIRRORS:
            assert kept[place - mirrors[twin.chunk]] == SelectedPassage(item=twin, mirror_of=None)


@given(candidates(["body"], versions), limits, caps)
def test_candidates_of_one_kind_keep_their_order(
    items: list[Candidate], limit: int, cap: int
) -> None:
    order = [one.chunk for one in facts(deduplicate(items, limit=limit, per_document=cap))]
    assert order == sorted(order)


@given(candidates(DETAILS, versions), caps)
def test_candidates_that_all_fit_keep_their_order(items: list[Candidate], cap: int) -> None:
    kept = deduplicate(items, limit=len(items) + 1, per_document=cap)
    order = [one.chunk for one in facts(kept)]
    assert order == sorted(order)


@given(candidates(DETAILS, st.just("")), limits)
def test_a_kind_exceeds_its_share_for_new_documents_and_empty_places_only(
    items: list[Candidate], limit: int
) -> None:
    kept = facts(deduplicate(items, limit=limit, per_document=25))
    taken = Counter(one.kind for one in kept)
    best = [next(one for one in items if one.document == number) for number in documents(items)]
    waiting = {one.kind for one in items if one not in kept}
    for one in kept:
        if taken[one.kind] > MAX_KIND_SHARE * limit and one not in best:
            assert all(taken[kind] + 1 > MAX_KIND_SHARE * limit for kind in waiting)


@given(unlike, limits, caps)
def test_a_document_with_two_passages_has_its_summary(
    items: list[Candidate], limit: int, cap: int
) -> None:
    kept = facts(deduplicate(items, limit=limit, per_document=cap))
    for document in documents(kept):
        kinds = [one.kind for one in kept if one.document == document]
        summarised = any(one.document == document and one.kind in SUMMARIES for one in items)
        if summarised and len(kinds) > 1:
            assert not {*kinds}.isdisjoint(SUMMARIES)


@given(found, limits, caps)
def test_choosing_again_changes_nothing(items: list[Candidate], limit: int, cap: int) -> None:
    once = facts(deduplicate(items, limit=limit, per_document=cap))
    again = deduplicate(once, limit=limit, per_document=cap)
    assert again == [SelectedPassage(item=one, mirror_of=None) for one in once]


def test_every_process_chooses_the_same() -> None:
    script = (
        "from tests.retrieval.search.test_dedup import *\n"
        "items = [item(c, c % 7, version(c % 9, c % 5), KINDS[c % 7]) for c in range(60)]\n"
        "print([(k.item.chunk, k.mirror_of) for k in deduplicate(items, limit=12)])\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


def test_nothing_found_is_nothing_kept() -> None:
    assert deduplicate([], limit=5) == []


def test_a_repeat_goes_within_a_document_and_is_marked_across() -> None:
    items = [item(0, 1, version(0, 0)), item(1, 1, version(0, 2)), item(2, 2, version(0, 2))]
    assert deduplicate(items, limit=5) == [
        SelectedPassage(item=items[0], mirror_of=None),
        SelectedPassage(item=items[2], mirror_of=0),
    ]


def test_passages_of_one_document_may_share_much() -> None:
    items = [item(0, 1, version(0, 0)), item(1, 1, version(0, 4))]
    assert facts(deduplicate(items, limit=5)) == items


def test_texts_of_two_documents_that_quote_each_other_are_two_facts() -> None:
    items = [item(0, 1, version(0, 0)), item(1, 2, version(0, 6))]
    assert facts(deduplicate(items, limit=5)) == items


def test_the_same_words_in_another_order_are_another_fact_elsewhere_only() -> None:
    turned = " ".join(reversed(version(0, 0).split()))
    assert len(facts(deduplicate([item(0, 1, version(0, 0)), item(1, 2, turned)], limit=5))) == 2
    assert len(deduplicate([item(0, 1, version(0, 0)), item(1, 1, turned)], limit=5)) == 1


def test_chinese_is_compared_by_what_it_says() -> None:
    said = "普洱茶是云南特产的一种后发酵茶，以陈化多年的茶饼最为名贵，近年价格不断上涨"
    items = [item(0, 1, said), item(1, 1, said + "。"), item(2, 2, f"「{said}」"), item(3, 2)]
    kept = deduplicate(items, limit=5)
    assert [(one.item.chunk, one.mirror_of) for one in kept] == [(0, None), (2, 0), (3, None)]


def test_no_copy_is_missed() -> None:
    pairs = []
    for chunk in range(0, 400, 2):
        words = [f"c{chunk}w{number}" for number in range(23)]
        pairs += [item(chunk, 1, " ".join(words)), item(chunk + 1, 2, " ".join(words[:22]))]
    kept = deduplicate(pairs, limit=400, per_document=200)
    assert [one.mirror_of for one in kept if one.item.document == 2] == list(range(0, 400, 2))


def test_a_copy_of_two_facts_stands_behind_the_better() -> None:
    words = version(0, 0).split()
    other_end = " ".join([*words[:36], "its", "end", "is", "another"])
    other_start = " ".join(["another", "start", "it", "has", *words[4:]])
    items = [item(0, 1, other_end), item(1, 2, other_start), item(2, 3, version(0, 0))]
    assert [one.mirror_of for one in deduplicate(items, limit=5)] == [None, 0, None]


def test_a_short_text_is_compared_as_a_whole() -> None:
    items = [item(0, 1, "Open on Mondays"), item(1, 2, "open on mondays!"), item(2, 3, "Open on")]
    assert [one.mirror_of for one in deduplicate(items, limit=5)] == [None, 0, None]


def test_texts_without_words_are_not_alike() -> None:
    items = [item(0, 1, "{ }"), item(1, 1, "( )"), item(2, 2, "{ }")]
    assert facts(deduplicate(items, limit=5)) == items


def test_mirrors_take_no_place() -> None:
    copied = [item(chunk, chunk, version(0, 0)) for chunk in range(1 + MAX_MIRRORS)]
    others = [item(10, 10), item(11, 11), item(12, 12)]
    kept = deduplicate([*copied, *others], limit=3)
    assert chunks(kept) == [*range(1 + MAX_MIRRORS), 10, 11]


def test_further_copies_fill_places_that_stay_empty() -> None:
    copied = [item(chunk, chunk, version(0, 0)) for chunk in range(3 + MAX_MIRRORS)]
    items = [*copied, item(10, 10), item(11, 11)]
    assert chunks(deduplicate(items, limit=4)) == [*range(1 + MAX_MIRRORS), 10, 11, 4]
    marks = [one.mirror_of for one in deduplicate(items, limit=9)]
    assert marks == [None, *[0] * MAX_MIRRORS, None, None, 0, 0]


def test_a_copy_of_a_passage_that_its_document_may_not_keep_is_no_mirror() -> None:
    items = [item(0, 1), item(1, 1, version(0, 0)), item(2, 2, version(0, 0))]
    assert deduplicate(items, limit=5, per_document=1) == [
        SelectedPassage(item=items[0], mirror_of=None),
        SelectedPassage(item=items[2], mirror_of=None),
    ]


def test_a_repeat_does_not_use_up_a_document_s_share() -> None:
    items = [item(0, 1, version(0, 0)), item(1, 1, version(0, 2)), item(2, 1, version(1, 0))]
    assert chunks(deduplicate(items, limit=5, per_document=2)) == [0, 2]


def test_what_exceeds_a_kind_s_share_stands_behind_the_other_kinds() -> None:
    bodies = [item(chunk, 1) for chunk in range(12)]
    codes = [item(chunk, 1, kind="code") for chunk in range(20, 25)]
    many = deduplicate([*bodies, *codes], limit=10, per_document=20)
    assert chunks(many) == [0, 1, 2, 3, 4, 5, 20, 21, 22, 23]
    few = deduplicate([*bodies, *codes[:2]], limit=10, per_document=20)
    assert chunks(few) == [0, 1, 2, 3, 4, 5, 20, 21, 6, 7]


def test_a_kind_may_exceed_its_share_in_place_where_all_fit() -> None:
    items = [*(item(chunk, 1) for chunk in range(5)), item(9, 1, kind="code")]
    assert chunks(deduplicate(items, limit=6, per_document=9)) == [0, 1, 2, 3, 4, 9]


def test_a_new_document_beyond_the_limit_takes_no_place_of_a_better_passage() -> None:
    items = [item(0, 1), item(1, 1), item(2, 1, kind="code"), item(3, 2)]
    assert chunks(deduplicate(items, limit=3)) == [0, 2, 1]


def test_another_kind_takes_no_document_s_only_passage() -> None:
    items = [*(item(chunk, chunk) for chunk in range(5)), item(9, 0, kind="code")]
    assert chunks(deduplicate(items, limit=5)) == [0, 1, 2, 3, 4]


def test_another_kind_takes_no_mirror_that_is_its_document_s_only_passage() -> None:
    items = [item(0, 1), item(1, 1), item(2, 1, version(0, 0)), item(3, 2, version(0, 0)),
             item(4, 1, kind="code")]  # fmt: skip
    assert 3 in chunks(deduplicate(items, limit=3, per_document=9))


def test_the_best_summary_takes_the_place_of_the_worst_passage() -> None:
    items = [
        *(item(0, 1), item(1, 1), item(2, 1), item(3, 2)),
        *(item(4, 1, kind="overview"), item(5, 1, kind="abstract")),
    ]
    assert chunks(deduplicate(items, limit=4)) == [0, 1, 4, 3]


def test_a_summary_may_take_the_place_of_the_passage_that_it_repeats() -> None:
    items = [item(0, 1), item(1, 1, version(0, 0)), item(2, 1, version(0, 2), kind="abstract")]
    assert chunks(deduplicate(items, limit=3)) == [0, 2]


def test_a_summary_takes_the_place_of_a_further_copy() -> None:
    copied = [item(chunk, chunk, version(0, 0)) for chunk in range(1 + MAX_MIRRORS)]
    own = [item(10, 10), item(11, 10, version(0, 0)), item(12, 10, kind="abstract")]
    assert chunks(deduplicate([*copied, *own], limit=3, per_document=2))[-2:] == [10, 12]


def test_a_document_with_one_passage_keeps_it() -> None:
    items = [item(0, 1), item(1, 2), item(2, 1, kind="abstract")]
    assert chunks(deduplicate(items, limit=2)) == [0, 1]


def test_a_document_with_a_summary_gets_no_other() -> None:
    items = [item(0, 1), item(1, 1, kind="overview"), item(2, 1), item(3, 1, kind="abstract")]
    assert chunks(deduplicate(items, limit=3)) == [0, 1, 2]


def test_a_summary_does_not_part_a_twin_from_its_mirrors() -> None:
    items = [item(0, 1), item(1, 1, version(0, 0)), item(2, 2, version(0, 0)),
             item(3, 1, kind="abstract")]  # fmt: skip
    kept = deduplicate(items, limit=2)
    assert [(one.item.chunk, one.mirror_of) for one in kept] == [(0, None), (1, None), (2, 1)]


def test_a_best_passage_behind_its_own_mirror_is_not_given_up() -> None:
    items = [item(0, 1, version(0, 0)), item(1, 2), item(2, 2, version(0, 0)),
             item(3, 2, kind="abstract")]  # fmt: skip
    assert chunks(deduplicate(items, limit=2, per_document=2)) == [0, 2, 1]


def test_a_summary_that_the_result_holds_already_is_not_added() -> None:
    summary = item(3, 1, version(0, 2), kind="abstract")
    own = [item(0, 1, version(0, 0)), item(1, 1), item(2, 2), summary]
    assert chunks(deduplicate(own, limit=3)) == [0, 1, 2]
    elsewhere = [item(0, 1), item(1, 1), item(2, 2, version(0, 0)), summary]
    assert chunks(deduplicate(elsewhere, limit=3, per_document=2)) == [0, 1, 2]
