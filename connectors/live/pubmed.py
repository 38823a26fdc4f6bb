"""`pubmed`: abstracts of biomedical articles, through the E-utilities of the NCBI."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from connectors.files.dates import iso_date
from connectors.files.keywords import extract_keywords
from connectors.files.search_results import join_authors
from connectors.files.xml import get_element_text, parse_xml
from connectors.http.client import Api, base_url
from connectors.protocol import Limits, LiveConnector
from schema.documents import Document
from schema.errors import ConnectorError
from schema.settings import read_variable

KEY = "NCBI_API_KEY"
BASE_URL = "https://eutils.ncbi.nlm.nih.gov"
INTERVAL_WITH_KEY = 0.1
MAX_RESULTS = 100
MAX_WORDS = 20
LAST_YEAR = "3000"
"""The year that stands for no end of a range of dates, which PubMed takes with both ends only."""

_DATE_PATHS = (".//ArticleDate", ".//PubDate", ".//PubMedPubDate[@PubStatus='pubmed']")
"""Where a day may stand, best first: of the first edition, of the issue, of the entry in PubMed."""


class PubMed(LiveConnector):
    """Biomedical articles. A result is an excerpt: PubMed holds abstracts, not articles."""

    name = "pubmed"
    description = "abstracts of PubMed's articles"
    document_description = (
        "an abstract: the article's address, title, authors, journal and date of publication"
    )
    languages = ("en",)
    limits = Limits(concurrency=3, request_interval=0.34)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask for articles that have all words of a question, or, where there is none, any."""
        words = extract_keywords(query)[:MAX_WORDS]
        if not words:
            return []
        url, key = base_url(self.name, BASE_URL), read_variable(KEY)
        limits = Limits(
            attempts=1, request_interval=INTERVAL_WITH_KEY if key else self.limits.request_interval
        )
        named = KEY if key else ""
        async with Api(
            "PubMed", url, key=named, limits=limits, rate_limited=url == BASE_URL
        ) as api:
            numbers = await _search_ids(api, words, min(limit, MAX_RESULTS), since)
            articles = await _request(api, "efetch", id=",".join(numbers)) if numbers else ()
        found = [document for article in articles if (document := _parse_article(article))]
        order = {_build_url(number): place for place, number in enumerate(numbers)}
        return sorted(found, key=lambda one: order.get(one.uri, len(order)))[:limit]


async def _search_ids(api: Api, words: Sequence[str], count: int, since: str) -> list[str]:
    """What PubMed calls the best matches. It adds synonyms to words that name no field."""
    first = since.replace("-", "/")
    dated = {"datetype": "pdat", "mindate": first, "maxdate": LAST_YEAR} if since else {}
    for joined in dict.fromkeys((" ".join(words), " OR ".join(words))):
        term = f"({joined}) AND hasabstract"
        given = {"term": term, "retmax": str(count), "sort": "relevance", **dated}
        found = await _request(api, "esearch", **given)
        numbers = [get_element_text(one) for one in found.iterfind("IdList/Id")]
        if numbers := [number for number in numbers if number.isdecimal()]:
            return numbers
    return []


async def _request(api: Api, utility: str, **given: str) -> Any:
    """The answer of a utility. A form keeps the key out of addresses, which are logged."""
    key = read_variable(KEY)
    form = {"db": "pubmed", "retmode": "xml", "tool": "quire", **given}
    path = f"/entrez/eutils/{utility}.fcgi"
    try:
        answer = await api.request("POST", path, data={**form, "api_key": key} if key else form)
    except ConnectorError as error:
        if not key or error.status != 400:
            raise
        message = f"PubMed refused the request: check {KEY}"  # it says 400 to an unknown key
        raise ConnectorError(message, code="connector_key") from None
    root = parse_xml(answer.content, "PubMed")
    if root.find("ERROR") is not None:
        raise ConnectorError("PubMed's search failed", retryable=True)
    return root


def _build_url(number: str) -> str:
    return f"https://pubmed.ncbi.nlm.nih.gov/{number}/"


def _parse_article(article: Any) -> Document | None:
    """An article, or a chapter of a book, which stands in other elements."""
    number = get_element_text(article.find(".//PMID"))
    paragraphs = [_format_paragraph(part) for part in article.iterfind(".//Abstract/AbstractText")]
    text = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    if not number.isdecimal() or not text:
        return None
    kinds = {get_element_text(kind) for kind in article.iterfind(".//PublicationType")}
    if "Retracted Publication" in kinds:
        text = f"This article was retracted.\n\n{text}"
    book = get_element_text(article.find(".//BookTitle"))
    return Document(
        uri=_build_url(number),
        url=_build_url(number),
        text=text,
        connector=PubMed.name,
        title=get_element_text(article.find(".//ArticleTitle")) or book,
        author=_format_authors(article),
        site=get_element_text(article.find(".//Journal/Title")) or book or "PubMed",
        published=_find_date(article),
        fetched=datetime.now(UTC),
        excerpt=True,
    )


def _format_paragraph(part: Any) -> str:
    label, text = part.get("Label") or "", get_element_text(part)
    return f"{label}: {text}" if text and label not in ("", "UNLABELLED") else text


def _format_authors(article: Any) -> str:
    people = article.xpath(".//AuthorList[not(@Type='editors')]/Author")
    parts = ("ForeName", "LastName", "CollectiveName")
    return join_authors(
        " ".join(get_element_text(one.find(part)) for part in parts).strip() for one in people
    )


def _find_date(article: Any) -> str:
    """The first date with a day, else the year; months are numbers here and names there."""
    for place in _DATE_PATHS:
        parts = (article.find(f"{place}/{part}") for part in ("Year", "Month", "Day"))
        year, month, day = map(get_element_text, parts)
        in_numbers, by_name = f"{year}-{month:0>2}-{day:0>2}", f"{day} {month} {year} 00:00:00"
        if date := iso_date(in_numbers) or iso_date(by_name):
            return date
    year = get_element_text(article.find(".//PubDate/Year"))
    return year if len(year) == 4 and year.isdecimal() else ""
