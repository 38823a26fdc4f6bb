"""What is shown of pages: passages, what stands around them, and the names of the rest."""

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from retrieval.passages.context_window import estimate_tokens
from retrieval.passages.page_parts import (
    HIDDEN_CHARACTERS,
    PART_CHARACTERS,
    SOURCE_TOKENS,
    SOURCES_SHARE,
    UNNAMED_PART,
    WHOLE_PAGE,
    Layouts,
    choose_near_chunks,
    choose_passages,
    find_surroundings,
    join_parts,
    list_hidden_headings,
    list_wanted_chunks,
    pack_parts,
)
from retrieval.passages.repeats import drop_copies
from schema.documents import ChunkPlace, Passage

Page = list[tuple[str, int]]
"""Heading and length of each chunk."""


def lay_out(pages: list[Page]) -> tuple[dict[int, Passage], dict[int, list[ChunkPlace]]]:
    """Passages by chunk, and the places of each page's, with two line breaks between."""
    passages: dict[int, Passage] = {}
    layouts: defaultdict[int, list[ChunkPlace]] = defaultdict(list)
    for document, page in enumerate(pages):
        start = 0
        for heading, length in page:
            chunk, end = len(passages) + 1, start + length
            text = f"{chunk}w".ljust(length, "x")[:length]
            passages[chunk] = Passage(
                chunk=chunk, document=document, start=start, end=end, text=text, heading=heading
            )
            layouts[document].append(ChunkPlace(chunk=chunk, start=start, end=end, heading=heading))
            start = end + 2
    return passages, layouts


pages = st.lists(
    st.lists(st.tuples(st.sampled_from(["", "A", "B"]), st.integers(8, 1_200)), min_size=1),
    min_size=1,
    max_size=4,
)
sections = st.data()


def draw_ranked(data: st.DataObject, passages: dict[int, Passage]) -> list[Passage]:
    return data.draw(
        st.lists(st.sampled_from(list(passages.values())), unique_by=lambda p: p.chunk)
    )


def shown_of(layouts: Layouts, passages: dict[int, Passage], *ranked: int) -> set[int]:
    """The chunks that are shown where these were found and there is room for all."""
    found = [passages[chunk] for chunk in ranked]
    around = [passages[chunk] for chunk in list_wanted_chunks(found, layouts)]
    return {passage.chunk for passage in pack_parts(found, around, 100_000)}


@given(sections, pages, st.integers(0, 3_000))
def test_what_is_shown_fits_and_is_of_pages_that_passages_were_found_in(
    data: st.DataObject, told: list[Page], budget: int
) -> None:
    passages, layouts = lay_out(told)
    ranked = draw_ranked(data, passages)
    around = [passages[chunk] for chunk in list_wanted_chunks(ranked, layouts)]
    taken = pack_parts(ranked, around, budget)
    documents = {passage.document for passage in taken}
    cost = sum(estimate_tokens(p.text) for p in taken) + SOURCE_TOKENS * len(documents)
    assert cost <= budget or len(taken) == 1
    assert taken[:1] == ranked[:1]
    assert len({passage.chunk for passage in taken}) == len(taken)
    assert documents <= {passage.document for passage in ranked}
    assert not {p.chunk for p in ranked} & {p.chunk for p in around}


@given(sections, pages, st.integers(0, 3_000))
def test_what_takes_of_the_budget_already_leaves_less_for_passages(
    data: st.DataObject, told: list[Page], budget: int
) -> None:
    passages, layouts = lay_out(told)
    ranked = draw_ranked(data, passages)
    around = [passages[chunk] for chunk in list_wanted_chunks(ranked, layouts)]
    noted = {0: SOURCE_TOKENS + budget // 3}
    packed = pack_parts(ranked, around, budget, taken=noted)
    documents = {passage.document for passage in packed} - {0}
    cost = sum(estimate_tokens(p.text) for p in packed) + SOURCE_TOKENS * len(documents)
    assert not packed or cost + noted[0] <= budget


@given(sections, pages, st.integers(0, 9_000))
def test_the_chunks_near_those_found_fit_and_are_the_nearest(
    data: st.DataObject, told: list[Page], characters: int
) -> None:
    passages, layouts = lay_out(told[:1])
    found = data.draw(st.sets(st.sampled_from(list(passages)), min_size=1))
    near = choose_near_chunks(found, layouts[0], characters)
    sizes = [len(passages[chunk].text) for chunk in near]
    assert sum(sizes) <= characters or len(near) == 1
    distances = [min(abs(chunk - one) for one in found) for chunk in passages]
    assert sorted(distances)[: len(near)] == [
        min(abs(chunk - one) for one in found) for chunk in near
    ]


@given(sections, pages)
def test_text_around_a_passage_is_one_bounded_stretch_under_its_heading(
    data: st.DataObject, told: list[Page]
) -> None:
    passages, layouts = lay_out(told)
    passage = data.draw(st.sampled_from(list(passages.values())))
    found = [passages[chunk] for chunk in find_surroundings(passage, layouts[passage.document])]
    assert {one.heading for one in found} <= {passage.heading}
    [part] = join_parts([p.chunk for p in [passage, *found]], layouts[passage.document])
    assert part.end - part.start <= max(PART_CHARACTERS, passage.end - passage.start)


@given(sections, pages)
def test_joined_parts_hold_what_is_shown_in_order_and_nothing_else(
    data: st.DataObject, told: list[Page]
) -> None:
    passages, layouts = lay_out(told[:1])
    shown = [passage.chunk for passage in draw_ranked(data, passages)]
    parts = join_parts(shown, layouts[0])
    assert [chunk for part in parts for chunk in part.chunks] == sorted(shown)
    for part in parts:
        inside = [passages[chunk] for chunk in part.chunks]
        assert (part.start, part.end) == (inside[0].start, inside[-1].end)
        assert {one.heading for one in inside} == {part.heading}
    for one, other in pairwise(parts):
        assert other.chunks[0] > one.chunks[-1] + 1 or one.heading != other.heading


@given(sections, pages)
def test_hidden_headings_are_named_once_in_order_and_none_where_all_is_shown(
    data: st.DataObject, told: list[Page]
) -> None:
    passages, layouts = lay_out(told[:1])
    shown = {passage.chunk for passage in draw_ranked(data, passages)}
    hidden = [p.heading for p in passages.values() if p.chunk not in shown]
    names = list_hidden_headings(shown, layouts[0])
    assert [n for n in names if " words " not in n] == [h for h in dict.fromkeys(hidden) if h]
    assert sum(" words " in n for n in names) == ("" in hidden)


def test_of_hidden_text_without_a_heading_it_is_said_how_much_there_is() -> None:
    _, layouts = lay_out([[("", 1_000), ("", 9_000), ("A", 500), ("", 9_000)]])
    assert list_hidden_headings([1], layouts[0]) == [UNNAMED_PART.format(words="3,000"), "A"]


def test_too_many_hidden_headings_are_cut_and_it_shows() -> None:
    _, layouts = lay_out([[(f"Heading number {n}", 50) for n in range(100)]])
    names = list_hidden_headings([], layouts[0])
    assert names[-1] == "…"
    assert sum(map(len, names)) <= HIDDEN_CHARACTERS


def test_a_short_page_is_shown_whole_and_of_a_long_one_the_section() -> None:
    third = WHOLE_PAGE // 6 - 10
    short = [("A", third), ("B", third), ("C", third)]
    long = [("A", third), ("A", third), *(("B", third) for _ in range(12))]
    passages, layouts = lay_out([short, long])
    assert shown_of(layouts, passages, 2) == {1, 2, 3}
    assert shown_of(layouts, passages, 4) == {4, 5}
    assert shown_of(layouts, passages, 12) == {11, 12, 13}


def test_a_page_that_was_found_for_the_most_part_is_shown_whole() -> None:
    page = [(heading, WHOLE_PAGE // 5) for heading in "ABCDEFGH"]
    passages, layouts = lay_out([page])
    assert shown_of(layouts, passages, 1, 2) == {1, 2}
    assert shown_of(layouts, passages, 1, 2, 3, 5, 8) == set(range(1, 9))


def test_every_source_is_heard_before_the_text_around_a_passage() -> None:
    passages, layouts = lay_out([[("A", 400)] * 6, [("A", 400)] * 6])
    ranked = [passages[1], passages[7]]
    around = [passages[chunk] for chunk in list_wanted_chunks(ranked, layouts)]
    budget = 2 * SOURCE_TOKENS + 4 * estimate_tokens("x" * 400)
    assert [p.chunk for p in pack_parts(ranked, around, budget)] == [1, 7, 2, 3]


@given(sections, pages, st.integers(1_000, 3_000))
def test_each_source_is_heard_before_most_of_the_budget_is_used(
    data: st.DataObject, told: list[Page], budget: int
) -> None:
    passages, _ = lay_out(told)
    ranked = draw_ranked(data, passages)
    chosen = choose_passages(ranked, budget)
    cost = sum(estimate_tokens(p.text) for p in chosen)
    cost += SOURCE_TOKENS * len({p.document for p in chosen})
    missing = {p.document for p in ranked} - {p.document for p in chosen}
    most = SOURCE_TOKENS + max(map(estimate_tokens, (p.text for p in ranked)), default=0)
    assert not missing or cost >= min(SOURCES_SHARE * budget, budget - most)
    assert chosen[:1] == ranked[:1]


def test_what_two_pages_say_is_shown_once() -> None:
    words = "The pump needs a new filter every two thousand hours of work in a dusty room. " * 3
    texts = [
        words,
        f"Note: {words}",
        "Another thing is said here, and it is no copy at all.",
        words,
    ]
    told = [
        Passage(chunk=n, document=document, start=0, end=len(text), text=text)
        for n, (document, text) in enumerate(zip([1, 2, 2, 1], texts, strict=True))
    ]
    assert [passage.chunk for passage in drop_copies(told)] == [0, 2, 3]


def test_what_a_passage_leads_to_with_a_colon_is_wanted_before_all_else() -> None:
    passages, layouts = lay_out([[("A", 3_000), ("A", 900), ("A", 800), ("A", 700), ("B", 900)]])
    lead = replace(passages[3], text=passages[3].text[:-1] + ":")
    assert list_wanted_chunks([passages[1], lead], layouts)[0] == 4
    assert list_wanted_chunks([passages[1], passages[3]], layouts)[0] == 2
    last = replace(passages[4], text=passages[4].text[:-1] + ":")
    assert 5 not in list_wanted_chunks([last], layouts)  # it stands under another heading


def test_short_pages_are_wanted_whole_in_the_order_of_their_best_passages() -> None:
    passages, layouts = lay_out([[("A", 400), ("B", 400)], [("A", 900), ("B", 900)]])
    wanted = list_wanted_chunks([passages[3], passages[1]], layouts)
    assert wanted == [4, 2]
