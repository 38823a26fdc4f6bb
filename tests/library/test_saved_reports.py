"""Reports in the library: every version as it was, each user's apart."""

import asyncio
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from library_pages import rows
from psycopg.types.json import Json
from saved_reports import MATERIAL, RUN, report

from library.database.checkpoints import open_checkpointer
from library.database.connections import close_databases
from library.library import Library, open_library
from library.saved_reports import make_short_id
from schema.errors import LibraryError

CHART = {"section": 0, "title": "", "spec": {}, "rows": [], "numbers": []}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)  # fmt: skip


def new_id() -> str:
    return make_short_id(uuid4().hex)


@pytest.fixture
async def kept(library: Library) -> str:
    identity = new_id()
    await library.save_report(report(identity), MATERIAL, "thread-1", RUN)
    return identity


async def test_a_report_is_kept_with_all_that_a_revision_needs(library: Library, kept: str) -> None:
    found = await library.load_report(kept)
    assert found is not None
    assert found.report == report(kept)
    assert (found.material, found.run) == (MATERIAL, RUN)
    assert (found.id, found.version, found.space, found.thread) == (
        kept, 1, library.space, "thread-1",
    )  # fmt: skip
    assert (found.question, found.title, found.note) == (
        "What do otters eat?", "Otters", "written",
    )  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(), anything=JSON)
async def test_what_comes_back_is_what_was_kept(library: Library, text: str, anything: Any) -> None:
    """Also NUL, which the database's text cannot hold, and the order of keys."""
    identity = new_id()
    given_report = report(
        identity,
        title=text,
        question=text,
        sections=[{"title": text, "text": text}],
        charts=[{**CHART, "title": text, "spec": {"z": anything, "a": 1}}],
    )
    await library.save_report(given_report, MATERIAL, "", RUN)
    await library.save_version({**given_report, "version": 2}, MATERIAL, text)
    for version in (1, 2):
        found = await library.load_report(identity, version)
        assert found is not None
        assert found.report == {**given_report, "version": version}
        assert list(found.report["charts"][0]["spec"]) == ["z", "a"]


async def test_runs_are_measured_whatever_characters_their_reports_hold(library: Library) -> None:
    used = {"model": "openai:m", "calls": 1, "input_tokens": 7, "output_tokens": 3, "seconds": 1.0}
    for text in ("a\0b", "half of a pair: \ud83d", "\\u0000 😀"):
        given_report = report(new_id(), title=text, usage={"writer": used})
        await library.save_report(given_report, MATERIAL, "", RUN)
    measured = await library.list_measured_runs("openai:m")
    assert [one.tokens for one in measured] == [10, 10, 10]


async def test_a_run_begun_with_any_characters_is_asked_to_pause(library: Library) -> None:
    identity = new_id()
    run = {**RUN, "conversation": [["user", "a\0b \ud83d"]]}
    await library.save_report(report(identity), MATERIAL, "", run)  # type: ignore[arg-type]
    await library.ask_to_pause(identity, pause=True)
    assert await library.is_pause_asked(identity)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("report", {}),
        ("report", []),
        ("report", report("x", sections=[{"title": "Food"}])),
        ("report", report("x", sections=[])),
        ("report", report("x", references=[{"number": "one"}])),
        ("report", report("x", charts=[{**CHART, "section": 7}])),
        ("material", [{}]),
        ("run", {"context": 1}),
    ],
)
async def test_a_row_that_is_no_report_is_told_in_a_sentence_and_can_be_removed(
    library: Library, kept: str, column: str, value: Any
) -> None:
    statement = f"UPDATE quire.reports SET {column} = %s WHERE id = %s RETURNING 1"
    await rows(library, statement, Json(value), kept)
    with pytest.raises(LibraryError, match=f"The report {kept} cannot be read: its row") as caught:
        await library.load_report(kept)
    assert str(caught.value).count("\n") == 0
    assert await library.remove_report(kept) == 1


async def test_versions_stay_beside_each_other(library: Library, kept: str) -> None:
    second = report(kept, 2, title="Otters, shortly")
    await library.save_version(second, MATERIAL, "make it shorter")
    newest = await library.load_report(kept)
    assert newest is not None
    assert (newest.version, newest.report, newest.run) == (2, second, RUN)
    first = await library.load_report(kept, 1)
    assert first is not None
    assert first.report == report(kept)
    notes = [(one.version, one.note, one.title) for one in await library.list_report_versions(kept)]
    assert notes == [(1, "written", "Otters"), (2, "make it shorter", "Otters, shortly")]
    assert await library.load_report(kept, 3) is None


async def test_what_is_kept_again_is_kept_once(library: Library, kept: str) -> None:
    for _ in range(2):
        await library.save_report(report(kept), MATERIAL, "thread-1", RUN)
        await library.save_version(report(kept, 2), MATERIAL, "shorter")
    assert [one.version for one in await library.list_report_versions(kept)] == [1, 2]


async def test_two_revisions_of_one_version_do_not_overwrite_each_other(
    library: Library, kept: str
) -> None:
    await library.save_version(report(kept, 2, title="One"), MATERIAL, "one")
    with pytest.raises(LibraryError, match="revised or removed meanwhile"):
        await library.save_version(report(kept, 2, title="Another"), MATERIAL, "another")
    newest = await library.load_report(kept)
    assert newest is not None
    assert newest.title == "One"


async def test_a_version_of_a_report_that_is_gone_is_refused(library: Library, kept: str) -> None:
    assert await library.remove_report(kept) == 1
    with pytest.raises(LibraryError, match="revised or removed meanwhile"):
        await library.save_version(report(kept, 2), MATERIAL, "shorter")
    assert await library.load_report(kept) is None


async def test_a_run_that_is_begun_is_listed_until_its_report_is_kept(library: Library) -> None:
    begun = await library.begin_report("What do otters eat?", RUN)
    identity = begun.id
    assert begun == await library.load_report(identity)
    assert (begun.finished, begun.report, begun.thread) == (False, None, identity)
    await library.note_run(identity, {**RUN, "skipped": ["a.pdf: broken"]})
    await library.save_report(report(identity), MATERIAL, identity, RUN)
    done = await library.load_report(identity)
    assert done is not None
    assert (done.finished, done.report, done.material) == (True, report(identity), MATERIAL)
    assert done.run["skipped"] == ["a.pdf: broken"]


async def test_the_list_has_the_newest_version_of_all_spaces_the_newest_first(
    space: str,
) -> None:
    user = f"reader-{space}"
    one, other = await open_library(space, user), await open_library(f"{space}-2", user)
    first, second = new_id(), new_id()
    await one.save_report(report(first), MATERIAL, "", RUN)
    await other.save_report(report(second, title="Seals"), MATERIAL, "", RUN)
    await one.save_version(report(first, 2), MATERIAL, "shorter")
    listed = await other.list_reports()
    assert [(entry.id, entry.version, entry.space) for entry in listed] == [
        (first, 2, space), (second, 1, f"{space}-2"),
    ]  # fmt: skip


async def test_a_removed_space_takes_its_reports_along(library: Library, kept: str) -> None:
    await rows(library, "DELETE FROM quire.spaces WHERE name = %s RETURNING 1", library.space)
    assert await library.load_report(kept) is None


@given(st.text())
def test_an_id_is_eight_letters_and_digits_the_same_for_its_seed(seed: str) -> None:
    identity = make_short_id(seed)
    assert len(identity) == 8
    assert set(identity) <= set("23456789abcdefghjkmnpqrstuvwxyz")
    assert make_short_id(seed) == identity


def test_ids_of_many_seeds_differ() -> None:
    assert len({make_short_id(str(seed)) for seed in range(20_000)}) == 20_000


@pytest.mark.slow
async def test_checkpoints_can_be_opened_by_many_at_once(
    new_data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a database that has none yet."""
    monkeypatch.setenv("QUIRE_DATA_DIR", str(new_data_dir))

    async def opened(name: str) -> None:
        async with open_checkpointer() as saver:
            config: Any = {"configurable": {"thread_id": name}}
            assert await saver.aget_tuple(config) is None

    await asyncio.gather(*(opened(f"thread-{number}") for number in range(4)))
    await close_databases()
