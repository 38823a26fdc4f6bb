"""Reading pages by Jina Reader: r.jina.ai, as its source, jina-ai/reader, describes it."""

import socket
from collections.abc import Callable, Iterator
from datetime import date
from ipaddress import IPv4Address
from typing import Any

import pytest
from fakes.provider import KEY, Provider
from fakes.sites.website import WebServer, page
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from connectors.page_fetcher import JINA_SHARE, FetchedDocument, fetch_page
from schema.errors import ConnectorError, InputError
from schema.settings import get_settings

OWN = "The gearbox was changed because its bearings wore out."
TEXT = "# Gearbox\n\nThe script of the page wrote that the bearings wore out."
PAIRS = [["Rotor", "https://public.test/rotor"], ["", "https://a.test/"], ["Z", "https://z.test/"]]


class JinaReader(Provider):
    """Jina Reader.

    Attributes:
        page: What it answers of a page.
        bodies: Of the requests.
        headers: Of the last request.
    """

    def __init__(self) -> None:
        super().__init__()
        self.bodies: list[Any] = []
        self.headers: dict[str, str] = {}
        self.page: Any = {
            "title": "Gearbox",
            "description": "",
            "url": "https://public.test/gearbox",
            "content": TEXT,
            "publishedTime": "Fri, 03 May 2024 10:00:00 GMT",
            "links": PAIRS,
            "usage": {"tokens": 40},
        }

    def api(self) -> list[Any]:
        return [Route("/", self.read, methods=["POST"])]

    def allowed(self, request: Request) -> bool:
        assert request.headers["accept"] == "application/json"  # it answers in Markdown otherwise
        assert request.headers["x-retain-images"] == "none"
        assert request.headers["x-md-link-style"] == "discarded"
        assert request.headers["x-with-links-summary"] == "all"
        return request.headers.get("authorization") in (None, f"Bearer {KEY}")

    async def read(self, request: Request) -> Response:
        self.headers = dict(request.headers)
        self.bodies.append(await request.json())
        return JSONResponse({"code": 200, "status": 20000, "data": self.page, "meta": {}})


@pytest.fixture
def jina(monkeypatch: pytest.MonkeyPatch) -> Iterator[JinaReader]:
    """Reads pages from now on."""
    monkeypatch.delenv("JINA_API_KEY", raising=False)
    with JinaReader() as running:
        monkeypatch.setenv("QUIRE_PAGE_FETCHER", "jina")
        monkeypatch.setenv("QUIRE_JINA_READER_BASE_URL", running.url)
        yield running


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    """A site on 127.0.0.1, which counts as an address of the public internet from now on."""
    public = IPv4Address.is_global

    def is_global(one: IPv4Address) -> bool:
        return str(one) == "127.0.0.1" or bool(public.__get__(one))

    def look_up(host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        inside = {"inside.test": "10.0.0.1", "metadata.test": "169.254.169.254"}
        named = inside.get(host, "127.0.0.1") if host.endswith(".test") else host
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (named, port))]

    monkeypatch.setattr(IPv4Address, "is_global", property(is_global))
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with WebServer() as running:
        running.pages["/gearbox"] = page(f"<h1>Gearbox</h1><p>{OWN}</p>")
        yield running


def at(site: WebServer, host: str = "public.test", path: str = "/gearbox") -> str:
    """The address of a page of the site under a name."""
    return site.url.replace("127.0.0.1", host) + path


async def refusal(url: str, seconds: float = 10) -> ConnectorError:
    with pytest.raises(ConnectorError) as caught:
        await fetch_page(url, seconds=seconds)
    return caught.value


async def test_a_page_is_what_jina_read(site: WebServer, jina: JinaReader) -> None:
    url = at(site)
    reading = await fetch_page(f"{url}#top", seconds=10)
    document = reading.document
    assert (document.text, document.title, document.url) == (TEXT, "Gearbox", url)
    assert (document.uri, document.site) == (url.replace("http:", "https:"), "public.test")
    assert (document.connector, document.published) == ("reader", "2024-05-03")
    assert reading.updated == (date(2024, 5, 3), 0.65)
    assert jina.bodies == [{"url": url}]
    assert site.bodies == []


@pytest.mark.parametrize("shape", [list, dict])
async def test_links_are_read_in_both_shapes_and_in_order(
    site: WebServer, jina: JinaReader, shape: Callable[[Any], Any]
) -> None:
    odd = [["Mail", "mailto:x@y.z"], ["Picture", "https://a.test/a.png"]]
    jina.page |= {"links": shape([*odd, *PAIRS])}
    found = (await fetch_page(at(site), seconds=10)).links
    assert list(found.items()) == [(href, words) for words, href in PAIRS]


@pytest.mark.parametrize("links", [None, "x", 3, [[]], [None, 3, ["a"], ["a", None]], {"a": 3}])
async def test_links_that_are_none_are_left_out(
    site: WebServer, jina: JinaReader, links: Any
) -> None:
    jina.page |= {"links": links}
    assert (await fetch_page(at(site), seconds=10)).links == {}


async def test_the_key_goes_along_where_there_is_one(
    site: WebServer, jina: JinaReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fetch_page(at(site), seconds=10)
    assert "authorization" not in jina.headers
    monkeypatch.setenv("JINA_API_KEY", KEY)
    await fetch_page(at(site), seconds=10)
    assert jina.headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(("seconds", "told"), [(90, "20"), (10, str(int(10 * JINA_SHARE)))])
async def test_jina_waits_no_longer_than_there_is_time(
    site: WebServer, jina: JinaReader, seconds: float, told: str
) -> None:
    await fetch_page(at(site), seconds=seconds)
    assert jina.headers["x-timeout"] == told


@pytest.mark.parametrize("host", ["inside.test", "metadata.test", "10.0.0.1", "[::1]"])
async def test_jina_never_hears_of_an_address_inside_the_network(
    site: WebServer, jina: JinaReader, host: str
) -> None:
    assert "is no public host" in str(await refusal(at(site, host)))
    assert (jina.calls, site.calls) == ([], [])


async def test_jina_never_hears_of_a_host_that_is_allowed(
    site: WebServer, jina: JinaReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "intranet.test")
    assert OWN in (await fetch_page(at(site, "intranet.test"), seconds=10)).document.text
    site.pages["/away"] = RedirectResponse(at(site, "inside.test"))
    await refusal(at(site, "intranet.test", "/away"))
    assert jina.calls == []


async def test_jina_is_not_sent_where_robots_may_not_go(site: WebServer, jina: JinaReader) -> None:
    assert "robots.txt does not allow" in str(await refusal(at(site, path="/private/a")))
    site.robots = 503
    assert "answered HTTP 503" in str(await refusal(at(site, "other.test")))
    assert jina.calls == []


async def own(site: WebServer, seconds: float = 10) -> FetchedDocument:
    """The page as it was read here."""
    reading = await fetch_page(at(site), seconds=seconds)
    assert OWN in reading.document.text
    return reading


@pytest.mark.parametrize("fault", [429, 500, 422, 451, "cut", "malformed"])
async def test_what_jina_cannot_read_is_read_here(
    site: WebServer, jina: JinaReader, fault: Any
) -> None:
    jina.always = fault
    await own(site)
    assert len(jina.calls) == 1


@pytest.mark.parametrize(
    "odd",
    [
        {"content": " \n"},
        {"content": None},
        {"content": "x" * (10 * 2**20 + 1)},
        {"warning": "Target URL returned error 403: Forbidden"},
    ],
    ids=["blank", "none", "large", "error"],
)
async def test_an_answer_that_is_no_page_is_not_taken(
    site: WebServer, jina: JinaReader, odd: dict[str, Any]
) -> None:
    jina.page |= odd
    await own(site)
    jina.page = None
    await own(site)


@pytest.mark.slow
async def test_a_jina_that_hangs_leaves_time_to_read_the_page(
    site: WebServer, jina: JinaReader
) -> None:
    jina.pause = 5
    await own(site, seconds=2)


@pytest.mark.parametrize(("status", "code"), [(401, "connector_key"), (402, "connector_refused")])
async def test_a_key_that_does_not_do_is_told_and_not_shown(
    site: WebServer, jina: JinaReader, monkeypatch: pytest.MonkeyPatch, status: int, code: str
) -> None:
    monkeypatch.setenv("JINA_API_KEY", KEY)
    jina.always = status
    error = await refusal(at(site))
    assert (error.code, "JINA_API_KEY" in str(error)) == (code, True)
    assert KEY not in str(error)


async def test_jina_is_asked_by_who_chose_it_only(
    site: WebServer, jina: JinaReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QUIRE_PAGE_FETCHER")
    monkeypatch.setenv("JINA_API_KEY", KEY)
    await own(site)
    assert jina.calls == []
    monkeypatch.setenv("QUIRE_PAGE_FETCHER", "yours")
    with pytest.raises(InputError, match="QUIRE_PAGE_FETCHER"):
        get_settings()
