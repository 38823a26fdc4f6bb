"""When a page was last changed, and how sure that is, from what it and its server say.

| said by | confidence |
| --- | --- |
| schema.org `dateModified` | 0.9 |
| `article:modified_time` and its like in the head | 0.85 |
| "Last updated: ..." in the text | 0.75 |
| schema.org `datePublished` | 0.7 |
| the search engine | 0.65 |
| `article:published_time` and its like | 0.65 |
| `Last-Modified` of the server | 0.5, or 0.1 where it is the time of the answer |
| `<time datetime=...>` | 0.4 |

A content system writes such dates itself, without fail: where the page names WordPress, Drupal or
Ghost as its generator, what stands in its head and in schema.org counts 0.05 more. Sayings of the
same day confirm each other: c = 1 - product of (1 - c_i). Days after today do not count.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any

LARGEST_PAGE = 1_000_000
"""Characters of a page that are looked at."""

_META = re.compile(r"<meta\b([^<>]{1,2000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([a-z:-]{1,40})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_LINKED_DATA = re.compile(r"<script[^<>]{0,300}application/ld\+json[^<>]{0,300}>", re.IGNORECASE)
_TIME = re.compile(
    r"""<time\b[^<>]{0,500}?\bdatetime\s{0,9}=\s{0,9}["']([^"'<>]{4,40})["']""", re.IGNORECASE
)
_MODIFIED_NAMES = {
    "article:modified_time", "og:updated_time", "datemodified", "last-modified", "lastmod",
    "dcterms.modified", "dc.date.modified", "revised",
}  # fmt: skip
_PUBLISHED_NAMES = {
    "article:published_time", "datepublished", "date", "pubdate", "dc.date", "dcterms.created",
    "dcterms.date", "citation_publication_date",
}  # fmt: skip
_CONTENT_SYSTEM = re.compile(r"wordpress|drupal|ghost", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(rf"\b(?:{'|'.join(_MONTHS)})")
_UPDATED_LINE = re.compile(
    r"(?:last\s+(?:updated|modified|edited|reviewed)|updated\s+on|updated:|zuletzt\s+aktualisiert|"
    r"stand:|mise?\s+à\s+jour|actualizado|aggiornato|最后更新|更新时间|最終更新|更新日)"
    r"[^\w<>]{0,4}(?:<[^<>]{0,200}>|\s|on\b|le\b|am\b|el\b|il\b|[:：]){0,6}"
    r"(\d{4}[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,2}|\d{1,2}\.?\s+[a-z]{3,9}\.?,?\s+\d{4}|"
    r"[a-z]{3,9}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})",
    re.IGNORECASE,
)


def find_last_modified(
    html: str,
    headers: Mapping[str, str],
    today: date,
    *,
    searched: str = "",
) -> tuple[date, float] | None:
    """The day of a page's last change with a confidence in 0..1; None where nothing says it.

    Args:
        html: the page, or its beginning.
        headers: of the answer, their names in lower case.
        today: days after it do not count.
        searched: the date that a search engine gave, ISO 8601.
    """
    sayings = [*_find_in_page(html[:LARGEST_PAGE]), *_find_in_headers(headers)]
    if day := parse_iso_date(searched):
        sayings.append((day, 0.65))
    doubt: defaultdict[date, float] = defaultdict(lambda: 1.0)
    for day, confidence in sayings:
        if day <= today:
            doubt[day] *= 1 - confidence
    if not doubt:
        return None
    best = min(doubt, key=lambda day: (doubt[day], -day.toordinal()))
    return best, round(1 - doubt[best], 3)


def find_updated_line(text: str) -> date | None:
    """The day of the first "Last updated: ..." of a text; None where it has none."""
    days = (_parse_written_date(found[1]) for found in _UPDATED_LINE.finditer(text))
    return next((day for day in days if day is not None), None)


def _find_in_page(html: str) -> Iterator[tuple[date, float]]:
    meta = list(_find_meta_tags(html))
    managed = any(name == "generator" and _CONTENT_SYSTEM.search(value) for name, value in meta)
    more = 0.05 if managed else 0.0
    for name, value in meta:
        if day := parse_iso_date(value):
            if name in _MODIFIED_NAMES:
                yield day, 0.85 + more
            elif name in _PUBLISHED_NAMES:
                yield day, 0.65 + more
    for text in _find_linked_data(html):
        for name, value in _find_json_dates(text):
            if day := parse_iso_date(value):
                yield day, (0.9 if name == "dateModified" else 0.7) + more
    for found in _UPDATED_LINE.finditer(html):
        if day := _parse_written_date(found[1]):
            yield day, 0.75
    if (found_time := _TIME.search(html)) and (day := parse_iso_date(found_time[1])):
        yield day, 0.4


def _find_in_headers(headers: Mapping[str, str]) -> Iterator[tuple[date, float]]:
    changed, answered = (_parse_http_date(headers.get(one)) for one in ("last-modified", "date"))
    if changed is None:
        return
    now = answered is not None and abs(answered - changed) < timedelta(minutes=2)
    yield changed.date(), 0.1 if now else 0.5


def _find_meta_tags(html: str) -> Iterator[tuple[str, str]]:
    for tag in _META.finditer(html):
        given = {
            name.casefold(): double or single for name, double, single in _ATTRIBUTE.findall(tag[1])
        }
        named = given.get("property") or given.get("name") or given.get("itemprop") or ""
        yield named.casefold(), unescape(given.get("content", ""))


def _find_linked_data(html: str) -> Iterator[str]:
    """The pieces of linked data; each character is looked at once, whatever is not closed."""
    end = 0
    while opening := _LINKED_DATA.search(html, end):
        end = html.find("</script", opening.end())
        if end < 0:
            return
        yield html[opening.end() : end]


def _find_json_dates(text: str) -> Iterator[tuple[str, str]]:
    """`dateModified` and `datePublished`, wherever they stand in a piece of linked data."""
    try:
        waiting: list[Any] = [json.loads(text)]
    except (ValueError, RecursionError):
        return
    while waiting:
        held = waiting.pop()
        if isinstance(held, list):
            waiting += held
        elif isinstance(held, dict):
            for name, value in held.items():
                if name in ("dateModified", "datePublished") and isinstance(value, str):
                    yield name, value
                elif isinstance(value, list | dict):
                    waiting.append(value)


def parse_iso_date(text: str) -> date | None:
    """The day of an ISO date, with or without a time."""
    try:
        return datetime.fromisoformat(text.strip()).date()
    except ValueError:
        found = re.match(r"\s*(\d{4})-(\d{2})-(\d{2})", text)
        return _make_date(*map(int, found.groups())) if found else None


def _parse_written_date(text: str) -> date | None:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if len(numbers) == 3:
        return _make_date(numbers[0], numbers[1], numbers[2])
    month = _MONTH.search(text.casefold())
    return _make_date(numbers[1], _MONTHS.index(month[0]) + 1, numbers[0]) if month else None


def _make_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _parse_http_date(header: str | None) -> datetime | None:
    try:
        return parsedate_to_datetime(header or "").astimezone(UTC)
    except (ValueError, TypeError, OverflowError):
        return None
