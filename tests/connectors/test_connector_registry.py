"""Connectors are found by name: our own, and those that other packages bring."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from connectors.protocol import LiveConnector, SyncingConnector
from connectors.registry import (
    BUILT_IN,
    choose_connectors,
    explain_missing,
    list_connector_names,
    make_connector,
    make_syncing_connector,
    parse_source,
)
from connectors.search_all import SearchRequest, search_all
from library.library import Library
from schema.errors import InputError

WINDFARM = """
from connectors.protocol import Limits, LiveConnector
from schema.documents import Document

class Windfarm(LiveConnector):
    name = "windfarm"
    description = "wind farms"
    document_description = "a farm"
    limits = Limits(attempts=1)

    async def search(self, query, *, limit, since=""):
        text = "The windfarm has forty turbines."
        return [Document(uri="https://farm.test/1", text=text, connector=self.name)]
"""


def install(folder: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay out a distribution as an installer does, and put it on the path."""
    info = folder / "windfarm-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: windfarm\nVersion: 1.0\n")
    line = "windfarm = quire_windfarm:Windfarm\n"
    (info / "entry_points.txt").write_text(f"[quire.connectors]\n{line}")
    (folder / "quire_windfarm.py").write_text(code)
    monkeypatch.delitem(sys.modules, "quire_windfarm", raising=False)
    monkeypatch.syspath_prepend(folder)


def test_the_built_in_connectors_are_what_they_say() -> None:
    assert list_connector_names() == sorted(BUILT_IN)
    assert [make_connector(name).name for name in list_connector_names()] == list_connector_names()
    assert isinstance(make_connector("tavily"), LiveConnector)
    assert isinstance(make_connector("files"), SyncingConnector)


@pytest.mark.parametrize(
    "find",
    [make_connector, make_syncing_connector, lambda name: choose_connectors([name], paths=False)],
)
def test_an_unknown_name_is_answered_with_those_that_there_are(
    find: Callable[[str], object],
) -> None:
    sentence = rf"^There is no connector 'bing': use one of {', '.join(sorted(BUILT_IN))}\.$"
    with pytest.raises(InputError, match=sentence):
        find("bing")


def test_live_connectors_do_not_fill_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "k")
    assert make_syncing_connector("files").name == "files"
    for name in ("library", "tavily"):
        with pytest.raises(InputError, match=f"'{name}' does not fill the library"):
            make_syncing_connector(name)


def test_one_that_is_asked_for_must_be_configured() -> None:
    with pytest.raises(InputError) as caught:
        choose_connectors(["library", "tavily"], paths=False)
    assert str(caught.value) == (
        "The connector 'tavily' is not configured: set TAVILY_API_KEY or QUIRE_TAVILY_BASE_URL."
    )


def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it() -> None:
    lacking = make_connector("files")
    lacking.package = "nothing_of_this_name"  # type: ignore[misc]
    assert explain_missing(lacking) == "run pip install 'quire[files]'"


@pytest.mark.parametrize(
    ("text", "name", "location"),
    [
        ("docs", "files", "docs"),
        ("./x/../docs/", "files", "docs"),
        ("files: a:b", "files", "a:b"),
        ("other:x", "files", "other:x"),
        ("linear: ENG", "linear", "ENG"),
    ],
)
def test_a_source_is_named_by_connector_and_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, name: str, location: str
) -> None:
    monkeypatch.setenv("LINEAR_API_KEY", "k")
    found, where = parse_source(text)
    assert (found.name, where) == (name, str(tmp_path / location) if name == "files" else location)


@pytest.mark.parametrize("key", [None, "TAVILY_API_KEY", "QUIRE_TAVILY_BASE_URL"])
@pytest.mark.parametrize(
    ("how", "local"),
    [
        ({"paths": False}, ["library", "web_results"]),
        ({"paths": False, "fresh": True}, ["library"]),
        ({"paths": True}, ["files"]),
    ],
)
def test_by_default_a_run_asks_the_library_and_what_is_configured(
    monkeypatch: pytest.MonkeyPatch, key: str | None, how: dict[str, bool], local: list[str]
) -> None:
    if key:
        monkeypatch.setenv(key, "http://127.0.0.1:1")
    live = ["tavily"] if key else []
    for wanted in (None, []):
        assert [one.name for one in choose_connectors(wanted, **how)] == [*local, *live]


def test_a_fresh_run_cannot_ask_for_what_earlier_ones_found() -> None:
    assert [one.name for one in choose_connectors(["web_results"], paths=False)] == ["web_results"]
    with pytest.raises(InputError, match="which a fresh run leaves out"):
        choose_connectors(["library", "web_results"], paths=False, fresh=True)


def test_those_asked_for_come_once_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "k")
    made = choose_connectors(["tavily", "files", "tavily"], paths=False)
    assert [one.name for one in made] == ["tavily", "files"]


async def test_a_connector_of_another_package_is_found_and_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: Library
) -> None:
    install(tmp_path, WINDFARM, monkeypatch)
    assert list_connector_names() == sorted([*BUILT_IN, "windfarm"])
    assert [one.name for one in choose_connectors(None, paths=True)] == ["files"]
    monkeypatch.setenv("QUIRE_CONNECTORS", "windfarm")
    assert [one.name for one in choose_connectors(None, paths=True)] == ["files", "windfarm"]
    (found,) = await search_all(
        [make_connector("windfarm")], ["How many turbines?"], SearchRequest(library, 3)
    )
    assert [hit.relevance > 0 for hit in found.hits] == [True]


@pytest.mark.parametrize("code", ["import nothing_of_this_name", "Windfarm = None", "x ="])
def test_a_connector_that_cannot_be_loaded_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    install(tmp_path, code, monkeypatch)
    with pytest.raises(InputError, match=r"^The connector 'windfarm' cannot be loaded \("):
        make_connector("windfarm")


def test_another_package_cannot_take_a_built_in_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, WINDFARM, monkeypatch)
    (tmp_path / "windfarm-1.0.dist-info/entry_points.txt").write_text(
        "[quire.connectors]\nfiles = quire_windfarm:Windfarm\n"
    )
    assert make_connector("files").name == "files"
    assert list_connector_names() == sorted(BUILT_IN)
