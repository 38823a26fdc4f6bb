"""The references of a report for reference managers: BibTeX and CSL-JSON.

A web page is `@online`, as BibLaTeX has it (BibTeX itself reads that as `@misc`), and `webpage` in
CSL; anything else is `@misc` and `document`. Both files name a source by the same key.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from exports.author_names import AuthorName, parse_authors
from exports.web_links import escape_address, is_web, parse_host
from schema.report import Reference, Report

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LATEX_SPECIAL = re.compile(r"[#$%&_{}\\^~`]|-(?=-)|(?<=-)-|'(?=')|(?<=')'")
_LATEX_ESCAPES = {
    **{character: f"\\{character}" for character in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "`": r"\`{}",
    "-": "{-}",  # two would become a dash
    "'": "{'}",
}
_LONE_BRACES = {"{": r"\textbraceleft{}", "}": r"\textbraceright{}"}


def format_bibtex(report: Report) -> str:
    """The references as BibTeX, in UTF-8. Markup of LaTeX is escaped, but not in addresses."""
    keys = _make_citation_keys(report)
    return "\n".join(_format_bibtex_entry(one, keys[one["number"]]) for one in report["references"])


def build_csl_json(report: Report) -> list[dict[str, Any]]:
    """The references as items of CSL-JSON (Citation Style Language 1.0.2)."""
    keys = _make_citation_keys(report)
    return [dict(_build_csl_fields(one, keys[one["number"]])) for one in report["references"]]


def _format_bibtex_entry(one: Reference, key: str) -> str:
    kind = "online" if is_web(one["url"]) else "misc"
    lines = [f"  {name} = {value}," for name, value in _build_bibtex_fields(one)]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def _build_bibtex_fields(one: Reference) -> Iterator[tuple[str, str]]:
    names, others = parse_authors(one["author"])
    people = [_format_bibtex_name(name) for name in names] + ["others"] * (others and bool(names))
    if people:
        yield "author", f"{{{' and '.join(people)}}}"
    if one["title"]:
        yield "title", f"{{{{{_escape_latex(one['title'])}}}}}"  # a second pair keeps its capitals
    if one["site"]:
        yield "organization", f"{{{{{_escape_latex(one['site'])}}}}}"
    if date := _DATE.match(one["published"]):
        yield "year", f"{{{date[1]}}}"
        if date[2] and 1 <= int(date[2]) <= 12:
            yield "month", _MONTHS[int(date[2]) - 1]
    if is_web(one["url"]):
        yield "url", f"{{{escape_address(one['url'])}}}"
    elif one["url"]:
        yield "note", f"{{{_escape_latex(one['url'])}}}"
    if accessed := _DATE.match(one["accessed"]):
        yield "urldate", f"{{{accessed[0]}}}"


def _build_csl_fields(one: Reference, key: str) -> Iterator[tuple[str, Any]]:
    yield "id", key
    yield "type", "webpage" if is_web(one["url"]) else "document"
    if names := parse_authors(one["author"]).names:
        yield "author", [name._asdict() if name.given else {"literal": name[0]} for name in names]
    for name, value in (("title", one["title"]), ("container-title", one["site"])):
        if value:
            yield name, " ".join(value.split())
    for name, value in (("issued", one["published"]), ("accessed", one["accessed"])):
        if date := _DATE.match(value):
            yield name, {"date-parts": [[int(part) for part in date.groups() if part]]}
    if one["url"]:
        yield "URL" if "://" in one["url"] else "archive_location", escape_address(one["url"])


def _make_citation_keys(report: Report) -> dict[int, str]:
    """A key for each reference, such as `holm2024otters`, by its number."""
    keys: dict[int, str] = {}
    for one in report["references"]:
        names = parse_authors(one["author"]).names
        candidates = (names[0].family if names else "", one["site"], parse_host(one["url"]))
        family = next(filter(None, map(_to_ascii, candidates)), "")
        year = _DATE.match(one["published"])
        word = next((word for word in map(_to_ascii, one["title"].split()) if len(word) > 3), "")
        first = f"{family[:30]}{year[1] if year else ''}{word[:30]}" or f"source{one['number']}"
        key, count = first, 1
        while key in keys.values():
            count += 1
            key = f"{first}-{count}"
        keys[one["number"]] = key
    return keys


def _format_bibtex_name(name: AuthorName) -> str:
    """A person as "family, given"; an organisation, and what BibTeX would split, in braces."""
    parts = [_escape_latex(part) for part in name if part]
    if not name.given or any(re.search(r"\band\b|,", part, re.IGNORECASE) for part in parts):
        return f"{{{' '.join(reversed(parts))}}}"
    return ", ".join(parts)


def _escape_latex(text: str) -> str:
    """Text for a field. A brace without its other half would end the field, so it is spelt out."""
    escaped = _LATEX_ESCAPES if _has_balanced_braces(text) else _LATEX_ESCAPES | _LONE_BRACES
    return _LATEX_SPECIAL.sub(lambda character: escaped[character[0]], " ".join(text.split()))


def _has_balanced_braces(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0


def _to_ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", plain.lower())
