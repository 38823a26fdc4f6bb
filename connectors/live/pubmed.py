"""`pubmed`: abstracts of biomedical articles, through the E-utilities of the NCBI."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from connectors.net.http import Api, base_url
from connectors.protocol import Limits
from connectors.reading.dates import iso_date
from connectors.reading.keywords import keywords
from connectors.reading.xml import text_of, xml
from schema.documents import Document
from schema.errors import ConnectorError
from schema.settings import variable

KEY = "NCBI_API_KEY"
OWN = "https://eutils.ncbi.nlm.nih.gov"
SPACING_WITH_KEY = 0.1
RESULTS = 100
WORDS = 20
NO_END = "3000"
"""The year that stands for no end of a range of dates, which PubMed takes with both ends only."""
AUTHORS = 10
"""Authors who are named; some articles have hundreds."""

_DATES = (".//ArticleDate", ".//PubDate", ".//PubMedPubDate[@PubStatus='pubmed']")
"""Where a day may stand, best first: of the first edition, of the issue, of the entry in PubMed."""


class PubMed:
    """Biomedical articles. A result is an excerpt: PubMed holds abstracts, not articles."""

    name = "pubmed"
    kind: Literal["live"] = "live"
    reads = "abstracts of PubMed's articles"
    document = "an abstract: the article's address, title, authors, journal and day of publication"
    needs = ()
    package = ""
    languages = ("en",)
    limits = Limits(concurrency=3, spacing=0.34)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask for articles that have all words of a question, or, where there is none, any."""
        words = keywords(query)[:WORDS]
        if not words:
            return []
        url, key = base_url(self.name, OWN), variable(KEY)
        spacing = Limits(attempts=1, spacing=SPACING_WITH_KEY if key else self.limits.spacing)
        named = KEY if key else ""
        async with Api("PubMed", url, key=named, limits=spacing, spaced=url == OWN) as api:
            numbers = await _numbers(api, words, min(limit, RESULTS), since)
            articles = await _asked(api, "efetch", id=",".join(numbers)) if numbers else ()
        now = datetime.now(UTC)
        found = [document for article in articles if (document := _document(article, now))]
        order = {_url(number): place for place, number in enumerate(numbers)}
        return sorted(found, key=lambda one: order.get(one.uri, len(order)))[:limit]


async def _numbers(api: Api, words: Sequence[str], count: int, since: str) -> list[str]:
    """What PubMed calls the best matches. It adds synonyms to words that name no field."""
    first = since.replace("-", "/")
    dated = {"datetype": "pdat", "mindate": first, "maxdate": NO_END} if since else {}
    for joined in dict.fromkeys((" ".join(words), " OR ".join(words))):
        term = f"({joined}) AND hasabstract"
        given = {"term": term, "retmax": str(count), "sort": "relevance", **dated}
        found = await _asked(api, "esearch", **given)
        numbers = [text_of(one) for one in found.iterfind("IdList/Id")]
        if numbers := [number for number in numbers if number.isdecimal()]:
            return numbers
    return []


async def _asked(api: Api, utility: str, **given: str) -> Any:
    """The answer of a utility. A form keeps the key out of addresses, which are logged."""
    key = variable(KEY)
    form = {"db": "pubmed", "retmode": "xml", "tool": "quire", **given}
    path = f"/entrez/eutils/{utility}.fcgi"
    try:
        answer = await api.request("POST", path, data={**form, "api_key": key} if key else form)
    except ConnectorError as error:
        if not key or error.status != 400:
            raise
        message = f"PubMed refused the request: check {KEY}"  # it says 400 to an unknown key
        raise ConnectorError(message, code="connector_key") from None
    root = xml(answer.content, "PubMed")
    if root.find("ERROR") is not None:
        raise ConnectorError("PubMed's search failed", passing=True)
    return root


def _url(number: str) -> str:
    return f"https://pubmed.ncbi.nlm.nih.gov/{number}/"


def _document(article: Any, now: datetime) -> Document | None:
    """An article, or a chapter of a book, which stands in other elements."""
    number = text_of(article.find(".//PMID"))
    paragraphs = [_paragraph(part) for part in article.iterfind(".//Abstract/AbstractText")]
    text = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    if not number.isdecimal() or not text:
        return None
    kinds = {text_of(kind) for kind in article.iterfind(".//PublicationType")}
    if "Retracted Publication" in kinds:
        text = f"This article was retracted.\n\n{text}"
    book = text_of(article.find(".//BookTitle"))
    return Document(
        uri=_url(number),
        url=_url(number),
        text=text,
        connector=PubMed.name,
        title=text_of(article.find(".//ArticleTitle")) or book,
        author=_authors(article),
        site=text_of(article.find(".//Journal/Title")) or book or "PubMed",
        published=_published(article),
        fetched=now,
        excerpt=True,
    )


def _paragraph(part: Any) -> str:
    label, text = part.get("Label") or "", text_of(part)
    return f"{label}: {text}" if text and label not in ("", "UNLABELLED") else text


def _authors(article: Any) -> str:
    people = article.xpath(".//AuthorList[not(@Type='editors')]/Author")
    parts = ("ForeName", "LastName", "CollectiveName")
    found = [" ".join(text_of(one.find(part)) for part in parts).strip() for one in people]
    names = [name for name in found if name]
    return ", ".join(names[:AUTHORS]) + (" et al." if len(names) > AUTHORS else "")


def _published(article: Any) -> str:
    """The first date with a day, else the year; months are numbers here and names there."""
    for place in _DATES:
        parts = (article.find(f"{place}/{part}") for part in ("Year", "Month", "Day"))
        year, month, day = map(text_of, parts)
        in_numbers, by_name = f"{year}-{month:0>2}-{day:0>2}", f"{day} {month} {year} 00:00:00"
        if date := iso_date(in_numbers) or iso_date(by_name):
            return date
    year = text_of(article.find(".//PubDate/Year"))
    return year if len(year) == 4 and year.isdecimal() else ""
