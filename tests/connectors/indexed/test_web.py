"""Crawling a website: what every connector must do, and how its pages are found again."""

from collections.abc import Iterator
from typing import Any

import pytest
from conformance import UNICODE, SyncConformance
from fakes.provider import Item
from fakes.sites.website import HTML, Held, WebServer, html, links, numbered, page
from starlette.responses import RedirectResponse, Response

from connectors.indexed import web
from connectors.registry import make_syncing_connector
from library.library import Library
from schema.errors import ConnectorError, InputError


class TestWeb(SyncConformance[WebServer]):
    name = "web"
    path = "/docs/"
    batch = 200  # a crawl reads no more than 500 pages
    many = 60
    provider = WebServer

    def environment(self, url: str) -> dict[str, str]:
        self.url = url
        return {"QUIRE_ALLOWED_HOSTS": "127.0.0.1"}

    @property
    def location(self) -> str:  # type: ignore[override]
        return f"{self.url}{self.path}"

    def expected(self, item: Item) -> dict[str, Any]:
        return numbered(item, self.url)

    async def test_text_of_every_script_arrives_unharmed(self, library: Library) -> None:
        """Of Markdown as it is, of HTML without marks of direction."""
        held = [Item(1, "Wind 世界 🎈", UNICODE), Item(21, "Wind", UNICODE)]
        with self.serving(held):
            await self.sync(library)
            texts = await self.held(library)
        assert UNICODE in (texts[self.expected(held[1])["uri"]] or "")
        seen = UNICODE.replace("\u202e", "")
        assert seen in (texts[self.expected(held[0])["uri"]] or "")


class TestWebBySitemap(TestWeb):
    path = "/sitemap.xml.gz"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
    with WebServer() as running:
        yield running


@pytest.fixture
def held(server: WebServer) -> Held:
    """What is held of the pages below /docs/."""
    return Held(server, "/docs/")


def chain(server: WebServer, *paths: str) -> None:
    """Pages of which each links to the next, the first from the start page."""
    for path, following in zip(("/docs/", *paths), (*paths, ""), strict=True):
        server.pages[path] = page(f"<p>This is {path}.</p>{links(following) if following else ''}")


async def test_menus_and_footers_are_no_text(server: WebServer, held: Held) -> None:
    chain(server, "/docs/a")
    await held.sync()
    assert "This is /docs/a." in held.texts["/docs/a"]
    assert "Overview of everything" not in held.texts["/docs/a"]
    assert "Imprint" not in held.texts["/docs/a"]


async def test_only_what_is_at_or_below_the_place_is_asked_for(
    server: WebServer, held: Held
) -> None:
    outside = ["/docsx", "/", "/other/a", "//127.0.0.1:1/docs/a", "https://example.test/docs/a"]
    up = ["/docs/../other/a", "../other/b", "/docs/a/../../other/c"]
    nothing = ["mailto:a@b.test", "javascript:alert(1)", "data:text/html,x", "tel:1", "#top", ""]
    broken = ["http://[", "http://a:b/", "ftp://127.0.0.1/docs/a", "/docs/a.PNG?x", "http://u:p@h/"]
    secret = f"{server.url}/docs/secret".replace("//", "//me:password@")
    targets = (*outside, *up, *nothing, *broken, secret, "a#part", "/docs/a?#")
    server.pages["/docs/"] = page(links(*targets))
    server.pages["/docs/a"] = page("<p>A.</p>")
    assert await held.sync() == {"/docs": "document", "/docs/a": "document"}
    assert held.documents["/docs/a"].url == f"{server.url}/docs/a"
    assert server.calls == ["/robots.txt?", "/docs/?", "/docs/a?"]


async def test_a_base_address_of_a_page_counts(server: WebServer, held: Held) -> None:
    server.pages["/docs/"] = page(links("b"), '<base href="/docs/deep/">')
    server.pages["/docs/deep/b"] = page("<p>B.</p>")
    assert "/docs/deep/b" in await held.sync()


async def test_what_only_an_unchanged_page_links_to_is_asked_for_again(
    server: WebServer, held: Held
) -> None:
    chain(server, "/docs/a", "/docs/b", "/docs/c")
    await held.sync()
    server.bodies.clear()
    server.pages["/docs/c"] = page(f"<p>It is new.</p>{links('/docs/d')}")
    server.pages["/docs/d"] = page("<p>D.</p>")
    assert await held.sync() == {
        "/docs": "unchanged",
        "/docs/a": "unchanged",
        "/docs/b": "unchanged",
        "/docs/c": "document",
        "/docs/d": "document",
    }
    assert server.bodies == ["/docs/c", "/docs/d"]
    server.bodies.clear()
    assert set((await held.sync()).values()) == {"unchanged"}
    assert server.bodies == []


async def test_pages_that_are_no_documents_lead_to_news_all_the_same(
    server: WebServer, held: Held
) -> None:
    """A page without a text of its own cannot be held, and is read each time."""
    server.pages["/docs/"] = page(links("list"))
    listed = '<html><body><nav><a href="a"></a></nav></body></html>'
    server.pages["/docs/list"] = Response(listed, headers={"ETag": '"1"', "Content-Type": HTML})
    server.pages["/docs/a"] = page("<p>A.</p>")
    told = await held.sync()
    assert (told["/docs/list"], told["/docs/a"]) == ("skipped", "document")
    assert held.reasons["/docs/list"].endswith("/docs/list: no main content was found in the page")
    changed = listed.replace("</nav>", '<a href="b"></a></nav>')
    server.pages["/docs/list"] = Response(changed, headers={"ETag": '"2"', "Content-Type": HTML})
    server.pages["/docs/b"] = page("<p>B.</p>")
    assert (await held.sync())["/docs/b"] == "document"


async def test_a_page_that_a_killed_sync_stored_is_read_for_its_links(
    server: WebServer, held: Held
) -> None:
    chain(server, "/docs/a")
    await held.sync()
    cursor = held.cursor
    server.pages["/docs/a"] = page(f"<p>Changed.</p>{links('/docs/b')}")
    await held.sync()  # killed after it stored the change: its cursor was not kept
    held.cursor = cursor
    server.pages["/docs/b"] = page("<p>B.</p>")
    assert (await held.sync())["/docs/b"] == "document"


async def test_what_the_library_lost_is_read_again(server: WebServer, held: Held) -> None:
    """A killed sync may have taken a page for gone that is there again, as it was."""
    chain(server, "/docs/a")
    await held.sync()
    held.versions.popitem()
    assert await held.sync() == {"/docs": "unchanged", "/docs/a": "document"}


@pytest.mark.parametrize("status", [404, 410])
async def test_a_page_that_went_is_gone(server: WebServer, held: Held, status: int) -> None:
    chain(server, "/docs/a", "/docs/b")
    await held.sync()
    server.pages["/docs/a"] = Response(status_code=status)
    assert await held.sync() == {"/docs": "unchanged", "/docs/a": "gone", "/docs/b": "unchanged"}
    server.calls.clear()
    await held.sync()
    assert server.calls == ["/robots.txt?", "/docs/?", "/docs/b?"]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (401, "does not allow this"),
        (403, "does not allow this"),
        (451, "answered HTTP 451"),
        (500, "answered HTTP 500"),
    ],
)
async def test_one_page_that_fails_is_kept_and_costs_no_other(
    server: WebServer, held: Held, status: int, reason: str
) -> None:
    server.pages["/docs/"] = page(links("a", "b"))
    other = page("<p>A page.</p>")
    server.pages |= {"/docs/a": other, "/docs/b": other}
    await held.sync()
    server.pages["/docs/a"] = Response(status_code=status)
    told = {"/docs": "unchanged", "/docs/a": "skipped", "/docs/b": "unchanged"}
    assert await held.sync() == told
    assert await held.sync(full=True) == told
    assert held.reasons["/docs/a"].endswith(f"/docs/a {reason}")


async def test_a_crawl_from_anew_removes_what_it_no_longer_comes_to(
    server: WebServer, held: Held
) -> None:
    chain(server, "/docs/a", "/docs/b")
    await held.sync()
    server.pages["/docs/a"] = page("<p>No link any more.</p>")
    assert (await held.sync())["/docs/b"] == "unchanged"
    assert (await held.sync(full=True))["/docs/b"] == "gone"


@pytest.mark.parametrize("status", [403, 503])
async def test_what_stands_behind_a_page_that_fails_is_not_gone(
    server: WebServer, held: Held, status: int
) -> None:
    chain(server, "/docs/a", "/docs/b")
    await held.sync()
    server.pages["/docs/a"] = Response(status_code=status)
    assert await held.sync(full=True) == {"/docs": "unchanged", "/docs/a": "skipped"}


async def test_a_site_that_is_down_is_not_asked_for_every_page(
    server: WebServer, held: Held
) -> None:
    server.pages["/docs/"] = page(links(*(f"p{number}" for number in range(60))))
    server.pages |= {f"/docs/p{number}": Response(status_code=502) for number in range(60)}
    with pytest.raises(ConnectorError, match=r"/docs/p9 answered HTTP 502$"):
        await held.sync()
    assert len({call for call in server.calls if "/docs/p" in call}) <= web.MAX_FAILURES + 4
    assert held.cursor == ""


async def test_failures_here_and_there_are_no_site_that_is_down(
    server: WebServer, held: Held
) -> None:
    server.pages["/docs/"] = page(links(*(f"p{number}" for number in range(40))))
    for number in range(40):
        good = page(f"<p>Page {number}.</p>")
        server.pages[f"/docs/p{number}"] = good if number % 2 else Response(status_code=502)
    told = await held.sync()
    assert list(told.values()).count("skipped") == 20


async def test_versions_without_a_validator_are_told_apart_by_the_body(
    server: WebServer, held: Held
) -> None:
    server.pages["/docs/"] = Response(html("<p>One.</p>"), media_type="text/html")
    assert await held.sync() == {"/docs": "document"}
    assert await held.sync() == {"/docs": "unchanged"}
    server.pages["/docs/"] = Response(html("<p>Two.</p>"), media_type="text/html")
    assert await held.sync() == {"/docs": "document"}


async def test_a_page_stands_under_one_address(server: WebServer, held: Held) -> None:
    """As a live search would find it: without tracking, at the end of redirects."""
    targets = ["a/?utm_source=x&fbclid=1", "a/#b", "old", "older", "print?page=a", "print?page=b"]
    server.pages["/docs/"] = page(links(*targets))
    server.pages["/docs/a/?utm_source=x&fbclid=1"] = page("<p>A.</p>")
    server.pages["/docs/old"] = RedirectResponse("/docs/new", 302)
    server.pages["/docs/older"] = RedirectResponse("/docs/old", 301)
    server.pages["/docs/new"] = page("<p>New.</p>")
    for name in "ab":
        own = f'<link rel="canonical" href="/docs/print/{name}">'
        server.pages[f"/docs/print?page={name}"] = page(f"<p>Print {name}.</p>", own)
    told = await held.sync()
    assert set(told) == {"/docs", "/docs/a", "/docs/new", "/docs/print/a", "/docs/print/b"}
    assert held.documents["/docs/new"].url.endswith("/docs/new")
    assert set((await held.sync()).values()) == {"unchanged"}


@pytest.mark.parametrize(
    "own", ["https://other.test/docs/a", "/elsewhere", "http://[", "javascript:x", ""]
)
async def test_a_canonical_address_elsewhere_does_not_count(
    server: WebServer, held: Held, own: str
) -> None:
    server.pages["/docs/"] = page("<p>Start.</p>", f'<link rel="canonical" href="{own}">')
    assert await held.sync() == {"/docs": "document"}


async def test_variants_of_the_start_page_are_only_followed(server: WebServer, held: Held) -> None:
    server.pages["/docs/"] = page(links("?page=2"))
    server.pages["/docs/?page=2"] = page(links("a"))
    server.pages["/docs/a"] = page("<p>A.</p>")
    assert await held.sync() == {
        "/docs": "document",
        "/docs?page=2": "skipped",
        "/docs/a": "document",
    }
    assert "is a variant of" in held.reasons["/docs?page=2"]


@pytest.mark.parametrize(
    ("head", "header", "kept", "followed"),
    [
        ("noindex", "", False, True),
        ("NOINDEX,NOFOLLOW", "", False, False),
        ("none", "", False, False),
        ("nofollow, noarchive", "", True, False),
        ("", "noindex", False, True),
        ("", "max-snippet: 20, nofollow", True, False),
        ("", "unavailable_after: 25 Jun 2010 15:00:00 PST", True, True),
        ("", "quire: noindex", False, True),
        ("", "googlebot: noindex, nofollow", True, True),
    ],
)
async def test_a_page_may_ask_not_to_be_held_or_followed(
    server: WebServer, held: Held, head: str, header: str, kept: bool, followed: bool
) -> None:
    chain(server, "/docs/a", "/docs/b")
    meta = f'<meta name="Robots" content="{head}">' if head else ""
    headers = {"X_Robots_Tag": header} if header else {}
    server.pages["/docs/a"] = page(links("/docs/b"), meta, **headers)
    told = await held.sync()
    assert ("/docs/a" in told, "/docs/b" in told) == (kept, followed)


async def test_a_page_that_asks_not_to_be_held_any_more_is_gone(
    server: WebServer, held: Held
) -> None:
    chain(server, "/docs/a")
    await held.sync()
    server.pages["/docs/a"] = page("<p>A.</p>", '<meta name="robots" content="noindex">')
    assert (await held.sync())["/docs/a"] == "gone"


async def test_a_link_that_is_not_to_be_followed_is_not(server: WebServer, held: Held) -> None:
    server.pages["/docs/"] = page('<a rel="Nofollow ugc" href="a">A</a><p>Start.</p>')
    server.pages["/docs/a"] = page("<p>A.</p>")
    assert await held.sync() == {"/docs": "document"}


async def test_two_places_on_one_site_do_not_remove_each_other_s_pages(
    server: WebServer, held: Held
) -> None:
    chain(server, "/docs/a")
    server.pages["/docs/more/"] = page(links("b"))
    server.pages["/docs/more/b"] = page("<p>B.</p>")
    await held.sync()
    other = Held(server, "/docs/more/")
    await other.sync()
    held.versions |= other.versions
    assert await held.sync(full=True) == {"/docs": "unchanged", "/docs/a": "unchanged"}


@pytest.mark.parametrize(
    "location",
    ["", "docs", "ftp://example.test/", "http://", "http://a:x/", "https://me:pw@x.test/"],
)
async def test_a_place_that_is_no_address_is_answered_with_what_to_write(location: str) -> None:
    with pytest.raises(InputError, match=r"write its address, as https://example\.org/docs/"):
        await make_syncing_connector("web").find_root(location)


async def test_the_root_is_what_a_live_search_would_call_the_page() -> None:
    one = make_syncing_connector("web")
    assert await one.find_root("http://www.X.test:80/docs/#top") == "https://x.test/docs"
    assert await one.find_root("https://x.test/maps/sitemap.xml?a=1") == "https://x.test"
    assert await one.find_root("https://x.test:8443/maps/Pages.XML.gz") == "https://x.test:8443"
    assert (
        await one.find_root("https://müller.test/a/../ä b/")
        == "https://xn--mller-kva.test/%C3%A4%20b"
    )


async def test_addresses_with_letters_of_their_own_are_read(server: WebServer) -> None:
    server.pages["/grüße/"] = page(links("ä b?ö=ü", "/gr%C3%BC%C3%9Fe/c"))
    server.pages["/grüße/ä b?%C3%B6=%C3%BC"] = page("<p>B.</p>")
    server.pages["/grüße/c"] = page("<p>C.</p>")
    held = Held(server, "/grüße/")
    told = await held.sync()
    at = "/gr%C3%BC%C3%9Fe"
    assert set(told) == {at, f"{at}/%C3%A4%20b?%C3%B6=%C3%BC", f"{at}/c"}
    assert set((await held.sync()).values()) == {"unchanged"}
