"""Documents prepared in children are what they are when prepared here, whatever breaks a child."""

import os
import signal
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from library_pages import index, page, section, sections

from library import sandbox
from library.batch_writer import BatchWriter
from library.index import prepare_many
from library.index.prepare import PreparedDocument, prepare_document
from library.library import Library
from retrieval.code.symbols import SourceCode, extract_symbols
from schema.documents import Document

CODE = "def read(path):\n    return open(path)\n"


def documents() -> list[Document]:
    """Prose of some length in two languages, with all that a document may have, and code."""
    full = page(
        "a", "# Head\n\n" + sections("cat", "dog") * 40, title="Ä\ud800 \0title", url="http://a"
    )
    return [
        replace(full, aliases=("Cats",), links=("b",), fetched=datetime(2024, 1, 1, tzinfo=UTC)),
        page("file:///c.py", CODE),
        page("b", "Der Reiher \0 fischt im See. " * 9_000, superseded=True),
        page("empty", ""),
        page("c", section("owl") + "see [b](b)"),
    ]


def pairs() -> list[tuple[Document, SourceCode | None]]:
    return [
        (one, extract_symbols(CODE, "python") if one.uri.endswith(".py") else None)
        for one in documents()
    ]


def told(prepared: PreparedDocument) -> object:
    """All of it, in a form that compares."""
    chunks = [
        (one.chunk, one.hash, one.terms.ids.tolist(), one.terms.weights.tolist(), one.symbols)
        for one in prepared.chunks
    ]
    title = (prepared.title.ids.tolist(), prepared.title.weights.tolist())
    return replace(prepared, title=None, chunks=[]), title, chunks  # type: ignore[arg-type]


async def test_children_prepare_what_a_thread_does() -> None:
    wanted = [told(prepare_document(*pair)) for pair in pairs()]
    assert [told(one) for one in await prepare_many.prepare_apart(pairs())] == wanted


async def test_a_killed_child_costs_no_document(monkeypatch: pytest.MonkeyPatch) -> None:
    killer = replace(
        prepare_many.PREPARER, function="test_prepare_many:end_child", name="killed preparation"
    )
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.setattr(prepare_many, "PREPARER", killer)
    wanted = [told(prepare_document(*pair)) for pair in pairs()]
    assert [told(one) for one in await prepare_many.prepare_apart(pairs())] == wanted


def end_child(data: bytes) -> None:
    """What a native library does that breaks."""
    os.kill(os.getpid(), signal.SIGKILL)


async def test_a_large_sync_is_prepared_apart_and_a_small_one_here(
    library: Library, fresh: Library
) -> None:
    sandbox.end_idle()
    batches = [[page(f"{n}", section(f"w{n}") * 3_000)] for n in range(8)]
    async with BatchWriter(library) as writers:
        await writers.put(batches[0])
    assert not sandbox._idle
    async with BatchWriter(library) as writers:
        for batch in batches[1:]:
            await writers.put(batch)
    assert sandbox._idle
    for batch in batches:
        await fresh.store(batch)
    assert await index(library) == await index(fresh)
