"""NCBI's E-utilities: ncbi.nlm.nih.gov/books/NBK25499, and the DTD of PubMed's articles."""

import time
from datetime import date
from typing import Any
from xml.sax.saxutils import escape

import pytest
from conformance import LiveConformance
from fakes.provider import KEY, Item, Provider
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from connectors.live import pubmed
from connectors.live.pubmed import PubMed
from connectors.protocol import Limits
from schema.documents import Document

SET = """<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN"
 "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>{articles}</PubmedArticleSet>"""
ARTICLE = """<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">
  <PMID Version="1">{number}</PMID>
  <DateRevised><Year>2025</Year><Month>02</Month><Day>03</Day></DateRevised>
  <Article PubModel="Print-Electronic">
    <Journal><JournalIssue><PubDate>{issue}</PubDate></JournalIssue><Title>Turbines</Title></Journal>
    <ArticleTitle>{title}</ArticleTitle>
    <Abstract>{abstract}<CopyrightInformation>© 2024</CopyrightInformation></Abstract>
    <AuthorList CompleteYN="Y">{authors}</AuthorList>
    <PublicationTypeList><PublicationType UI="D1">{kind}</PublicationType></PublicationTypeList>
    {date}
  </Article>
  <OtherAbstract Language="ger"><AbstractText>Auf Deutsch.</AbstractText></OtherAbstract>
  <CommentsCorrectionsList><CommentsCorrections RefType="Cites"><PMID>99</PMID>
  </CommentsCorrections></CommentsCorrectionsList>
</MedlineCitation><PubmedData><History>{entered}</History></PubmedData></PubmedArticle>"""
AUTHOR = "<Author><LastName>{last}</LastName><ForeName>{first}</ForeName></Author>"
BOOK = """<PubmedBookArticle><BookDocument>
  <PMID Version="1">28722873</PMID>
  <Book><BookTitle book="statpearls">StatPearls</BookTitle>
    <PubDate><Year>2024</Year><Month>01</Month></PubDate>
    <AuthorList Type="editors"><Author><LastName>Editor</LastName></Author></AuthorList></Book>
  <ArticleTitle book="statpearls">Wind Chill</ArticleTitle>
  <AuthorList Type="authors"><Author><LastName>Poe</LastName><ForeName>E</ForeName></Author>
  </AuthorList>
  <Abstract><AbstractText>It is cold.</AbstractText></Abstract>
</BookDocument></PubmedBookArticle>"""


def day(tag: str, year: str, month: str, day_: str = "") -> str:
    last = f"<Day>{day_}</Day>" if day_ else ""
    inner = f"<Year>{year}</Year><Month>{month}</Month>{last}"
    return f"<{tag}>{inner}</{tag.partition(' ')[0]}>" if tag else inner


def article(number: int = 1, abstract: str = "It turns.", **given: str) -> str:
    text = abstract if abstract.startswith("<") else f"<AbstractText>{abstract}</AbstractText>"
    blank = {"issue": "", "title": "Wind", "authors": "", "kind": "", "date": "", "entered": ""}
    return ARTICLE.format(number=number, abstract=text, **{**blank, **given})


class PubMedServer(Provider):
    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.forms: list[dict[str, str]] = []
        self.times: list[float] = []
        self.articles = ""
        self.searched = ""
        self.strict = True

    def api(self) -> list[Any]:
        path = "/entrez/eutils"
        return [
            Route(f"{path}/esearch.fcgi", self.search, methods=["GET", "POST"]),
            Route(f"{path}/efetch.fcgi", self.fetch, methods=["GET", "POST"]),
        ]

    def allowed(self, request: Request) -> bool:
        return True  # a key is no must, and stands in the form

    def failure(self, status: int) -> Response:
        if status == 429:
            told = {"error": "API rate limit exceeded", "api-key": KEY, "limit": "3"}
            return JSONResponse(told, status)
        return Response("<!DOCTYPE html><html>Error</html>", status, media_type="text/html")

    async def form(self, request: Request) -> dict[str, str]:
        self.times.append(time.monotonic())
        assert not request.url.query
        form = {name: str(value) for name, value in (await request.form()).items()}
        assert (form["db"], form["retmode"], form["tool"]) == ("pubmed", "xml", "quire")
        self.forms.append(form)
        return form

    def unknown(self, form: dict[str, str]) -> Response | None:
        if form.get("api_key", KEY) == KEY:
            return None
        told = {"error": "API key invalid", "api-key": form["api_key"], "type": "client"}
        return JSONResponse(told, 400)

    async def search(self, request: Request) -> Response:
        form = await self.form(request)
        if refusal := self.unknown(form):
            return refusal
        assert form["sort"] in ("relevance", "pub_date")
        assert int(form["retmax"]) <= 10_000
        if self.searched:
            return Response(self.searched, media_type="text/xml")
        since = self.first_day(form)
        found = [number for number, item in self.items.items() if item.iso >= since]
        best = found[::-1] if self.strict or " OR " in form["term"] else []
        ids = "".join(f"<Id>{number}</Id>" for number in best[: int(form["retmax"])])
        body = f"<eSearchResult><Count>{len(best)}</Count><IdList>{ids}</IdList></eSearchResult>"
        return Response(f'<?xml version="1.0"?>\n{body}', media_type="text/xml")

    def first_day(self, form: dict[str, str]) -> str:
        """Of a range of days of publication, whose ends are both given or neither."""
        assert ("mindate" in form) == ("maxdate" in form)
        if "mindate" not in form:
            return ""
        assert form["datetype"] == "pdat"
        assert form["mindate"] < form["maxdate"]
        return date(*map(int, form["mindate"].split("/"))).isoformat()

    async def fetch(self, request: Request) -> Response:
        form = await self.form(request)
        wanted = [int(number) for number in form["id"].split(",")]
        assert 1 <= len(wanted) <= 200
        articles = self.articles or "".join(
            self.article(item) for item in self.items.values() if item.number in wanted
        )
        return Response(SET.format(articles=articles), media_type="text/xml")

    def article(self, item: Item) -> str:
        first, last = item.author.split()
        return article(
            item.number,
            escape(item.text),
            title=escape(item.title).replace("Wind", "<i>Wind</i>"),
            authors=AUTHOR.format(first=first, last=last),
            kind="Journal Article",
            date=day('ArticleDate DateType="Electronic"', "2024", "05", "01"),
        )


class TestPubMed(LiveConformance[PubMedServer]):
    name = "pubmed"
    key = "NCBI_API_KEY"
    takes_since = True
    provider = PubMedServer

    def expected(self, item: Item) -> dict[str, Any]:
        url = f"https://pubmed.ncbi.nlm.nih.gov/{item.number}/"
        return {
            "uri": url,
            "url": url,
            "title": item.title,
            "author": "Ada Lovelace",
            "site": "Turbines",
            "published": "2024-05-01",
            "excerpt": True,
        }

    async def only(self, server: PubMedServer, text: str) -> Document:
        server.articles = text
        (document,) = await self.live().search(self.query, limit=5)
        return document

    async def test_a_key_is_sent_in_a_form_and_none_where_there_is_none(
        self, server: PubMedServer
    ) -> None:
        await self.live().search(self.query, limit=1)
        self.monkeypatch.delenv("NCBI_API_KEY")
        await self.live().search(self.query, limit=1)
        assert [form.get("api_key") for form in server.forms] == [KEY, KEY, None, None]

    async def test_a_key_that_is_unknown_is_named(self, server: PubMedServer) -> None:
        self.monkeypatch.setenv("NCBI_API_KEY", "sk-other")
        error = await self.refused()
        assert (error.code, error.retryable) == ("connector_key", False)
        assert "NCBI_API_KEY" in str(error)
        assert "sk-other" not in repr(error)

    async def test_without_a_key_none_is_blamed(self, server: PubMedServer) -> None:
        self.monkeypatch.delenv("NCBI_API_KEY")
        for status in (400, 401, 403):
            server.always = status
            assert "NCBI_API_KEY" not in str(await self.refused())

    @pytest.mark.slow
    async def test_pubmed_itself_is_asked_with_pauses_which_a_key_shortens(
        self, server: PubMedServer
    ) -> None:
        self.monkeypatch.setattr(PubMed, "limits", Limits(concurrency=3, request_interval=0.6))
        self.monkeypatch.setattr(pubmed, "INTERVAL_WITH_KEY", 0.2)
        await self.live().search(self.query, limit=1)
        self.monkeypatch.setattr(pubmed, "BASE_URL", server.url)
        await self.live().search(self.query, limit=1)
        self.monkeypatch.delenv("NCBI_API_KEY")
        await self.live().search(self.query, limit=1)
        free, with_key, without = (server.times[end] - server.times[end - 1] for end in (1, 3, 5))
        assert free < 0.15 < with_key < 0.45 < without

    def test_its_pauses_are_the_ncbi_s(self) -> None:
        assert pubmed.BASE_URL == "https://eutils.ncbi.nlm.nih.gov"
        assert PubMed.limits.request_interval >= 1 / 3
        assert pubmed.INTERVAL_WITH_KEY >= 1 / 10

    async def test_the_best_comes_first(self, server: PubMedServer) -> None:
        found = await self.live().search(self.query, limit=3)
        assert [document.title[-1] for document in found] == ["3", "2", "1"]

    @pytest.mark.parametrize(
        ("question", "term"),
        [
            ("Does COVID-19 harm the heart?", "(covid-19 harm heart) AND hasabstract"),
            ("Alzheimer’s disease", "(alzheimer's disease) AND hasabstract"),
            (
                '"x"[au] NOT (y OR z*) 2000:2010[dp]',
                "(x au y z 2000 2010 dp) AND hasabstract",
            ),
        ],
    )
    async def test_a_question_becomes_words_without_operators(
        self, server: PubMedServer, question: str, term: str
    ) -> None:
        await self.live().search(question, limit=1)
        assert server.forms[0]["term"] == term

    async def test_where_no_article_has_all_words_any_will_do(self, server: PubMedServer) -> None:
        server.strict = False
        assert len(await self.live().search("wind turbine noise", limit=5)) == 3
        assert server.forms[1]["term"] == "(wind OR turbine OR noise) AND hasabstract"

    async def test_one_word_is_asked_once_and_none_never(self, server: PubMedServer) -> None:
        server.items.clear()
        assert await self.live().search("turbine", limit=5) == []
        assert await self.live().search("?", limit=5) == []
        assert len(server.calls) == 1

    async def test_an_error_in_the_answer_is_one(self, server: PubMedServer) -> None:
        server.searched = "<eSearchResult><ERROR>Search Backend failed</ERROR></eSearchResult>"
        assert (await self.refused()).retryable

    async def test_a_structured_abstract_keeps_its_labels(self, server: PubMedServer) -> None:
        parts = (
            '<AbstractText Label="AIM" NlmCategory="AIM">To see H<sub>2</sub>O.</AbstractText>'
            '<AbstractText Label="UNLABELLED">We\n looked.</AbstractText>'
            '<AbstractText Label="END"/>'
        )
        document = await self.only(server, article(1, parts))
        assert document.text == "AIM: To see H2O.\n\nWe looked."

    async def test_a_retraction_is_told(self, server: PubMedServer) -> None:
        document = await self.only(server, article(kind="Retracted Publication"))
        assert document.text == "This article was retracted.\n\nIt turns."

    async def test_a_chapter_of_a_book_is_read(self, server: PubMedServer) -> None:
        document = await self.only(server, BOOK)
        assert (document.title, document.author) == ("Wind Chill", "E Poe")
        assert (document.site, document.published) == ("StatPearls", "2024")

    async def test_groups_and_many_authors(self, server: PubMedServer) -> None:
        people = "".join(AUTHOR.format(first="A", last=f"B{number}") for number in range(300))
        group = "<Author><CollectiveName>The Group</CollectiveName></Author><Author/>"
        document = await self.only(server, article(authors=group + people))
        assert document.author.startswith("The Group, A B0, A B1, ")
        assert document.author.endswith(", A B8 et al.")

    @pytest.mark.parametrize(
        ("given", "published"),
        [
            ({"issue": day("", "2015", "Nov", "3")}, "2015-11-03"),
            ({"issue": day("", "2015", "11", "3")}, "2015-11-03"),
            (
                {
                    "issue": day("", "2015", "Nov"),
                    "entered": day('PubMedPubDate PubStatus="received"', "2014", "1", "2")
                    + day('PubMedPubDate PubStatus="pubmed"', "2015", "8", "2"),
                },
                "2015-08-02",
            ),
            ({"issue": day("", "2015", "Nov")}, "2015"),
            ({"issue": "<MedlineDate>2015 Nov-Dec</MedlineDate>"}, ""),
            ({"issue": day("", "2015", "13", "45")}, "2015"),
            ({"issue": day("", "soon", "x", "y")}, ""),
        ],
    )
    async def test_dates(self, server: PubMedServer, given: Any, published: str) -> None:
        assert (await self.only(server, article(**given))).published == published

    async def test_what_is_malformed_is_passed_over(self, server: PubMedServer) -> None:
        foreign = article(1).replace(">1<", ">1/../x<")
        blank = "<PubmedArticle/><DeleteCitation><PMID>1</PMID></DeleteCitation>"
        document = await self.only(server, f"{foreign}{blank}{article(2, ' ')}{article(3)}")
        assert document.uri.endswith("/3/")
