"""Bringing a source into the library: what is kept when it breaks, and how it goes on."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Any, Literal
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors import sync as syncing
from connectors.protocol import Limits, SyncState
from connectors.sync import synchronise
from library.library import Library, open_library
from schema.documents import Change, Checkpoint, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError, InputError


class Scripted:
    """Another package's connector, that yields what it is told, errors among it."""

    name = "scripted"
    kind: Literal["indexed"] = "indexed"
    description = document_description = "what it is told"
    required_variables = ()
    package = ""
    languages = ()
    limits = Limits()

    def __init__(self, *script: Change | Exception) -> None:
        self.script: Sequence[Change | Exception] = script
        self.begun: list[SyncState] = []

    async def find_root(self, location: str) -> str:
        if location == "nowhere":
            raise InputError("There is no such location.")
        return f"scripted://{location}"

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        self.begun.append(since)
        for one in self.script:
            if isinstance(one, Exception):
                raise one
            yield one


def page(number: int, version: str = "1") -> Document:
    uri, text = f"scripted://a/{number}", f"Page {number} in version {version}."
    return Document(uri=uri, text=text, connector="scripted", version=version)


def uri(number: int) -> str:
    return f"scripted://a/{number}"


async def sync(library: Library, connector: Scripted, **how: Any) -> Counter[str]:
    return Counter(await synchronise(library, connector, "a", lambda *_: None, **how))


async def held(library: Library) -> set[str]:
    return set(await library.load_versions("scripted", ["scripted://a"]))


async def test_every_change_is_carried_out_and_told(library: Library) -> None:
    await sync(library, Scripted(page(1), page(2), page(3)))
    told: list[tuple[str, str, str]] = []
    script = [Unchanged(uri=uri(1)), page(2, "2"), Gone(uri=uri(3)), page(4)]
    changed = Scripted(*script, Skipped(uri=uri(5), reason="it is shut"))
    counts = await synchronise(library, changed, "a", lambda *one: told.append(one))
    assert counts == {"unchanged": 1, "changed": 1, "added": 1, "removed": 1, "skipped": 1}
    assert (uri(5), "skipped", "it is shut") in told
    assert Counter(outcome for _, outcome, _ in told) == Counter(counts)
    assert await held(library) == {uri(1), uri(2), uri(4)}


async def test_a_sync_knows_what_the_last_one_brought(library: Library) -> None:
    connector = Scripted(page(1), page(2, "b"), Checkpoint(cursor="later"))
    await sync(library, connector)
    await sync(library, connector)
    await sync(library, connector, full=True)
    versions = {uri(1): "1", uri(2): "b"}
    assert [(one.cursor, one.versions) for one in connector.begun] == [
        ("", {}),
        ("later", versions),
        ("", versions),
    ]
    assert {(one.location, one.root) for one in connector.begun} == {("a", "scripted://a")}


async def test_what_came_before_a_failure_is_kept_and_the_failure_is_named(
    library: Library,
) -> None:
    lost = ConnectorError("The source is away", code="connector_timeout")
    broken = Scripted(page(1), Checkpoint(cursor="one"), page(2), Gone(uri=uri(9)), lost)
    with pytest.raises(ConnectorError, match="The source is away"):
        await sync(library, broken)
    assert await held(library) == {uri(1), uri(2)}
    (source,) = await library.list_sources()
    assert (source.cursor, source.failure) == ("one", "The source is away")
    whole = Scripted(Unchanged(uri=uri(1)), Unchanged(uri=uri(2)), page(3))
    await sync(library, whole)
    assert whole.begun[0].cursor == "one"
    (source,) = await library.list_sources()
    assert (source.failure, source.counts) == ("", {"unchanged": 2, "added": 1})


async def test_a_connector_that_breaks_its_promise_is_named_without_its_words(
    library: Library,
) -> None:
    with pytest.raises(ConnectorError) as caught:
        await sync(library, Scripted(page(1), KeyError("the-secret")))
    assert str(caught.value) == "The connector 'scripted' failed (KeyError)"
    assert "the-secret" not in f"{caught.value.__cause__} {await library.list_sources()}"
    assert await held(library) == {uri(1)}


async def test_a_place_that_does_not_exist_becomes_no_source(library: Library) -> None:
    with pytest.raises(InputError):
        await synchronise(library, Scripted(), "nowhere", lambda *_: None)
    assert await library.list_sources() == []


class Slow(Scripted):
    """A source that waits behind its first documents until one of them is stored."""

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        yield page(1)
        yield page(2)
        while not await held(self._library):
            await asyncio.sleep(0.01)


async def test_what_a_slow_source_brought_is_stored_while_it_is_waited_for(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syncing, "SAVE_SECONDS", 0.0)
    async with asyncio.timeout(30):
        await sync(library, Slow(library))
    assert await held(library) == {uri(1), uri(2)}


async def test_the_cursor_never_runs_ahead_of_what_is_stored(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time that a cursor is written down, all that stood before it is in the library."""
    monkeypatch.setattr(syncing, "SAVE_SECONDS", 0.0)
    script: list[Change] = []
    for number in range(1, 8):
        script += [page(number), Checkpoint(cursor=str(number))]
        if number == 4:
            script.append(Gone(uri=uri(1)))
    seen: list[tuple[str, set[str]]] = []
    update = library.update_source

    async def watched(source: Any) -> None:
        seen.append((source.cursor, await held(library)))
        await update(source)

    monkeypatch.setattr(library, "update_source", watched)
    await sync(library, Scripted(*script))
    assert [cursor for cursor, _ in seen[1:8]] == [str(number) for number in range(1, 8)]
    for cursor, uris in seen[1:]:
        gone = {uri(1)} if int(cursor) >= 5 else set()
        assert uris == {uri(number) for number in range(1, int(cursor) + 1)} - gone


async def test_what_is_gone_and_comes_again_stays(library: Library) -> None:
    await sync(library, Scripted(page(1)))
    await sync(library, Scripted(Gone(uri=uri(1)), page(1, "2")))
    assert await held(library) == {uri(1)}
    await sync(library, Scripted(page(1, "3"), Gone(uri=uri(1))))
    assert await held(library) == set()


@pytest.mark.slow
async def test_two_syncs_of_one_source_take_turns(library: Library) -> None:
    running = 0

    class Slow(Scripted):
        async def sync(self, since: SyncState) -> AsyncIterator[Change]:
            nonlocal running
            running += 1
            assert running == 1
            await asyncio.sleep(0.1)
            async for one in super().sync(since):
                yield one
            running -= 1

    await asyncio.gather(*(sync(library, Slow(page(n))) for n in range(3)))
    assert await held(library) == {uri(0), uri(1), uri(2)}


async def test_the_wait_for_another_sync_can_be_cancelled(library: Library) -> None:
    async with library.hold_lock("scripted", "a"):
        waiting = asyncio.create_task(sync(library, Scripted(page(1))))
        await asyncio.sleep(0.2)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert await sync(library, Scripted(page(1))) == {"added": 1}


async def test_a_source_is_removed_with_what_no_other_source_has(library: Library) -> None:
    for location in ("a", "a/b"):
        await synchronise(
            library,
            Scripted(page(1), Document(uri="scripted://a/b/2", text="Two.", connector="scripted")),
            location,
            lambda *_: None,
        )
    assert await library.remove_source("scripted", "a") == 1
    assert await library.load_text("scripted://a/b/2") == "Two."
    assert await library.load_text(uri(1)) is None
    assert await library.remove_source("scripted", "a/b") == 1
    assert await library.remove_source("scripted", "a/b") is None
    assert await library.count() == (0, 0)


Steps = st.lists(
    st.one_of(
        st.tuples(st.integers(0, 4), st.sampled_from("123")).map(lambda one: page(*one)),
        st.integers(0, 4).map(lambda number: Gone(uri=uri(number))),
        st.integers(0, 9).map(lambda number: Checkpoint(cursor=str(number))),
    ),
    max_size=12,
)


@pytest.mark.slow
@given(steps=Steps)
@settings(max_examples=25, deadline=None)
async def test_the_library_ends_as_if_every_change_were_made_in_order(steps: list[Change]) -> None:
    expected: dict[str, str] = {}
    for step in steps:
        if isinstance(step, Document):
            expected[step.uri] = step.version
        elif isinstance(step, Gone):
            expected.pop(step.uri, None)
    library = await open_library(f"test-{uuid4().hex[:12]}")
    await sync(library, Scripted(*steps))
    assert await library.load_versions("scripted", ["scripted://a"]) == expected
