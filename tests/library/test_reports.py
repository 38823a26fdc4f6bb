"""Reports in the library: every version as it was, each user's apart."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kept_reports import report
from library_pages import rows

from library.library import Library, open_library
from library.reports import Material, short_id
from library.threads import checkpointer
from schema.errors import LibraryError

MATERIAL = [Material(questions=["What do otters eat?", "When?"], chunks=[3, 1, 2])]
RUN = {"context": {"space": "here"}, "skipped": []}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)  # fmt: skip


def new_id() -> str:
    return short_id(uuid4().hex)


@pytest.fixture
async def kept(library: Library) -> str:
    identity = new_id()
    await library.keep_report(report(identity), MATERIAL, "thread-1", RUN)
    return identity


async def test_a_report_is_kept_with_all_that_a_revision_needs(library: Library, kept: str) -> None:
    found = await library.report(kept)
    assert found is not None
    assert found.report == report(kept)
    assert (found.material, found.run) == (MATERIAL, RUN)
    assert (found.id, found.version, found.space, found.thread) == (
        kept, 1, library.space, "thread-1",
    )  # fmt: skip
    assert (found.question, found.title, found.note) == (
        "What do otters eat?", "Otters", "written",
    )  # fmt: skip


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=())), anything=JSON)
async def test_what_comes_back_is_what_was_kept(library: Library, text: str, anything: Any) -> None:
    """Also signs that the database's text cannot hold, and the order of keys."""
    identity = new_id()
    given_report = report(
        identity,
        title=text,
        question=text,
        sections=[{"title": text, "text": text}],
        usage={"z": anything, "a": 1},
    )
    await library.keep_report(given_report, [], "", {})
    await library.keep_version({**given_report, "version": 2}, [], text)
    for version in (1, 2):
        found = await library.report(identity, version)
        assert found is not None
        assert found.report == {**given_report, "version": version}
        assert list(found.report["usage"]) == ["z", "a"]


async def test_versions_stay_beside_each_other(library: Library, kept: str) -> None:
    second = report(kept, 2, title="Otters, shortly")
    await library.keep_version(second, [], "make it shorter")
    newest = await library.report(kept)
    assert newest is not None
    assert (newest.version, newest.report, newest.run) == (2, second, RUN)
    first = await library.report(kept, 1)
    assert first is not None
    assert first.report == report(kept)
    notes = [(one.version, one.note, one.title) for one in await library.report_versions(kept)]
    assert notes == [(1, "written", "Otters"), (2, "make it shorter", "Otters, shortly")]
    assert await library.report(kept, 3) is None


async def test_what_is_kept_again_is_kept_once(library: Library, kept: str) -> None:
    for _ in range(2):
        await library.keep_report(report(kept), MATERIAL, "thread-1", RUN)
        await library.keep_version(report(kept, 2), [], "shorter")
    assert [one.version for one in await library.report_versions(kept)] == [1, 2]


async def test_two_revisions_of_one_version_do_not_overwrite_each_other(
    library: Library, kept: str
) -> None:
    await library.keep_version(report(kept, 2, title="One"), [], "one")
    with pytest.raises(LibraryError, match="revised or removed meanwhile"):
        await library.keep_version(report(kept, 2, title="Another"), [], "another")
    newest = await library.report(kept)
    assert newest is not None
    assert newest.title == "One"


async def test_a_version_of_a_report_that_is_gone_is_refused(library: Library, kept: str) -> None:
    assert await library.remove_report(kept) == 1
    with pytest.raises(LibraryError, match="revised or removed meanwhile"):
        await library.keep_version(report(kept, 2), [], "shorter")
    assert await library.report(kept) is None


async def test_a_run_that_is_begun_is_listed_until_its_report_is_kept(library: Library) -> None:
    identity = await library.begin_report("What do otters eat?", RUN)
    begun = await library.report(identity)
    assert begun is not None
    assert (begun.finished, begun.report, begun.thread) == (False, None, identity)
    await library.note_run(identity, {**RUN, "skipped": ["a.pdf: broken"]})
    await library.keep_report(report(identity), MATERIAL, identity, {})
    done = await library.report(identity)
    assert done is not None
    assert (done.finished, done.report, done.material) == (True, report(identity), MATERIAL)
    assert done.run["skipped"] == ["a.pdf: broken"]


async def test_the_list_has_the_newest_version_of_all_spaces_the_newest_first(
    space: str,
) -> None:
    user = f"reader-{space}"
    one, other = await open_library(space, user), await open_library(f"{space}-2", user)
    first, second = new_id(), new_id()
    await one.keep_report(report(first), [], "", {})
    await other.keep_report(report(second, title="Seals"), [], "", {})
    await one.keep_version(report(first, 2), [], "shorter")
    listed = await other.reports()
    assert [(entry.id, entry.version, entry.space) for entry in listed] == [
        (first, 2, space), (second, 1, f"{space}-2"),
    ]  # fmt: skip


async def test_another_user_neither_sees_nor_touches_a_report(library: Library, kept: str) -> None:
    other = await open_library(library.space, f"other-{library.space}")
    assert await other.report(kept) is None
    assert await other.report_versions(kept) == []
    assert await other.reports() == []
    assert await other.remove_report(kept) == 0
    await other.note_run(kept, {"context": {}, "skipped": ["mine"]})
    with pytest.raises(LibraryError, match=f"the id {kept} is taken"):
        await other.keep_report(report(kept, title="Mine"), [], "", {})
    with pytest.raises(LibraryError, match="revised or removed meanwhile"):
        await other.keep_version(report(kept, 2), [], "mine")
    found = await library.report(kept)
    assert found is not None
    assert (found.version, found.title, found.run) == (1, "Otters", RUN)


async def test_a_removed_space_takes_its_reports_along(library: Library, kept: str) -> None:
    await rows(library, "DELETE FROM quire.spaces WHERE name = %s RETURNING 1", library.space)
    assert await library.report(kept) is None


@given(st.text())
def test_an_id_is_eight_letters_and_digits_the_same_for_its_seed(seed: str) -> None:
    identity = short_id(seed)
    assert len(identity) == 8
    assert set(identity) <= set("23456789abcdefghjkmnpqrstuvwxyz")
    assert short_id(seed) == identity


def test_ids_of_many_seeds_differ() -> None:
    assert len({short_id(str(seed)) for seed in range(20_000)}) == 20_000


async def test_checkpoints_can_be_opened_by_many_at_once(library: Library) -> None:
    async def opened(name: str) -> None:
        async with checkpointer() as saver:
            config: Any = {"configurable": {"thread_id": name}}
            assert await saver.aget_tuple(config) is None

    await rows(library, "SELECT 1")
    async with library._database.maintenance() as connection:
        await connection.execute("DROP SCHEMA IF EXISTS quire_threads CASCADE")
    await asyncio.gather(*(opened(f"{library.space}-{n}") for n in range(4)))
