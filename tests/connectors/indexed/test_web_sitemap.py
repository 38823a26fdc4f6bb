"""A site by its sitemap: what sitemaps can do to one, beside what `test_web.py` has."""

import gzip
import tracemalloc
from collections.abc import Iterator

import pytest
from conformance import items
from fakes.sites.website import Held, WebServer, index, page, urlset
from starlette.responses import Response

from connectors.indexed.web import sitemaps
from schema.errors import ConnectorError


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
    with WebServer() as running:
        yield running


@pytest.fixture
def held(server: WebServer) -> Held:
    """What is held of the pages of the sitemap."""
    return Held(server, "/sitemap.xml")


def names(server: WebServer, *locs: str, lastmod: str = "") -> Response:
    """A sitemap; addresses may begin with a slash."""
    inner = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    full = (server.url + loc if loc.startswith("/") else loc for loc in locs)
    return Response(urlset("".join(f"<url><loc>{loc}</loc>{inner}</url>" for loc in full)))


async def test_a_page_is_not_asked_for_while_its_lastmod_is_the_same(
    server: WebServer, held: Held
) -> None:
    server.put(*items(3))
    await held.sync()
    server.calls.clear()
    assert set((await held.sync()).values()) == {"unchanged"}
    assert server.calls == ["/robots.txt?", "/sitemap.xml?"]
    assert set((await held.sync(full=True)).values()) == {"unchanged"}
    assert len(server.calls) == 4 + 3
    assert len(server.sent) == 3


async def test_without_lastmod_every_page_is_asked_whether_it_changed(
    server: WebServer, held: Held
) -> None:
    server.pages["/sitemap.xml"] = names(server, "/a", "/b")
    server.pages |= {"/a": page("<p>A.</p>"), "/b": page("<p>B.</p>")}
    await held.sync()
    server.bodies.clear()
    server.pages["/b"] = page("<p>It is new.</p>")
    assert await held.sync() == {"/a": "unchanged", "/b": "document"}
    assert server.bodies == ["/sitemap.xml", "/b"]


async def test_a_new_lastmod_of_a_page_that_did_not_change_is_remembered(
    server: WebServer, held: Held
) -> None:
    server.pages["/a"] = Response("No validator.", media_type="text/plain")
    for day in ("2024-05-01", "2024-05-02"):
        server.pages["/sitemap.xml"] = names(server, "/a", lastmod=day)
        assert await held.sync() == {"/a": "document"}
    assert await held.sync() == {"/a": "unchanged"}
    assert server.bodies.count("/a") == 2


async def test_what_the_sitemap_no_longer_names_is_gone_and_what_fails_is_not(
    server: WebServer, held: Held
) -> None:
    server.pages["/sitemap.xml"] = names(server, "/a", "/b", "/c", "/d")
    server.pages |= {path: page(f"<p>This is {path}.</p>") for path in ("/a", "/b", "/c", "/d")}
    await held.sync()
    server.pages["/sitemap.xml"] = names(server, "/b", "/c", "/d")
    server.pages["/b"] = Response(status_code=503)
    server.pages["/c"] = Response(status_code=410)
    assert await held.sync() == {
        "/a": "gone", "/b": "skipped", "/c": "gone", "/d": "unchanged",
    }  # fmt: skip


async def test_two_sitemaps_of_one_site_do_not_remove_each_other_s_pages(
    server: WebServer, held: Held
) -> None:
    server.pages |= {path: page(f"<p>This is {path}.</p>") for path in ("/a", "/b")}
    server.pages["/sitemap.xml"] = names(server, "/a")
    server.pages["/more.xml"] = names(server, "/b")
    more = Held(server, "/more.xml")
    await held.sync()
    await more.sync()
    held.versions |= more.versions
    assert await held.sync() == {"/a": "unchanged"}


async def test_pages_elsewhere_are_not_asked_for(server: WebServer, held: Held) -> None:
    elsewhere = ["https://other.test/a", "http://127.0.0.1:1/a", "ftp://127.0.0.1/a", "a", ""]
    server.pages["/sitemap.xml"] = names(server, *elsewhere, "/a", "/a#b", "/a?utm_source=c")
    server.pages["/a"] = page("<p>A.</p>")
    told = await held.sync()
    assert told.pop("/a") == "document"
    assert set(told) == {"https://other.test/a", "https://127.0.0.1:1/a"}
    assert all("leads out of" in reason for reason in held.reasons.values())
    assert len(server.calls) == 3


async def test_a_page_is_known_however_the_sitemap_writes_its_address(
    server: WebServer, held: Held
) -> None:
    server.pages["/ä"] = page("<p>A.</p>")
    server.pages["/sitemap.xml"] = names(server, "/ä")
    assert list(await held.sync()) == ["/%C3%A4"]
    server.pages["/ä"] = Response(status_code=503)
    assert await held.sync() == {"/%C3%A4": "skipped"}


async def test_a_way_around_robots_txt_is_none(server: WebServer, held: Held) -> None:
    server.pages["/sitemap.xml"] = names(server, "/docs/../private/a")
    assert set((await held.sync()).values()) == {"skipped"}
    assert "robots.txt does not allow" in next(iter(held.reasons.values()))


async def test_an_index_leads_to_its_sitemaps_each_once(server: WebServer, held: Held) -> None:
    url = server.url
    server.pages["/sitemap.xml"] = index(f"{url}/1.xml.gz", f"{url}/2", f"{url}/sitemap.xml")
    server.pages["/1.xml.gz"] = Response(gzip.compress(bytes(names(server, "/a").body)))
    server.pages["/2"] = index(f"{url}/3", f"{url}/1.xml.gz")
    server.pages["/3"] = names(server, "/a", "/b")
    server.pages |= {"/a": page("<p>A.</p>"), "/b": page("<p>B.</p>")}
    assert await held.sync() == {"/a": "document", "/b": "document"}
    assert len(server.calls) == 7


async def test_one_sitemap_of_an_index_that_fails_is_a_failure(
    server: WebServer, held: Held
) -> None:
    """Else its pages would be taken for gone."""
    server.pages["/sitemap.xml"] = index(f"{server.url}/1", f"{server.url}/2")
    server.pages |= {"/1": names(server, "/a"), "/2": names(server, "/b")}
    server.pages |= {"/a": page("<p>A.</p>"), "/b": page("<p>B.</p>")}
    await held.sync()
    del server.pages["/2"]
    with pytest.raises(ConnectorError, match=r"/2 has no such thing$"):
        await held.sync()
    assert list(held.texts) == ["/a", "/b"]


BOMB = "<!DOCTYPE u [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
    f"<!ENTITY {name} '{f'&{before};' * 50}'>"
    for before, name in zip("abcde", "bcdef", strict=True)
)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "is no sitemap that can be read"),
        (b"no xml", "is no sitemap that can be read"),
        (b"<urlset><url><loc>http", "is no sitemap that can be read"),
        (b"\x1f\x8bnot packed at all", "is no sitemap that can be read"),
        (b"<html><body/></html>", "is no sitemap: it holds a <html>"),
        (b"<rss xmlns='x'/>", "is no sitemap: it holds a <rss>"),
    ],
)
async def test_what_is_no_sitemap_is_a_failure(
    server: WebServer, held: Held, body: bytes, reason: str
) -> None:
    server.pages["/sitemap.xml"] = Response(body)
    with pytest.raises(ConnectorError) as caught:
        await held.sync()
    assert str(caught.value) == f"{server.url}/sitemap.xml {reason}"


async def test_neither_files_nor_entities_are_brought_in(server: WebServer, held: Held) -> None:
    declared = "<!DOCTYPE u [<!ENTITY f SYSTEM 'file:///etc/hostname'>]>"
    loc = f"<loc>{server.url}/a&f;</loc>"
    server.pages["/sitemap.xml"] = Response(f"{declared}<urlset><url>{loc}</url></urlset>")
    server.pages["/a"] = page("<p>A.</p>")
    assert await held.sync() == {"/a": "document"}
    server.pages["/sitemap.xml"] = Response(f"{BOMB}]><urlset><url><loc>&f;</loc></url></urlset>")
    with pytest.raises(ConnectorError, match=r"is no sitemap that can be read$"):
        await held.sync()


async def test_a_sitemap_that_unpacks_to_too_much_is_left(
    server: WebServer, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitemaps, "MAX_BYTES", 2**20)
    packed = gzip.compress(b"<urlset>" + b" " * 50 * 2**20 + b"</urlset>")
    server.pages["/sitemap.xml"] = Response(packed)
    tracemalloc.start()
    try:
        with pytest.raises(ConnectorError, match=r"/sitemap\.xml is larger than 1 MB$"):
            await held.sync()
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.slow
async def test_a_huge_sitemap_is_not_held_as_a_whole(server: WebServer, held: Held) -> None:
    lastmod = "2024-05-01"
    server.put(*items(1))
    locs = [f"/docs/turbine-1?n={number}" for number in range(20_000)]
    server.pages["/sitemap.xml"] = names(server, *locs, lastmod=lastmod)
    held.cursor = "listed"
    origin = server.url.replace("http://", "https://")
    held.versions = {origin + loc: f"mark {lastmod} etag:x" for loc in locs}
    told = await held.sync()
    assert len(told) == 20_000
    assert set(told.values()) == {"unchanged"}
    assert len(server.calls) == 2
