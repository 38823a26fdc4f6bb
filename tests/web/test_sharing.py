"""Links that show a report to whoever has them, until they are taken back."""

from typing import Any

import httpx
import pytest
from fakes.server import Served
from test_report_pages import ARTICLE, write_report
from visitors import said

from library.library import open_library
from team.store import open_team


async def share(visitor: Any, path: str, **asked: str) -> str:
    answer = await visitor.post(f"{path}/share", {"version": "1", "days": "7", **asked})
    assert answer.status_code == 200, answer.text
    from lxml import html

    link = html.document_fromstring(answer.text).cssselect("#link")[0].get("value")
    return str(httpx.URL(link).path)


@pytest.mark.slow
async def test_whoever_has_the_link_reads_the_report_without_a_cookie(
    enter: Any, samples: str
) -> None:
    visitor = enter()
    link = await share(visitor, await write_report(visitor, samples))
    async with httpx.AsyncClient(base_url=str(visitor.client.base_url)) as anybody:
        answer = await anybody.get(link)
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    assert answer.headers["x-robots-tag"] == "noindex, nofollow"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert 'class="card"' in answer.text
    for inner in ("/passages/", "csrf", "<form", "file:///", "/reports/"):
        assert inner not in answer.text


@pytest.mark.slow
async def test_a_link_shows_its_version_and_ends_when_it_is_taken_back(
    enter: Any, samples: str
) -> None:
    visitor = enter()
    path = await write_report(visitor, samples)
    one, other = await share(visitor, path), await share(visitor, path, days="")
    page = await visitor.read(path)
    forms = page.cssselect("form[action*='/links/']")
    assert len(forms) == 2
    assert "never ends" in said(page.cssselect("#sharing li")[0])
    await visitor.post(forms[0].get("action"))
    assert (await visitor.get(other)).status_code == 404
    assert (await visitor.read(one)).cssselect(ARTICLE)
    await visitor.post(f"{path}/remove")
    gone, never = await visitor.get(one), await visitor.get(f"/shared/{'A' * 43}")
    assert gone.status_code == never.status_code == 404
    assert gone.text == never.text


@pytest.mark.slow
async def test_a_token_stands_nowhere_and_ends_in_time(enter: Any, samples: str) -> None:
    visitor = enter()
    path = await write_report(visitor, samples)
    link = await share(visitor, path)
    token = link.rsplit("/", 1)[-1]
    async with (await open_team()).connect() as connection:
        cursor = await connection.execute("SELECT s::text FROM quire.share_links s")
        assert not any(token in row for [row] in await cursor.fetchall())
        await connection.execute("UPDATE quire.share_links SET expires = now() - interval '1 s'")
    assert (await visitor.get(link)).status_code == 404
    library = await open_library(samples)
    assert await library.fetch("SELECT 1 FROM quire.share_links WHERE %(user)s <> ''") == []


async def test_what_is_no_link_leads_nowhere(enter: Any, served: Served) -> None:
    visitor = enter()
    for token in ("x", "A" * 42, "Ä" * 43, "A" * 44, "%00" * 43):
        assert (await visitor.get(f"/shared/{token}")).status_code == 404


@pytest.mark.slow
async def test_links_are_for_a_time_that_there_is(enter: Any, samples: str) -> None:
    visitor = enter()
    path = await write_report(visitor, samples)
    for days in ("0", "-1", "99999", "seven", "1e3"):
        asked = {"version": "1", "days": days}
        assert (await visitor.post(f"{path}/share", asked)).status_code == 422
    for version in ("2", "0", "x", ""):
        asked = {"version": version, "days": "7"}
        assert (await visitor.post(f"{path}/share", asked)).status_code == 404
