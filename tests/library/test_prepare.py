"""Making text ready for the tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from library_pages import chunk_rows, page, texts

from library.library import Library
from library.prepare import TITLE_CHARACTERS, document_frequencies, prepare, storable

bmp = st.text(st.one_of(st.characters(max_codepoint=0xFFFF), st.just("\0")))
halves = st.lists(st.sampled_from(["\ud83d", "a", "\0", "é", "\ufeff", "🙂"])).map("".join)


@given(bmp)
def test_text_of_the_bmp_keeps_its_length(text: str) -> None:
    assert len(storable(text)) == len(text)


@given(st.one_of(bmp, halves))
def test_what_postgresql_refuses_is_replaced_and_nothing_else(text: str) -> None:
    kept = storable(text)
    assert len(kept) == len(text)
    assert storable(kept) == kept
    for before, after in zip(text, kept, strict=True):
        refused = before == "\0" or "\ud800" <= before <= "\udfff"
        assert after == ("\ufffd" if refused else before)


def test_two_halves_become_their_character() -> None:
    assert storable("\ud83d\ude42") == "🙂"


def test_preparing_twice_gives_the_same() -> None:
    assert prepare(page("a", "Some text.")) == prepare(page("a", "Some text."))


def test_a_title_without_end_is_cut() -> None:
    prepared = prepare(page("a", "Text.", title="t" * 10_000, author="a" * 10_000))
    assert len(prepared.document.title) == len(prepared.document.author) == TITLE_CHARACTERS


def test_a_language_is_detected_where_none_is_told() -> None:
    text = "Die Datenbank speichert jedes Wort und die Stelle, an der es steht."
    assert prepare(page("a", text, language="")).document.language == "de"


def test_a_chunk_counts_once_for_a_term() -> None:
    assert document_frequencies([[1, 1, 2], [2]]) == {1: 1, 2: 2}


HOSTILE = {
    "nul": "Before\0after word.",
    "half a pair": "Cut \ud83d off word.",
    "emoji": "👩‍👩‍👧 family 🙂 word.",
    "sql": "'); DROP TABLE quire.chunks; -- %s %(x)s $$ word",
    "copy": "tab\t back\\slash \\N \\. \r\n word",
    "no end": "x" * 100_000 + " word",
    "right to left": "\u202eword\u202c שלום word",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
async def test_hostile_text_is_stored_exactly_and_found(library: Library, text: str) -> None:
    await library.store([page("a", text)])
    stored = await library.text("a")
    assert stored == storable(text)
    for held, (_, start, end) in (await chunk_rows(library)).items():
        assert stored[start:end] == held
    assert len(await texts(library, "word")) == 1


@pytest.mark.parametrize("bad", ["\0", "\ud83d"])
async def test_hostile_descriptions_are_stored(library: Library, bad: str) -> None:
    names = ("title", "author", "site", "url", "published", "version", "connector", "language")
    described = {name: f"{name}{bad}" for name in names}
    [stored] = await library.store([page(f"u{bad}", "Some text.", **described)])
    [info] = (await library.documents([stored.document])).values()
    assert (info.uri, info.url, info.title) == ("u\ufffd", "url\ufffd", "title\ufffd")
    assert await library.remove([f"u{bad}"]) == 1
