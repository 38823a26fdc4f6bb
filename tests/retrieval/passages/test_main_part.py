"""The parts of the page that answers best, as far as its share of the budget goes."""

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from retrieval.passages.context_window import estimate_tokens
from retrieval.passages.main_part import MAIN_SHARE, choose_main_part
from retrieval.passages.page_parts import SOURCE_TOKENS, WHOLE_PAGE
from schema.documents import ChunkPlace, Passage


def lay_out(headings: str, length: int = 1_000) -> tuple[list[ChunkPlace], list[Passage]]:
    """The chunks of a page, one under each letter, and their texts; numbered from 0."""
    ends = list(accumulate(length for _ in headings))
    places = [
        ChunkPlace(chunk=n, start=end - length, end=end, heading=heading)
        for n, (heading, end) in enumerate(zip(headings, ends, strict=True))
    ]
    passages = [
        Passage(chunk=p.chunk, document=1, start=p.start, end=p.end, text="x" * length, heading="")
        for p in places
    ]
    return places, passages


def choose(headings: str, found: list[int], budget: int) -> list[int]:
    places, passages = lay_out(headings)
    return choose_main_part([passages[n] for n in found], places, budget)


def test_the_part_with_most_of_the_best_passages_comes_whole_with_what_stands_between() -> None:
    assert choose("AABBBBBCC", [6, 2, 0], 3_750) == [6, 2, 3, 4, 5]


def test_a_part_that_does_not_fit_is_left_out_for_one_that_does_but_the_best_is_cut() -> None:
    assert choose("AAAAABBBBBBC", [7, 9, 0, 11], 2_500) == [7, 9, 8]
    assert choose("AAAAABBBCCCC", [5, 7, 0, 11], 2_500) == [5, 7, 6]
    assert choose("AAAABBBCDDDD", [4, 6, 0, 7], 2_875) == [4, 6, 7, 5]


def test_a_short_page_and_a_single_passage_are_left_to_the_usual_way() -> None:
    assert choose("A" * (WHOLE_PAGE // 1_000), [0, 2], 4_500) == []
    assert choose("AAAAAAAAA", [3], 4_500) == []


@given(st.data(), st.text("ABC", min_size=1, max_size=30), st.integers(0, 9_000))
def test_the_main_part_fits_its_share_of_the_budget(
    data: st.DataObject, headings: str, budget: int
) -> None:
    found = data.draw(st.lists(st.integers(0, len(headings) - 1), unique=True))
    chosen = choose(headings, found, budget)
    tokens = SOURCE_TOKENS + len(chosen) * estimate_tokens("x" * 1_000)
    assert not chosen or tokens <= MAIN_SHARE * budget + len(chosen)
    assert len(set(chosen)) == len(chosen)
    parts = {headings[n] for n in chosen}
    assert parts <= {headings[n] for n in found}
