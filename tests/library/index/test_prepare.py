"""Making text ready for the tables."""

import random
import re
from string import ascii_letters
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from library_pages import ask, chunk_rows, page, texts

from library.index.prepare import (
    TITLE_CHARACTERS,
    PreparedDocument,
    build_tree_path,
    clean_text,
    fold_name,
    prepare_document,
)
from library.library import Library
from retrieval.code.symbols import detect_code_language, extract_symbols

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")  # it stands for one character beyond the BMP
bmp = st.text(st.one_of(st.characters(max_codepoint=0xFFFF), st.just("\0"))).filter(
    lambda text: not _PAIR.search(text)
)
halves = st.lists(st.sampled_from(["\ud83d", "a", "\0", "é", "\ufeff", "🙂"])).map("".join)


@given(st.one_of(bmp, halves))
def test_what_postgresql_refuses_is_replaced_and_nothing_else(text: str) -> None:
    kept = clean_text(text)
    assert len(kept) == len(text)
    assert clean_text(kept) == kept
    for before, after in zip(text, kept, strict=True):
        refused = before == "\0" or "\ud800" <= before <= "\udfff"
        assert after == ("\ufffd" if refused else before)


def test_two_halves_become_their_character() -> None:
    assert clean_text("\ud83d\ude42") == "🙂"


def test_preparing_twice_gives_the_same() -> None:
    one, other = (prepare_document(page("a", "Some text.", title="Title")) for _ in range(2))
    assert (one.document, one.hash) == (other.document, other.hash)
    for mine, theirs in zip(one.chunks, other.chunks, strict=True):
        assert (mine.chunk, mine.hash) == (theirs.chunk, theirs.hash)
        assert mine.terms.ids.tobytes() == theirs.terms.ids.tobytes()
        assert mine.terms.weights.tobytes() == theirs.terms.weights.tobytes()


@pytest.mark.parametrize(
    ("change", "changes"),
    [
        ({"text": "Other."}, True), ({"title": "T"}, True), ({"language": "de"}, True),
        ({"path": "x/y"}, True), ({"aliases": ("Alias",)}, True), ({"links": ("http://x",)}, True),
        ({"superseded": True}, True), ({"version": "2"}, False), ({"published": "2024"}, False),
        ({"author": "A"}, False),
    ],
)  # fmt: skip
def test_all_that_is_derived_from_changes_the_hash(change: dict[str, Any], changes: bool) -> None:
    before, after = page("a", "Text."), page("a", **{"text": "Text."} | change)
    assert (prepare_document(before).hash != prepare_document(after).hash) is changes


@pytest.mark.parametrize(
    ("described", "path"),
    [
        ({"uri": "file:///notes/a.md"}, "files/notes/a.md"),
        ({"uri": "file:///my%20notes/a.md"}, "files/my notes/a.md"),
        ({"uri": "https://host/b?c=d#e", "connector": "web"}, "web/host/b?c=d"),
        ({"uri": "https://host/", "connector": "web"}, "web/host"),
        ({"uri": "s:1", "connector": "slack", "path": "/general//thread/"}, "slack/general/thread"),
        ({"uri": "a/../../b/./c"}, "files/a/b/c"),
        ({"uri": "file:///a/.hidden"}, "files/a/.hidden"),
        ({"uri": "http://[broken"}, "files/http:/[broken"),
    ],
)  # fmt: skip
def test_a_document_has_a_place_in_the_tree(described: dict[str, str], path: str) -> None:
    assert build_tree_path(page(**{"text": ""} | described)) == path


@given(
    st.sampled_from(["", "http://", "//"]),
    halves | st.text(st.sampled_from("ab/.[]:%20?#\u2100 é🙂"), max_size=30),
)
def test_any_uri_has_a_place_below_its_connector(start: str, uri: str) -> None:
    names = build_tree_path(page(start + uri, "", connector="web")).split("/")
    assert names[0] == "web"
    assert all(name.strip(".") for name in names)


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("The  Inverted\nIndex", "the inverted index"),
        ("“What is it?”", "what is it"),
        ("ＦＵＬＬ", "full"),
        ("什么是索引？", "什么是索引"),
        ("C++", "c++"),
        ("?!", ""),
    ],
)
def test_names_are_folded(name: str, folded: str) -> None:
    assert fold_name(name) == folded


def test_names_are_the_title_and_the_aliases() -> None:
    prepared = prepare_document(
        page("a", "Text.", title="Red Heron", aliases=("Heron", "red heron.", "?"))
    )
    assert prepared.names == {"heron": True, "red heron": False}


def test_links_are_those_of_the_text_and_those_told() -> None:
    text = "[x](b.md) [[Other Page!]] [self](http://me) <http://e/x>"
    prepared = prepare_document(
        page("file:///d/a.md", text, url="http://me", links=("http://t", "wiki:Z"))
    )
    assert prepared.links == [
        "http://t", "wiki:z", "file:///d/b.md", "wiki:other page", "http://e/x"
    ]  # fmt: skip


def prepared_code(text: str, uri: str) -> PreparedDocument:
    return prepare_document(page(uri, text), extract_symbols(text, detect_code_language(uri)))


def found_symbols(text: str, uri: str = "file:///lib/shelf.py") -> set[tuple[str, str, str, str]]:
    return {
        (one.role, one.name, one.qualified_name, one.kind)
        for chunk in prepared_code(text, uri).chunks
        for one in chunk.symbols
    }


def test_code_has_symbols_by_their_last_name() -> None:
    found = found_symbols(
        "from a.rake import x\n\nclass Hand:\n    def grip(self):\n        pull()\n"
    )
    assert found == {
        ("definition", "shelf", "shelf", "module"),
        ("definition", "Hand", "Hand", "class"),
        ("definition", "grip", "Hand.grip", "method"),
        ("call", "pull", "pull", ""),
        ("import", "rake", "a.rake", ""),
    }


@pytest.mark.parametrize(
    ("uri", "text", "name"),
    [
        ("a.py", "import lib.go", "go"),
        ("a.java", "import com.acme.Go;", "Go"),
        ("a.js", "import x from './lib/bm25.ts'", "bm25"),
        ("a.c", '#include "bm25.h"', "bm25"),
        ("a.rs", "use crate::lib::bm25;", "bm25"),
    ],
)
def test_an_import_is_known_by_its_last_name(uri: str, text: str, name: str) -> None:
    assert [one[1] for one in found_symbols(text, f"file:///{uri}") if one[0] == "import"] == [name]


def test_code_is_code_of_a_language() -> None:
    prepared = prepared_code("def f():\n    pass\n", "file:///a.py")
    assert (prepared.code, [one.chunk.kind for one in prepared.chunks]) == ("python", ["code"])
    assert prepare_document(page("file:///a.md", "def f():")).code == ""


def test_a_title_without_end_is_cut() -> None:
    prepared = prepare_document(page("a", "Text.", title="t" * 10_000, author="a" * 10_000))
    assert len(prepared.document.title) == len(prepared.document.author) == TITLE_CHARACTERS


def test_a_language_is_detected_where_none_is_told() -> None:
    text = "Die Datenbank speichert jedes Wort und die Stelle, an der es steht."
    assert prepare_document(page("a", text, language="")).document.language == "de"


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
    stored = await library.load_text("a")
    assert stored == clean_text(text)
    for held, (_, start, end) in (await chunk_rows(library)).items():
        assert stored[start:end] == held
    assert len(await texts(library, "word")) == 1


@pytest.mark.parametrize("bad", ["\0", "\ud83d"])
async def test_hostile_descriptions_are_stored(library: Library, bad: str) -> None:
    names = ("title", "author", "site", "url", "published", "version", "connector", "language")
    described = {name: f"{name}{bad}" for name in names}
    [stored] = await library.store([page(f"u{bad}", "Some text.", **described)])
    [info] = (await library.load_documents([stored.document])).values()
    assert (info.uri, info.url, info.title) == ("u\ufffd", "url\ufffd", "title\ufffd")
    assert await library.remove([f"u{bad}"]) == 1


def random_text(length: int, alphabet: str) -> str:
    """Text that does not compress: PostgreSQL refuses long keys of an index after compressing."""
    random_ = random.Random(7)
    return "".join(random_.choices(alphabet, k=length))


KANJI = "".join(map(chr, range(0x4E00, 0x6E00)))
SMILES = "".join(map(chr, range(0x1F300, 0x1F650)))


@pytest.mark.parametrize(
    "alphabet", [KANJI, SMILES, ascii_letters], ids=["kanji", "smiles", "plain"]
)
@pytest.mark.parametrize(
    "described", ["path", "title", "url", "site", "published", "alias", "link"]
)
async def test_descriptions_without_end_are_stored(
    library: Library, described: str, alphabet: str
) -> None:
    long = random_text(10_000, alphabet)
    if described == "alias":
        document = page("a", "Some text.", aliases=(long,))
    elif described == "link":
        text = f"Some text. [x](http://{long[:1_990]}) [[{long[:1_990]}]]"
        document = page("a", text, links=(f"http://{long}",))
    else:
        document = page("a", "Some text.", **{described: long})
    await library.store([document])
    assert len(await texts(library, "text")) == 1
    await library.remove(["a"])


async def test_names_in_code_without_end_are_stored(library: Library) -> None:
    long = random_text(5_000, ascii_letters)
    text = f"import {long}\nfrom {long}.{long} import y\ndef {long}():\n    {long}()\n    word()\n"
    await library.store(
        [page("file:///a.py", text), page("file:///a.js", f"import x from '{long}'")]
    )
    assert len(await texts(library, "word")) == 1


@pytest.mark.parametrize(
    "bad", ["http://[", "http://[::1", "http://a\u2100b/", "//[", "file://[/a.py"]
)
async def test_what_is_no_uri_is_stored_and_found(library: Library, bad: str) -> None:
    await library.store(
        [page(bad, "Some text.", url=bad), page("b", f"[x]({bad}) other", links=(bad,))]
    )
    [hit] = (await ask(library, "some text")).hits
    assert (await library.load_documents([hit.document]))[hit.document].uri == bad
    assert [one.uri for one in await library.look_up(bad)] == [bad]
