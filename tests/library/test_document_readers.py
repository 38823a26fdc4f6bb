"""Documents of a group that only some of its members may read: to all others they are not there."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from library_pages import ask, page, rows, section, sections, uris
from meanings import speaking
from saved_reports import MATERIAL, RUN, report

from library.index.folders import load_folder, refresh_folders
from library.library import Library, open_library
from library.saved_reports import make_short_id
from schema.access import EVERYONE, KEEPER, Member
from schema.search import RETRIEVERS

ANN, BOB = "ann@x.test", "bob@x.test"
OPEN, KEPT = "file:///notes/open.md", "file:///notes/kept.md"
ANSWER: Any = {"question": "What of it?", "text": "Not much."}

Shared = dict[str, Library]
"""The same space as its keeper sees it, as two members do, and as nobody in particular."""


async def enter(space: str, names: tuple[str, ...], thread: str = "") -> Library:
    return speaking(await open_library(space, f"@group-of-{space}", names, thread))


@pytest.fixture
async def shared(space: str) -> Shared:
    """One document for all, and one for Ann alone."""
    seen = {"keeper": (KEEPER,), "ann": (ANN,), "bob": (BOB, f"@{space}"), "nobody": ()}
    held = {name: await enter(space, names) for name, names in seen.items()}
    code = "\n\ndef zebra_code():\n    grip()\n"
    await held["bob"].store(
        [
            page(OPEN, section("cat"), title="Cats", links=(KEPT,)),
            page(KEPT, section("zebra"), title="Zebras", aliases=("Stripes",), readers=(ANN,)),
            page("file:///notes/kept.py", f"import shelf{code}", readers=(ANN,)),
        ]
    )
    await held["bob"].embed_missing()
    return held


def chunks_of(library: Library) -> Awaitable[Any]:
    return rows(library, "SELECT id FROM quire.chunks ORDER BY id")


_HOLDING = ("documents", "names", "links", "chunks", "symbols", "embeddings")


async def test_no_row_of_a_document_is_seen_by_whom_it_is_not_kept_for(shared: Shared) -> None:
    named = (
        "SELECT table_name FROM information_schema.columns "
        "WHERE table_schema = 'quire' AND column_name IN ('document_id', 'chunk_id')"
    )
    of_documents = {name for (name,) in await rows(shared["ann"], named)} - {"run_documents"}
    assert of_documents | {"documents"} == set(_HOLDING)
    for table in _HOLDING:
        kept = f"SELECT count(*) FROM quire.{table} WHERE readers IS NOT NULL"
        counts = {name: (await rows(one, kept))[0][0] for name, one in shared.items()}
        assert counts["keeper"] == counts["ann"] > 0 or table == "links", table
        assert counts["bob"] == counts["nobody"] == 0, table
    assert await rows(shared["bob"], "SELECT 1 FROM quire.reader_sets") == []


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"retrievers": RETRIEVERS},
        {"retrievers": ("dense",)},
        {"mode": "documents", "hierarchy": True},
        {"walk_depth": 2},
        {"near_symbol": "zebra_code", "walk_depth": 1},
        {"boosts": ("links", "title_phrase"), "limit": 1},
    ],
)
async def test_a_search_finds_it_for_its_readers_alone(
    shared: Shared, options: dict[str, Any]
) -> None:
    for query in ("zebra", "Zebras", "Stripes", KEPT, "cat"):
        kept = {KEPT, "file:///notes/kept.py"}
        assert not kept & set(await uris(shared["bob"], query, **options)), query
        found = await ask(shared["bob"], query, **options)
        assert all(int(str(step.detail.get("found", 0))) <= 1 for step in found.trace)
    assert KEPT in await uris(shared["ann"], "zebra")


async def test_what_may_be_read_is_found_behind_much_that_may_not(shared: Shared) -> None:
    many = [page(f"file:///z/{n}", section("cat"), readers=(ANN,)) for n in range(40)]
    await shared["ann"].store(many)
    assert await uris(shared["bob"], "cat", limit=1) == [OPEN]
    wide = {"limit": 1, "retrievers": RETRIEVERS}
    assert await uris(shared["bob"], "Cats", **wide) == [OPEN]


async def test_by_number_or_name_nothing_of_it_comes(shared: Shared) -> None:
    bob = shared["bob"]
    chunks = [one for (one,) in await chunks_of(shared["keeper"])]
    documents = [one for (one,) in await rows(shared["keeper"], "SELECT id FROM quire.documents")]
    [(own,)] = await rows(bob, "SELECT id FROM quire.documents")
    assert {one.document for one in (await bob.load_passages(chunks)).values()} == {own}
    assert list(await bob.load_layouts(documents)) == [own]
    assert list(await bob.load_documents(documents)) == [own]
    texts = await bob.load_spans([(one, 0, 10_000) for one in documents])
    assert sum(bool(text) for text in texts) == 1
    assert await bob.load_text(KEPT) is None
    assert await bob.look_up("Zebras") == await bob.look_up("Stripes") == []
    assert (await bob.count())[0] == 1
    assert (await bob.list_spaces())[0].documents == 1
    assert (await shared["ann"].list_spaces())[0].documents == 3


async def test_folders_tell_of_what_all_may_read(shared: Shared) -> None:
    await refresh_folders(shared["ann"])
    seen = await load_folder(shared["ann"], "files/notes")
    assert seen
    assert "zebra" not in f"{seen.abstract} {seen.overview}".lower()
    hidden = await load_folder(shared["bob"], "files/notes")
    assert hidden
    assert [one.title for one in hidden.children] == ["Cats"]
    await shared["ann"].set_readers({OPEN: (ANN,)})
    closed = await load_folder(shared["ann"], "files/notes")
    assert closed
    assert closed.abstract == closed.overview == ""


async def test_readers_that_change_alone_hold_at_once(shared: Shared) -> None:
    bob = shared["bob"]
    assert await bob.set_readers({KEPT: (ANN, BOB), OPEN: (ANN,)}) == 2
    assert await uris(bob, "zebra cat") == [KEPT]
    assert await bob.set_readers({KEPT: (EVERYONE,), OPEN: ()}) == 2
    assert await uris(shared["nobody"], "zebra cat") == [KEPT]
    assert OPEN not in await uris(shared["ann"], "cat")
    assert await bob.load_readers("files", ["file:///notes"]) == {
        OPEN: (),
        "file:///notes/kept.py": (ANN,),
    }


async def test_new_text_is_kept_for_the_readers_that_it_had(shared: Shared) -> None:
    await shared["keeper"].store([page(KEPT, sections("zebra", "okapi"), aliases=("Stripes",))])
    await shared["keeper"].embed_missing()
    assert await uris(shared["bob"], "okapi", retrievers=("dense",)) == [OPEN]
    assert await uris(shared["bob"], "Stripes", retrievers=("exact",)) == []
    assert KEPT in await uris(shared["ann"], "okapi")
    [(document,)] = await rows(
        shared["keeper"], "SELECT id FROM quire.documents WHERE uri = %s", KEPT
    )
    of_document = "document_id = %s AND readers IS NULL"
    for table in ("names", "links", "chunks"):
        query = f"SELECT 1 FROM quire.{table} WHERE {of_document}"
        assert await rows(shared["keeper"], query, document) == [], table
    new = f"SELECT id FROM quire.chunks WHERE {of_document.removesuffix(' IS NULL')} IS NOT NULL"
    chunks = [one for (one,) in await rows(shared["keeper"], new, document)]
    assert len(chunks) == 2
    held = "SELECT count(*) FROM quire.embeddings WHERE chunk_id = ANY(%s) AND readers IS NOT NULL"
    assert await rows(shared["keeper"], held, chunks) == [(2,)]


@pytest.mark.parametrize("name", [KEEPER, EVERYONE, "", f"x\n{ANN}"])
async def test_nobody_is_called_like_a_keeper_or_like_two(shared: Shared, name: str) -> None:
    member = Member(identity="eve", known_as=(name,), groups={"law": "reader"})
    assert Member.from_permissions("eve", member.permissions).names == ["@law"]


async def test_one_s_own_documents_are_read_whoever_their_readers_are(space: str) -> None:
    library = await open_library(space, "ann")
    await library.store([page(KEPT, section("zebra"), readers=(BOB,))])
    assert await uris(library, "zebra") == [KEPT]


async def write(library: Library, uris_shown: list[str]) -> None:
    """Save a report of a run that was shown some documents, and an answer to it."""
    named = "SELECT id FROM quire.documents WHERE uri = ANY(%s)"
    await library.load_documents([one for (one,) in await rows(library, named, uris_shown)])
    await library.save_report(report(name_report(library)), MATERIAL, library.thread, RUN)
    await library.save_answer(name_report(library), ANSWER)


Written = Callable[[Library], Awaitable[Any]]

LOOKS: dict[str, Written] = {
    "list": lambda library: library.list_reports(),
    "versions": lambda library: library.list_report_versions(name_report(library)),
    "load": lambda library: library.load_report(name_report(library)),
    "answers": lambda library: library.list_answers(name_report(library)),
}


def name_report(library: Library) -> str:
    """The id of the one report of a space."""
    return make_short_id(library.space)


@pytest.mark.parametrize("look", LOOKS)
async def test_a_report_is_read_by_whom_all_may_read_that_it_was_shown(
    shared: Shared, space: str, look: str
) -> None:
    await write(await enter(space, (ANN,), "t1"), [OPEN, KEPT])
    assert await LOOKS[look](shared["ann"])
    assert not await LOOKS[look](shared["bob"])
    await shared["ann"].set_readers({KEPT: (BOB, ANN)})
    assert await LOOKS[look](shared["bob"])
    await shared["ann"].set_readers({OPEN: (ANN,)})  # which all could read when it was written
    assert not await LOOKS[look](shared["bob"])
    await shared["ann"].remove([OPEN, KEPT])
    assert not await LOOKS[look](shared["bob"])
    assert await LOOKS[look](shared["ann"])


async def test_an_answer_is_read_by_whom_all_may_read_that_it_was_shown(
    shared: Shared, space: str
) -> None:
    await write(await enter(space, (BOB,), "t1"), [OPEN])
    named = name_report(shared["ann"])
    asking = await enter(space, (ANN,), "t2")
    await asking.load_text(KEPT)
    await asking.save_answer(named, ANSWER, "t2")
    assert len(await shared["ann"].list_answers(named)) == 2
    assert len(await shared["bob"].list_answers(named)) == 1
    assert await shared["bob"].load_report(named)


@pytest.mark.parametrize(
    "look",
    [
        lambda library, chunks, _: library.load_passages(chunks),
        lambda library, _, documents: library.load_layouts(documents),
        lambda library, _, documents: library.load_spans([(documents[0], 0, 9)]),
        lambda library, _, documents: library.load_documents(documents),
        lambda library, *_: library.load_text(KEPT),
        lambda library, *_: library.look_up("Zebras"),
    ],
)
async def test_whatever_a_run_is_shown_is_noted(shared: Shared, space: str, look: Any) -> None:
    run = await enter(space, (ANN,), "t1")
    documents = await rows(run, "SELECT id FROM quire.documents WHERE uri = %s", KEPT)
    chunks = await rows(run, "SELECT id FROM quire.chunks WHERE document_id = %s", documents[0][0])
    assert not await run.was_shown_restricted()
    assert await look(run, [one for (one,) in chunks], [one for (one,) in documents])
    assert await run.was_shown_restricted()


async def test_what_is_remembered_is_closed_with_its_sources(shared: Shared, space: str) -> None:
    run = await enter(space, (BOB,), "t1")
    await run.load_text(OPEN)
    await run.open_part("memory").store(
        [page("report:1", section("cat"), connector="memory", version="t1", readers=(EVERYONE,))]
    )
    memory = shared["bob"].open_part("memory")
    assert await uris(memory, "cat") == ["report:1"]
    await shared["ann"].set_readers({OPEN: (ANN,)})
    assert await uris(memory, "cat") == []


async def test_a_report_that_recalled_another_is_for_whom_the_other_s_sources_are(
    shared: Shared, space: str
) -> None:
    run = await enter(space, (BOB,), "t1")
    await run.load_text(OPEN)
    remembered = page(
        "report:1", section("cat"), connector="memory", version="t1", readers=(EVERYONE,)
    )
    await run.open_part("memory").store([remembered])
    later = await enter(space, (BOB,), "t2")
    await later.open_part("memory").load_text("report:1")
    await write(later, [])
    await shared["ann"].set_readers({OPEN: (ANN,)})
    assert await shared["ann"].load_report(name_report(later))
    assert not await shared["bob"].load_report(name_report(later))
