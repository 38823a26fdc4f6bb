"""A few pages and a search engine that knows some of them, on one loopback server."""

import re
from collections.abc import Mapping, Sequence

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from fakes.server import Fake

PAGE = """<!doctype html><html><head><title>{title}</title></head><body>
<nav><a href="/">Home</a> <a href="/imprint">Imprint</a></nav>
<main><article><h1>{title}</h1>{body}</article></main></body></html>"""


class LittleWeb(Fake):
    """Pages by path as (title, paragraphs of HTML); `/search` speaks SearXNG's JSON.

    Attributes:
        found: Paths that the search engine knows.
        searches: Queries that came in.
        ranges: The time that each was kept to.
        reads: Paths of the pages that were asked for.
    """

    def __init__(
        self, pages: Mapping[str, tuple[str, Sequence[str]]], found: Sequence[str] = ()
    ) -> None:
        """Sets the web up; where `found` is empty the search engine knows every page."""
        routes = [Route("/search", self._search), Route("/{path:path}", self._page)]
        super().__init__(routes)
        self.pages = dict(pages)
        self.found = list(found or pages)
        self.searches: list[str] = []
        self.ranges: list[str] = []
        self.reads: list[str] = []

    async def _search(self, request: Request) -> Response:
        query = request.query_params["q"]
        self.searches.append(query)
        self.ranges.append(request.query_params.get("time_range", ""))
        words = set(_words(query))
        scored = []
        for path in self.found:
            title, body = self.pages.get(path, (path, ["gone"]))
            text = re.sub(r"<[^>]+>", "", " ".join(body))
            common = words & set(_words(f"{title} {text[:200]}"))
            if common:
                result = {"url": f"{self.url}{path}", "title": title, "content": text[:120]}
                scored.append((len(common), result))
        ranked = [result for _, result in sorted(scored, key=lambda one: -one[0])]
        return JSONResponse({"query": query, "results": ranked[:10], "unresponsive_engines": []})

    async def _page(self, request: Request) -> Response:
        path = request.url.path
        if path == "/robots.txt":
            return Response("User-agent: *\nDisallow: /private/\n", media_type="text/plain")
        self.reads.append(path)
        if path not in self.pages:
            return Response("gone", 404)
        title, body = self.pages[path]
        paragraphs = "".join(f"<p>{one}</p>" for one in body)
        return HTMLResponse(PAGE.format(title=title, body=paragraphs))


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W_]+", text.casefold()) if len(word) > 3]
