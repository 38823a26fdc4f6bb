"""A report that is written into a Zotero library."""

from collections.abc import Iterator
from typing import Any

import pytest
from conformance import items
from fakes.provider import KEY
from fakes.sites.zotero_api import TOP, ZoteroServer, key_of
from sample_report import REPORT

from schema.errors import ConnectorError, InputError
from schema.report import Citation, Report
from serving.zotero import send_to_zotero


@pytest.fixture
def zotero(monkeypatch: pytest.MonkeyPatch) -> Iterator[ZoteroServer]:
    monkeypatch.setenv("ZOTERO_API_KEY", KEY)
    with ZoteroServer(items(3)) as server:
        monkeypatch.setenv("QUIRE_ZOTERO_BASE_URL", server.url)
        yield server


def saved(**more: Any) -> Report:
    """A saved report, of which a reference was read from an item."""
    first: Citation = {**REPORT["citations"][0]}
    first["document"] = f"zotero://users/475425/{key_of(1)}"
    citations = [first, *(one for one in REPORT["citations"] if one["number"] != first["number"])]
    return {**REPORT, "id": "r1", "version": 1, "citations": citations, **more}


def written(server: ZoteroServer, kind: str) -> list[dict[str, Any]]:
    return [one for one in server.records.values() if one["itemType"] == kind]


async def test_a_report_is_an_item_with_a_note_that_links_to_what_it_cites(
    zotero: ZoteroServer,
) -> None:
    made = await send_to_zotero(saved(), f"users/475425/collections/{TOP}")
    (report,), (note,) = written(zotero, "report"), written(zotero, "note")
    assert made == (f"zotero://select/library/items/{report['key']}", True)
    assert (report["title"], report["collections"]) == (REPORT["title"], [TOP])
    relation = f"http://zotero.org/users/475425/items/{key_of(1)}"
    assert report["relations"] == {"dc:relation": [relation]}
    assert note["parentItem"] == report["key"]
    assert f'<a href="zotero://select/library/items/{key_of(1)}">[1]' in note["note"]
    assert "about <strong>25 % of their body weight</strong>" in note["note"]
    assert "#source-" not in note["note"]
    assert "<script" not in note["note"]


async def test_a_version_is_written_once_and_the_next_one_beside_it(zotero: ZoteroServer) -> None:
    first = await send_to_zotero(saved(), "*")
    again = await send_to_zotero(saved(), "*")
    later = await send_to_zotero(saved(version=2), "*")
    assert (first.new, again.new, later.new) == (True, False, True)
    assert first.address == again.address == later.address
    assert (len(written(zotero, "report")), len(written(zotero, "note"))) == (1, 2)


async def test_what_others_write_meanwhile_is_not_written_over(zotero: ZoteroServer) -> None:
    zotero.meanwhile = 1
    await send_to_zotero(saved(), "*")
    assert (len(written(zotero, "report")), len(written(zotero, "note"))) == (1, 1)
    zotero.meanwhile = 9
    with pytest.raises(ConnectorError, match="HTTP 412"):
        await send_to_zotero(saved(version=2), "*")


async def test_a_report_of_another_library_is_not_related_to_items_of_this_one(
    zotero: ZoteroServer,
) -> None:
    await send_to_zotero(saved(), "groups/12")
    (report,), (note,) = written(zotero, "report"), written(zotero, "note")
    assert report["relations"] == {}
    assert f"zotero://select/library/items/{key_of(1)}" in note["note"]


async def test_a_key_that_may_not_write_is_told_so(zotero: ZoteroServer) -> None:
    zotero.refused = True
    with pytest.raises(ConnectorError, match="check what ZOTERO_API_KEY may do there"):
        await send_to_zotero(saved(), "*")


async def test_the_app_on_this_machine_takes_none(
    zotero: ZoteroServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZOTERO_API_KEY")
    with pytest.raises(InputError, match="takes no reports: set ZOTERO_API_KEY"):
        await send_to_zotero(saved(), "*")
    assert not [call for call in zotero.calls if call]


async def test_a_reader_s_words_become_no_markup_of_a_note(zotero: ZoteroServer) -> None:
    hostile = "<script>x</script> <img src=x onerror=y> [a](javascript:z)"
    section = {"title": hostile, "text": f"{hostile} [1]."}
    await send_to_zotero(saved(title=hostile, sections=[section]), "*")
    (note,) = written(zotero, "note")
    assert "<script" not in note["note"]
    assert "<img" not in note["note"]
    assert 'href="javascript' not in note["note"]
