"""`quire sources` and `quire sync`: what they call, and what a user types."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from conformance import items
from fakes.provider import KEY
from fakes.sites.linear import LinearServer
from typer.testing import CliRunner

from cli.app import app
from library.library import open_library
from schema.errors import InputError, QuireError
from serving.sources import (
    SourceSyncResult,
    add_sources,
    list_sources,
    remove_source,
    sync_sources,
)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nTurbine {name} feeds the grid.\n")
    return folder


async def synced(space: str, *wanted: str, **how: Any) -> dict[str, SourceSyncResult]:
    return {one.name: one async for one in sync_sources(wanted, space, lambda _: None, **how)}


async def test_a_source_is_added_synced_and_removed_with_its_documents(
    space: str, notes: Path
) -> None:
    (name,) = await add_sources([str(notes)], space)
    assert name == f"files:{notes}"
    assert [(one.name, one.synced) for one in await list_sources(space)] == [(name, None)]
    assert (await synced(space))[name].counts == {"added": 2}
    (notes / "b.md").unlink()
    assert (await synced(space, "notes"))[name].counts == {"unchanged": 1, "removed": 1}
    (source,) = await list_sources(space)
    assert source.synced
    assert source.counts == {"unchanged": 1, "removed": 1}
    assert await remove_source("notes", space) == 1
    assert await list_sources(space) == []
    assert await (await open_library(space)).count() == (0, 0)


async def test_a_source_means_the_same_from_every_folder(
    space: str, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_sources(["notes"], space)
    monkeypatch.chdir(notes)
    ((name, done),) = (await synced(space)).items()
    assert (name, done.counts) == (f"files:{notes}", {"added": 2})


async def test_what_cannot_be_added_is_not(space: str, notes: Path) -> None:
    with pytest.raises(InputError, match=r"There is no file or folder .*nowhere: check"):
        await add_sources([str(notes), "nowhere"], space)
    assert await list_sources(space) == []
    with pytest.raises(InputError, match=r"'linear' is not configured: set LINEAR_API_KEY\.$"):
        await add_sources(["linear:ENG"], space)


@pytest.mark.parametrize("do", [remove_source, lambda name, space: synced(space, name)])
async def test_an_unknown_source_is_answered_with_those_that_there_are(
    do: Any, space: str, notes: Path
) -> None:
    await add_sources([str(notes)], space)
    with pytest.raises(InputError, match=f"other is no source of this space: .* files:{notes}"):
        await do("other", space)


async def test_one_source_that_fails_stops_no_other(
    space: str, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINEAR_API_KEY", KEY)
    with LinearServer(items(3)) as server:
        monkeypatch.setenv("QUIRE_LINEAR_BASE_URL", server.url)
        await add_sources([str(notes), "linear:ENG"], space)
        server.always = 503
        done = await synced(space)
        assert done[f"files:{notes}"].counts == {"added": 2}
        assert done["linear:ENG"].failure == "Linear answered HTTP 503"
        assert [one.failure for one in await list_sources(space)] == [
            "",
            "Linear answered HTTP 503",
        ]
        server.always = None
        assert (await synced(space))["linear:ENG"].counts == {"added": 3}
        assert (await synced(space, full=True))["linear:ENG"].counts == {"unchanged": 3}


async def test_many_syncs_at_once_end_with_one_library(space: str, notes: Path) -> None:
    """As from many workers."""
    await add_sources([str(notes)], space)
    done = await asyncio.gather(*(synced(space) for _ in range(5)))
    counts = [one[f"files:{notes}"].counts for one in done]
    assert sorted(counts, key=str) == [{"added": 2}] + [{"unchanged": 2}] * 4


def quire(*arguments: str) -> tuple[int, str]:
    """Exit code and what was said, on both streams."""
    done = CliRunner().invoke(app, list(arguments), env={"COLUMNS": "200"})
    if isinstance(done.exception, QuireError):  # main() prints it
        return 1, f"{done.output}{done.exception}"
    return done.exit_code, done.output


@pytest.mark.slow
def test_the_commands(space: str, notes: Path) -> None:
    assert "has no sources yet" in quire("sources", "list", "--space", space)[1]
    assert quire("sources", "add", "notes", "--space", space)[0] == 0
    assert "never" in quire("sources", "list", "--space", space)[1]
    assert "2 added" in quire("sync", "--all", "--space", space)[1]
    assert "2 unchanged" in quire("sources", "sync", "notes", "--space", space)[1]
    assert "2 unchanged" in quire("sources", "list", "--space", space)[1]
    assert "LINEAR_API_KEY" in quire("sources", "connectors")[1]
    for wrong in (["sync"], ["sync", "notes", "--all"]):
        code, said = quire(*wrong, "--space", space)
        assert (code, "Name the sources to sync" in said) == (1, True)
    (notes / "a.md").unlink()
    (notes / "b.md").unlink()
    notes.rmdir()
    code, said = quire("sync", "--all", "--space", space)
    assert code == 1
    assert "There is no file or folder" in said
    assert "what they returned before is kept" in said
    assert "2 documents" in quire("sources", "remove", "notes", "--space", space)[1]
