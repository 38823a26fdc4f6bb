"""arXiv's query API: info.arxiv.org/help/api/user-manual.html, terms of use at tou.html."""

import re
import time
from typing import Any
from xml.sax.saxutils import escape

import pytest
from conformance import LiveConformance, items
from fakes.provider import Item, Provider
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from connectors.live import arxiv
from connectors.live.arxiv import Arxiv
from connectors.protocol import Limits
from library.library import Library

QUERY = re.compile(
    r'all:(\w+|"\w+( \w+)*")(( AND all:(\w+|"\w+( \w+)*"))*|( OR all:(\w+|"\w+( \w+)*"))*)'
)
DATED = re.compile(r"\((.+)\) AND submittedDate:\[(\d{8})0000 TO (\d{8})2359\]")
FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title type="html">ArXiv Query</title>
  <id>http://arxiv.org/api/cHxbiOdZaP56ODnBPIenZhzg5f8</id>
  <opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">{total}\
</opensearch:totalResults>
  {entries}
</feed>"""
ENTRY = """<entry>
  <id>http://arxiv.org/abs/{id}</id>
  <updated>2025-01-01T00:00:00Z</updated>
  <published>{published}</published>
  <title>{title}</title>
  <summary>  {text}
  </summary>
  {authors}
  <arxiv:comment xmlns:arxiv="http://arxiv.org/schemas/atom">9 pages</arxiv:comment>
  <link href="http://arxiv.org/abs/{id}" rel="alternate" type="text/html"/>
  <link title="pdf" href="http://arxiv.org/pdf/{id}" rel="related" type="application/pdf"/>
  <category term="physics.flu-dyn" scheme="http://arxiv.org/schemas/atom"/>
</entry>"""
ERROR = """<entry>
  <id>http://arxiv.org/api/errors#incorrect_id_format_for_1234</id>
  <title>Error</title>
  <summary>incorrect id format for 1234</summary>
  <author><name>arXiv api core</name></author>
</entry>"""


def atom(body: str, status: int = 200) -> Response:
    return Response(body, status, media_type="application/atom+xml")


class ArxivServer(Provider):
    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.asked: list[str] = []
        self.times: list[float] = []
        self.body: str | None = None
        self.strict = True

    def api(self) -> list[Any]:
        return [Route("/api/query", self.query)]

    def allowed(self, request: Request) -> bool:
        return True

    def failure(self, status: int) -> Response:
        if status == 400:
            return atom(FEED.format(total=1, entries=ERROR), 400)
        return PlainTextResponse("Rate exceeded.", status)

    async def query(self, request: Request) -> Response:
        self.times.append(time.monotonic())
        given = request.query_params
        asked, count = given["search_query"], int(given["max_results"])
        since = ""
        if dated := DATED.fullmatch(asked):
            asked, since, until = dated.groups()
            assert since <= until
        if not QUERY.fullmatch(asked):
            return self.failure(400)
        assert given["sortBy"] in ("relevance", "lastUpdatedDate", "submittedDate")
        assert 0 <= count <= 2000
        self.asked.append(asked)
        if self.body is not None:
            return atom(self.body)
        found = [item for item in self.items.values() if f"{item.when:%Y%m%d}" >= since]
        best = found if self.strict or " OR " in asked else []
        entries = "".join(self.entry(item) for item in best[:count])
        return atom(FEED.format(total=len(best), entries=entries))

    def entry(self, item: Item) -> str:
        return ENTRY.format(
            id=f"2405.{item.number:05}v2",
            published=item.iso,
            title=escape(item.title.replace(" ", "\n  ")),
            text=escape(item.text),
            authors=f"<author><name>{item.author}</name></author>",
        )


class TestArxiv(LiveConformance[ArxivServer]):
    name = "arxiv"
    takes_since = True
    provider = ArxivServer

    def expected(self, item: Item) -> dict[str, Any]:
        url = f"https://arxiv.org/abs/2405.{item.number:05}"
        return {
            "uri": url,
            "url": url,
            "title": item.title,
            "author": "Ada Lovelace",
            "site": "arXiv",
            "published": "2024-05-01",
            "excerpt": True,
        }

    @pytest.mark.slow
    async def test_questions_are_asked_at_once_within_the_limits(self, library: Library) -> None:
        """One after the other: arXiv's terms allow a single connection at a time."""
        questions = [f"{self.query} {number}" for number in range(2, 14)]
        with self.serving(items(20)) as provider:
            provider.pause = 0.05
            answers = await self.asked(library, *questions)
        assert [answered.degraded for answered in answers] == [[]] * 12
        assert provider.peak == self.live().limits.concurrency == 1

    async def test_arxiv_itself_is_asked_with_the_pauses_that_it_wants(
        self, server: ArxivServer
    ) -> None:
        self.monkeypatch.setattr(Arxiv, "limits", Limits(concurrency=1, request_interval=0.4))
        await self.live().search(self.query, limit=1)
        await self.live().search(self.query, limit=1)
        assert server.times[1] - server.times[0] < 0.3
        self.monkeypatch.setattr(arxiv, "BASE_URL", server.url)
        await self.live().search(self.query, limit=1)
        await self.live().search(self.query, limit=1)
        assert server.times[3] - server.times[2] > 0.3

    def test_its_pauses_are_arxiv_s_own(self) -> None:
        assert (arxiv.BASE_URL, Arxiv.limits.request_interval) == ("https://export.arxiv.org", 3.0)

    @pytest.mark.parametrize(
        ("question", "asked"),
        [
            ("How do wind turbines age?", "all:wind AND all:turbines AND all:age"),
            ("non-invasive COVID-19 tests", 'all:"non invasive" AND all:"covid 19" AND all:tests'),
            ("Bell's theorem", "all:bell AND all:theorem"),
            ('ti:"x" ANDNOT (au:y OR *)', "all:ti AND all:x AND all:andnot AND all:au AND all:y"),
            ("Schrödinger 方程", "all:schrödinger AND all:方程"),
        ],
    )
    async def test_a_question_becomes_words_without_operators(
        self, server: ArxivServer, question: str, asked: str
    ) -> None:
        assert await self.live().search(question, limit=1)
        assert server.asked == [asked]

    async def test_where_no_paper_has_all_words_any_will_do(self, server: ArxivServer) -> None:
        server.strict = False
        assert len(await self.live().search("wind turbine fatigue", limit=5)) == 3
        assert server.asked[1:] == ["all:wind OR all:turbine OR all:fatigue"]

    async def test_one_word_is_asked_once_and_none_never(self, server: ArxivServer) -> None:
        server.items.clear()
        assert await self.live().search("turbine", limit=5) == []
        assert await self.live().search("?", limit=5) == []
        assert server.asked == ["all:turbine"]

    async def test_a_long_question_is_cut(self, server: ArxivServer) -> None:
        await self.live().search(" ".join(f"w{number}" for number in range(900)), limit=5)
        assert server.asked[0].endswith(" AND all:w19")

    async def test_an_error_in_the_feed_is_one(self, server: ArxivServer) -> None:
        server.body = FEED.format(total=1, entries=ERROR)
        error = await self.refused()
        assert (str(error), error.retryable) == ("arXiv refused the query", False)

    @pytest.mark.parametrize("body", ["", " \n", FEED.format(total=12, entries="")])
    async def test_an_empty_answer_that_is_none_may_pass(
        self, server: ArxivServer, body: str
    ) -> None:
        server.body = body
        assert (await self.refused()).retryable

    @pytest.mark.parametrize(
        ("given", "url"),
        [
            ("2405.01234", "https://arxiv.org/abs/2405.01234"),
            ("hep-th/9901001v12", "https://arxiv.org/abs/hep-th/9901001"),
            ("math.GT/0309136v1", "https://arxiv.org/abs/math.GT/0309136"),
        ],
    )
    async def test_a_paper_is_the_same_in_every_version(
        self, server: ArxivServer, given: str, url: str
    ) -> None:
        entry = ENTRY.format(id=given, published="", title="", text="It turns.", authors="")
        server.body = FEED.format(total=1, entries=entry)
        (document,) = await self.live().search(self.query, limit=5)
        assert (document.uri, document.published, document.author) == (url, "", "")

    async def test_many_authors_are_shortened(self, server: ArxivServer) -> None:
        authors = "".join(f"<author><name>A{n}</name></author>" for n in range(3000))
        entry = ENTRY.format(id="2405.1", published="", title="", text="Text.", authors=authors)
        server.body = FEED.format(total=1, entries=entry)
        (document,) = await self.live().search(self.query, limit=5)
        assert document.author == "A0, A1, A2, A3, A4, A5, A6, A7, A8, A9 et al."

    async def test_what_is_malformed_is_passed_over(self, server: ArxivServer) -> None:
        blank = ENTRY.format(id="2405.1", published="", title="T", text=" ", authors="")
        foreign = ENTRY.format(id='"><script>', published="x", title="T", text="T", authors="")
        entries = f"<entry/>{blank}{escape(foreign)}{self.provider(items(1)).entry(items(1)[0])}"
        server.body = FEED.format(total=4, entries=entries)
        assert len(await self.live().search(self.query, limit=5)) == 1
