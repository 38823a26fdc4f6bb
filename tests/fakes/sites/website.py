"""A little website: pages with menus and footers, a sitemap, a robots.txt, validators."""

import gzip
from collections.abc import Callable, Mapping
from email.utils import format_datetime
from hashlib import sha256
from typing import Any
from xml.sax.saxutils import escape

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from connectors.protocol import SyncState
from connectors.registry import make_syncing_connector
from fakes.provider import Item, Provider
from schema.documents import Checkpoint, Document, Gone, Skipped

ROBOTS = "User-agent: *\nDisallow: /private/\n\nUser-agent: Other\nDisallow: /\n"
MENU = '<nav><a href="/docs/">Overview of everything</a> <a href="/about">About us</a></nav>'
FOOTER = "<footer><p>Imprint of the Turbine Company, all rights reserved</p></footer>"
MORE = (
    "<p>The power comes from the coast, where wind is steady through the whole year, and it is "
    "carried inland by a line that was built for it in the course of three long summers.</p>"
)
HTML = "text/html; charset=utf-8"

Made = Callable[[Request], Response]


def html(body: str, head: str = "") -> str:
    """A page around a main text, and what its head says."""
    top = f'<!doctype html><html lang="en"><head><meta charset="utf-8">{head}</head>'
    return f"{top}<body>{MENU}<main><article>{body}{MORE}</article></main>{FOOTER}</body></html>"


def links(*targets: str) -> str:
    """A list of links."""
    return "".join(f'<p>Read <a href="{target}">this page</a> too.</p>' for target in targets)


def page(body: str, head: str = "", **headers: str) -> Response:
    """A page that tells its versions apart by an ETag."""
    content = html(body, head)
    etag = f'"{sha256(content.encode()).hexdigest()[:16]}"'
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(content, headers={"ETag": etag, "Content-Type": HTML, **given})


class WebServer(Provider):
    """Its items are pages below `/docs/`: the first twenty of HTML, the others of Markdown.

    Attributes:
        pages: Other pages, or what stands in for one, by path and query.
        robots: Its robots.txt, its status, or what stands in for it.
        bodies: Paths whose body was sent, in order.
    """

    def __init__(self, items: Any = (), pages: Mapping[str, Response | Made] | None = None) -> None:
        super().__init__(items)
        self.pages = dict(pages or {})
        self.robots: str | int | Response = ROBOTS
        self.bodies: list[str] = []

    def api(self) -> list[Any]:
        return [
            Route("/robots.txt", self.robots_txt),
            Route("/sitemap.xml", self.sitemap),
            Route("/sitemap.xml.gz", self.packed),
            Route("/docs/", self.overview),
            Route("/docs/turbine-{number:int}", self.item),
            Route("/{path:path}", self.other),
        ]

    def allowed(self, request: Request) -> bool:
        return True

    def failure(self, status: int) -> Response:
        return Response(f"<h1>Error {status}</h1>", status, media_type="text/html")

    async def _answer(self, request: Request, *rest: Any) -> None:
        assert request.headers["user-agent"] == "Quire"
        assert not request.url.path.startswith("/private/")
        await super()._answer(request, *rest)

    async def robots_txt(self, request: Request) -> Response:
        if isinstance(self.robots, int):
            return self.failure(self.robots)
        if isinstance(self.robots, Response):
            return self.robots
        return Response(self.robots, media_type="text/plain")

    async def sitemap(self, request: Request) -> Response:
        if "/sitemap.xml" in self.pages:
            return self.given("/sitemap.xml", request)
        base = str(request.base_url)
        entries = "".join(
            f"<url><loc>{base}docs/turbine-{item.number}</loc><lastmod>{item.iso}</lastmod></url>"
            for item in self.items.values()
        )
        return Response(urlset(entries), media_type="application/xml")

    async def packed(self, request: Request) -> Response:
        plain = await self.sitemap(request)
        return Response(gzip.compress(bytes(plain.body)), media_type="application/gzip")

    async def overview(self, request: Request) -> Response:
        if "/docs/" in self.pages:
            return await self.other(request)
        targets = [f"turbine-{number}" for number in self.items]
        return page(links(*targets), '<meta name="robots" content="noindex, follow">')

    async def item(self, request: Request) -> Response:
        number = request.path_params["number"]
        if number not in self.items:
            return self.failure(404)
        item = self.items[number]
        modified = format_datetime(item.when, usegmt=True)
        headers = {"Last-Modified": modified}
        if request.headers.get("if-modified-since") == modified:
            return Response(status_code=304, headers=headers)
        self.sent.append(number)
        if number > 20:
            front = f"---\ntitle: {item.title}\nauthor: {item.author}\ndate: {item.iso}\n---\n"
            return Response(front + item.text, headers=headers, media_type="text/markdown")
        head = (
            f'<title>{escape(item.title)}</title><meta name="author" content="{item.author}">'
            f'<meta property="article:published_time" content="{item.iso}">'
            '<meta property="og:site_name" content="Turbines">'
        )
        content = html(f"<h1>{escape(item.title)}</h1><p>{escape(item.text)}</p>", head)
        return Response(content, headers=headers, media_type="text/html")

    async def other(self, request: Request) -> Response:
        path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return self.given(path, request)

    def given(self, path: str, request: Request) -> Response:
        made = self.pages.get(path)
        if made is None:
            return self.failure(404)
        answer = made if isinstance(made, Response) else made(request)
        if request.headers.get("if-none-match", "-") == answer.headers.get("etag"):
            return Response(status_code=304, headers={"ETag": answer.headers["etag"]})
        self.bodies.append(path)
        return answer


def urlset(entries: str) -> str:
    """A sitemap of entries."""
    schema = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="{schema}">{entries}</urlset>'


def index(*sitemaps: str) -> Response:
    """An index of sitemaps."""
    schema = "http://www.sitemaps.org/schemas/sitemap/0.9"
    inner = "".join(f"<sitemap><loc>{one}</loc></sitemap>" for one in sitemaps)
    return Response(f'<sitemapindex xmlns="{schema}">{inner}</sitemapindex>')


def numbered(item: Item, origin: str) -> dict[str, Any]:
    """What the document of an item must look like, at an address such as http://127.0.0.1:80."""
    url = f"{origin}/docs/turbine-{item.number}"
    return {
        "uri": url.replace("http://", "https://"),
        "url": url,
        "title": item.title,
        "author": item.author,
        "site": "Turbines" if item.number <= 20 else "127.0.0.1",
        "published": "2024-05-01",
        "path": "",
    }


class Held:
    """What a library would hold of a location after each sync, without one.

    Attributes:
        texts: By path of the page.
        documents: The last ones that came, by path.
        reasons: Why pages were skipped in the last sync, by path.
        limited: Whether it was said that not all pages are read.
        cursor: Of the last checkpoint.
    """

    def __init__(self, server: Provider, location: str) -> None:
        self.location = server.url + location
        self.texts: dict[str, str] = {}
        self.documents: dict[str, Document] = {}
        self.reasons: dict[str, str] = {}
        self.versions: dict[str, str] = {}
        self.limited = False
        self.cursor = ""
        self._origin = server.url.replace("http://", "https://")

    async def sync(self, *, full: bool = False) -> dict[str, str]:
        """What became of each page, by its path."""
        one = make_syncing_connector("web")
        root = await one.find_root(self.location)
        cursor = "" if full else self.cursor
        since = SyncState(
            location=self.location, root=root, versions=dict(self.versions), cursor=cursor
        )
        told: dict[str, str] = {}
        self.reasons = {}
        async for change in one.sync(since):
            if isinstance(change, Checkpoint):
                self.cursor = change.cursor
                continue
            path = change.uri.removeprefix(self._origin)
            if isinstance(change, Skipped) and "pages are read" in change.reason:
                self.limited = True
                continue
            assert path not in told
            told[path] = type(change).__name__.lower()
            match change:
                case Document():
                    self.versions[change.uri] = change.version
                    self.texts[path], self.documents[path] = change.text, change
                case Gone():
                    del self.versions[change.uri], self.texts[path]
                case Skipped():
                    self.reasons[path] = change.reason.replace(self._origin, "")
        return told
