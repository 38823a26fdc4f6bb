"""What a web page says of itself: its title, author, date, site.

Only what a page says on purpose counts: its meta tags, its linked data (schema.org), its headings,
its address, its footer. A date in its text is one that it speaks of, and the title of a box is not
the page's.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from connectors.files.dates import iso_date
from connectors.files.file_text import FileText
from retrieval.web.last_modified import find_updated_line

TITLE_CHARACTERS = 300
MAX_AUTHORS = 20
"""Authors of one page that are named."""
MAX_RECORDS = 1_000
"""Records of linked data that are looked at."""

MAX_FOOTERS, FOOTER_CHARACTERS = 10, 2_000
"""Footers of one page that are looked at, and characters of each."""

_TITLES = ("citation_title", "og:title", "twitter:title", "dc.title", "dcterms.title")
_AUTHORS = ("citation_author", "author", "article:author", "dc.creator", "dcterms.creator")
_SITES = ("og:site_name", "application-name", "citation_journal_title")
_DATES = (
    "article:published_time", "og:published_time", "citation_publication_date", "citation_date",
    "datepublished", "date", "pubdate", "publishdate", "publish-date", "publication_date",
    "dc.date", "dc.date.issued", "dc.date.created", "dcterms.date", "dcterms.issued",
    "dcterms.created", "parsely-pub-date", "sailthru.date",
)  # fmt: skip
_ARTICLES = ("Article", "Posting", "Report", "Book", "Chapter", "WebPage")
"""How the types of schema.org end that a record of the page itself has."""
_OWN_TIMES = (
    "//*[@itemprop='datePublished'] | //time[@pubdate or ancestor::header or "
    "contains(@class, 'publish') or contains(@class, 'entry-date')]"
)
_TITLE_SEPARATOR = r"\s*[-–—|·•»:]\s+"
"""What stands between a page's title and its site's."""
_HOME = "//link[@rel='home' or @rel='top' or @rel='start']/@title | //a[@accesskey='h']/@title"
"""What a page of a manual calls the manual, as DocBook and Sphinx have it."""
_FOOTER = (
    "//footer | //*[@role='contentinfo'] | //*[contains(concat(' ', @class, ' '), ' footer ')] | "
    "//*[@id='footer']"
)
_LOGO = "ancestor-or-self::a[@href='/'] or descendant::a[@href='/']"
_SLASHED = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)")
_IN_ADDRESS = re.compile(r"/((?:19|20)\d\d)[/-]([01]\d)[/-]([0-3]\d)(?=[/-]|\Z)")

_MetaTags = dict[str, list[str]]
"""What the meta tags say, by name."""


def read_page_head(tree: Any, address: str) -> FileText:
    """What a page says of itself, without its text.

    Args:
        tree: the page, as lxml reads it.
        address: of the page, which may name its date; "" where it is not known.
    """
    meta, data = _read_meta_tags(tree), _find_own_record(tree)
    whole = extract_words(next(tree.iter("title"), None))
    site = _get_first(meta, _SITES) or _read_name(data.get("publisher"))
    title = _find_title(tree, meta, data, site, whole)
    site = site or _find_site_name(title, whole) or _find_home_title(tree)
    return FileText(
        text="",
        title=title[:TITLE_CHARACTERS],
        author=", ".join(_find_authors(tree, meta, data)),
        published=_find_date(tree, meta, data, address),
        site=site[:TITLE_CHARACTERS],
    )


def extract_words(element: Any, longest: int = TITLE_CHARACTERS) -> str:
    """The words of an element, without the character that links a heading to itself; "" of None."""
    texts = islice(element.itertext(), longest) if element is not None else ()
    return " ".join("".join(text[:2_000] for text in texts).split())[:longest].rstrip("¶\u200b ")


def _read_meta_tags(tree: Any) -> _MetaTags:
    found: _MetaTags = {}
    for one in tree.iter("meta"):
        name = one.get("property") or one.get("name") or one.get("itemprop") or ""
        if content := " ".join((one.get("content") or "").split()):
            found.setdefault(name.casefold(), []).append(content)
    return found


def _get_first(meta: _MetaTags, names: Iterable[str]) -> str:
    return next((meta[name][0] for name in names if name in meta), "")


def _find_own_record(tree: Any) -> dict[str, Any]:
    """What linked data says of the page itself; empty where it says nothing."""
    for script in tree.iter("script"):
        if "ld+json" not in (script.get("type") or "").casefold():
            continue
        try:
            held = json.loads(script.text or "")
        except (ValueError, RecursionError):
            continue
        for one in islice(_walk_records(held), MAX_RECORDS):
            kinds = one.get("@type")
            kinds = kinds if isinstance(kinds, list) else [kinds]
            if any(isinstance(kind, str) and kind.endswith(_ARTICLES) for kind in kinds):
                return one
    return {}


def _walk_records(held: Any) -> Iterator[dict[str, Any]]:
    """The records that linked data holds, the outer ones first."""
    waiting = [held]
    for one in waiting:  # which grows meanwhile
        if isinstance(one, dict):
            yield one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _find_title(tree: Any, meta: _MetaTags, data: dict[str, Any], site: str, whole: str) -> str:
    """What the page calls itself, without its site's name around it, else its first heading.

    `whole` is what stands in its <title>.
    """
    if stated := _get_first(meta, _TITLES) or _read_name(data.get("headline")):
        return _strip_site_name(site, stated)
    tops = list(filter(None, map(extract_words, tree.xpath(f"//h1[not({_LOGO})]"))))
    if len(tops) == 1:
        return tops[0]
    headings = [*tops, *map(extract_words, islice(tree.iter("h2"), 1))]
    parts = re.split(_TITLE_SEPARATOR, whole)
    confirmed = next((heading for heading in headings if heading in parts), "")
    return confirmed or _strip_site_name(site, whole) or next(filter(None, headings), "")


def _strip_site_name(site: str, title: str) -> str:
    around = re.escape(site)
    bare = (
        re.sub(rf"{_TITLE_SEPARATOR}{around}\Z|\A{around}{_TITLE_SEPARATOR}", "", title)
        if site
        else title
    )
    return bare or title


def _find_site_name(title: str, whole: str) -> str:
    """The site's name, where it stands in a <title> behind that of the page."""
    found = re.match(rf"{re.escape(title)}{_TITLE_SEPARATOR}(\S.*)", whole) if title else None
    return found[1] if found else ""


def _find_home_title(tree: Any) -> str:
    """The title of the manual that a page is part of, by its link to the beginning."""
    titles = [" ".join(str(title).split()) for title in tree.xpath(_HOME)]
    return next((title for title in titles if len(title.split()) > 1), "")


def _find_authors(tree: Any, meta: _MetaTags, data: dict[str, Any]) -> list[str]:
    stated = next((meta[name] for name in _AUTHORS if name in meta), [])
    if not stated:
        given = data.get("author")
        stated = [_read_name(one) for one in (given if isinstance(given, list) else [given])]
    if not any(stated):
        stated = [extract_words(one) for one in tree.xpath("//a[@rel='author']")[:1]]
    names = [name[:TITLE_CHARACTERS] for name in stated if name and "://" not in name]
    return list(dict.fromkeys(names))[:MAX_AUTHORS]


def _read_name(value: Any) -> str:
    """The name that linked data gives: a text, or that of a record."""
    if isinstance(value, dict):
        value = value.get("name")
    return " ".join(value.split()) if isinstance(value, str) else ""


def _find_date(tree: Any, meta: _MetaTags, data: dict[str, Any], address: str) -> str:
    stated = [_get_first(meta, [name]) for name in _DATES]
    stated.append(_read_name(data.get("datePublished")))
    if date := next(filter(None, map(_parse_date, stated)), ""):
        return date
    times = (one.get("datetime") or one.get("content") or "" for one in tree.xpath(_OWN_TIMES))
    if (
        len(dates := set(filter(None, map(_parse_date, times)))) == 1
    ):  # a list of articles has several
        return dates.pop()
    found = _IN_ADDRESS.search(address.partition("?")[0])
    return _parse_date("-".join(found.groups())) if found else _find_footer_date(tree)


def _find_footer_date(tree: Any) -> str:
    """The day that the footer calls that of the page's last change; "" where it names none."""
    footers = (" ".join(one.itertext()) for one in islice(tree.xpath(_FOOTER), MAX_FOOTERS))
    days = (find_updated_line(" ".join(text[:FOOTER_CHARACTERS].split())) for text in footers)
    return next((day.isoformat() for day in days if day is not None), "")


def _parse_date(text: str) -> str:
    slashed = _SLASHED.match(text)
    return iso_date("{}-{:0>2}-{:0>2}".format(*slashed.groups()) if slashed else text)
