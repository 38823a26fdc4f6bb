"""Spans of stored texts: exact characters, in any script, and the chunks that they touch."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from library_pages import chunk_rows, page, section, sections

from library.library import Library

ASTRAL = "𝔐ill 🏚️: 𠮷野家の水車は1912年に焼けた。 Ünïcödé, e\u0301, \u202eabc\u202c, 🧑\u200d🏭."
ANIMALS = ("cat", "dog", "owl")
UNKNOWN = 10**15


async def stored(library: Library, *texts: str) -> list[int]:
    """Ids of documents with these texts."""
    found = await library.store([page(f"{n}", text) for n, text in enumerate(texts)])
    return [one.document for one in found]


async def test_a_span_is_the_same_characters_as_in_python(library: Library) -> None:
    [document] = await stored(library, ASTRAL)
    held = await library.load_text("0")
    assert held == ASTRAL
    places = [(a, b) for a in range(len(ASTRAL) + 1) for b in range(a, len(ASTRAL) + 1)]
    found = await library.load_spans([(document, a, b) for a, b in places])
    assert found == [ASTRAL[a:b] for a, b in places]


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text(st.sampled_from("aé水🏚𠮷\u0301\n "), max_size=40), min_size=1, max_size=3),
    st.data(),
)
async def test_spans_come_in_the_order_they_are_asked_for(
    library: Library, texts: list[str], data: st.DataObject
) -> None:
    texts = [f"Page {n}: {text}." for n, text in enumerate(texts)]
    ids = await stored(library, *texts)
    held = {one: await library.load_text(f"{n}") or "" for n, one in enumerate(ids)}
    wanted = data.draw(
        st.lists(st.tuples(st.sampled_from([*ids, UNKNOWN]), st.integers(0, 60), st.integers(0, 9)))
    )
    found = await library.load_spans(
        [(one, start, start + length) for one, start, length in wanted]
    )
    assert found == [held.get(one, "")[start : start + length] for one, start, length in wanted]


async def test_a_span_beyond_the_text_is_what_is_there(library: Library) -> None:
    [document] = await stored(library, "Short text.")
    spans = [(document, 6, 99), (document, 50, 60), (document, 3, 3)]
    assert await library.load_spans(spans) == ["text.", "", ""]
    assert await library.load_spans([]) == []


async def test_a_document_that_is_not_there_has_no_text_and_no_chunks(library: Library) -> None:
    [document] = await stored(library, "Some text here.")
    assert await library.load_spans([(UNKNOWN, 0, 4), (document, 0, 4)]) == ["", "Some"]
    touched = await library.find_chunks_over([(UNKNOWN, 0, 4), (document, 0, 4)])
    assert list(touched.values()) == [document]
    assert await library.find_chunks_over([]) == {}


async def test_a_span_touches_the_chunks_that_hold_any_of_it(library: Library) -> None:
    [document] = await stored(library, sections("cat", "dog", "owl"))
    found = await chunk_rows(library)
    (cat, cat_start, cat_end), (dog, start, end) = (found[section(w).strip()] for w in ANIMALS[:2])

    async def over(first: int, last: int) -> list[int]:
        return list(await library.find_chunks_over([(document, first, last)]))

    assert await over(cat_start, cat_end) == [cat]
    assert await over(cat_end - 1, start + 1) == [cat, dog]
    assert await over(start, start + 1) == await over(end - 1, end) == [dog]
    assert await over(cat_end, start) == []


async def test_chunks_come_in_the_order_of_the_spans_and_then_of_the_text(library: Library) -> None:
    """Also where a changed document kept the rows of its old chunks, and their ids."""
    await library.store([page("0", sections("bee", "dog", "owl")), page("1", section("emu"))])
    first, second = await stored(library, sections(*ANIMALS), section("emu"))
    found = await chunk_rows(library)
    cat, dog, owl, emu = (found[section(word).strip()] for word in (*ANIMALS, "emu"))
    assert cat[0] > dog[0]
    everything = (first, 0, 10**6)
    of_emu, of_owl = (second, *emu[1:]), (first, *owl[1:])
    assert list(await library.find_chunks_over([everything])) == [cat[0], dog[0], owl[0]]
    several = await library.find_chunks_over([of_emu, of_owl, everything, of_emu])
    assert list(several.items()) == [
        (emu[0], second), (owl[0], first), (cat[0], first), (dog[0], first)
    ]  # fmt: skip
    assert list(await library.find_chunks_over([of_owl, of_emu])) == [owl[0], emu[0]]
