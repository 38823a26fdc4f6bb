"""Citation styles: how a citation marker and an entry of the reference list read.

`ieee` numbers sources in order of appearance, `[3]`. `author-date` names them, `(Holm 2024a)`, and
sorts the list by name. Everything here is plain text; who writes it into a format escapes it.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Literal, NamedTuple
from urllib.parse import quote, unquote

from citations.markers import rewrite_marker_runs
from exports.author_names import parse_authors
from exports.labels import Labels, load_labels
from exports.web_links import escape_address, is_web, parse_host
from schema.report import Reference

Style = Literal["ieee", "author-date"]

_YEAR = re.compile(r"\d{4}(?!\d)")
_NO_DATE = {"de": "o. J.", "en": "n.d.", "es": "s. f.", "fr": "s. d.", "zh": "无日期"}
_ET_AL = {"zh": "等"}
_RESERVED_CHARACTERS = re.compile(r"[\[\](){}<>;]")
_LONGEST_NAME = 60
_PLAIN_CHARACTERS = "/:.-_()%"
"""Of an address that stands in a note as text: none of them is markup of any format."""


class ReferenceEntry(NamedTuple):
    """An entry of the reference list: its text is `before`, `address` and `after` in a row.

    `linked` says whether the address is one that a reader may follow.
    """

    number: int
    before: str
    address: str
    after: str
    linked: bool


class MarkerPiece(NamedTuple):
    """A part of a marker; `number` is that of the reference it points to, None for what joins."""

    text: str
    number: int | None


class CitationStyle:
    """A style, bound to the references of one report."""

    def __init__(self, references: Sequence[Reference], style: Style, language: str) -> None:
        self._style = style
        self._references = references
        self._language = language
        self._names = {one["number"]: _make_label(one, language) for one in references}
        self._years = _make_years(references, self._names, language)

    def build_pieces(self, numbers: Sequence[int]) -> list[MarkerPiece]:
        """Markers that stand side by side, in pieces: `[1][2]`, or `(Holm 2024; Li 2023)`."""
        if self._style == "ieee":
            return [MarkerPiece(f"[{number}]", number) for number in numbers]
        found = [MarkerPiece("(", None)]
        for number in numbers:
            label = f"{self._names[number]} {self._years[number]}"
            found += [MarkerPiece(label, number), MarkerPiece("; ", None)]
        return [*found[:-1], MarkerPiece(")", None)]

    def rewrite_markers(self, text: str, write: Callable[[list[MarkerPiece]], str]) -> str:
        """A text with its markers in this style. Code is left alone, as are unknown numbers.

        Args:
            text: Markdown whose markers are numbers of the references.
            write: what replaces markers that stand side by side.
        """

        def rewrite(numbers: list[int]) -> str:
            return "".join(
                write(self.build_pieces(list(run)))
                if known
                else "".join(f"[{number}]" for number in run)
                for known, run in groupby(numbers, self._names.__contains__)
            )

        return rewrite_marker_runs(text, rewrite)

    def build_entries(self) -> list[ReferenceEntry]:
        """The reference list, in the style's order."""
        if self._style == "ieee":
            return [
                self._build_entry(one, f"[{one['number']}] ", _describe_source(one))
                for one in self._references
            ]
        ordered = sorted(
            self._references,
            key=lambda one: (_fold(self._names[one["number"]]), self._years[one["number"]]),
        )
        return [self._build_named_entry(one) for one in ordered]

    def _build_named_entry(self, one: Reference) -> ReferenceEntry:
        names, others = parse_authors(one["author"])
        written = "; ".join(", ".join(filter(None, name)) for name in names)
        if others and written:
            written += f" {_ET_AL.get(self._language, 'et al.')}"
        name = written or self._names[one["number"]]
        told = (name, _find_year(one))
        described = [part for part in _describe_source(one)[1:] if part not in told]
        return self._build_entry(one, f"{name} ({self._years[one['number']]}). ", described)

    def _build_entry(self, one: Reference, head: str, described: Sequence[str]) -> ReferenceEntry:
        words, url = load_labels(self._language), _collapse_spaces(one["url"])
        linked = is_web(url)
        dead = words.site_gone if one.get("link") == "no host" else words.page_gone
        note = f" ({dead.format(day=one['checked'][:10])})" if one["reachable"] is False else ""
        note += _tell_retraction(one, words)
        before = ", ".join(filter(None, described))
        read = (
            f"{words.accessed} {one['accessed']}" if one["accessed"] else "",
            f"({words.excerpt})" if one["excerpt"] else "",
            _tell_copy(one, words),
        )
        after = ", ".join(filter(None, read))
        return ReferenceEntry(
            number=one["number"],
            before=head + before + (", " if before and (url or after) else ""),
            address=escape_address(url) if linked or url.startswith("file://") else url,
            after=(", " if url and after else "") + after + f"{note}.",
            linked=linked,
        )


def _tell_copy(one: Reference, words: Labels) -> str:
    """That a source was read as an open copy, of which page and in which version."""
    if "copy" not in one:
        return ""
    version = getattr(words, f"version_{one['copy']['version'] or 'unknown'}", "")
    address = quote(one["copy"]["of"], safe=_PLAIN_CHARACTERS)
    return f"({words.open_copy.format(address=address, version=version)})"


def _tell_retraction(one: Reference, words: Labels) -> str:
    """What was said of a source after it was published."""
    if "retraction" not in one:
        return ""
    said = one["retraction"]
    label = {"concern": words.concern, "notice": words.retraction_notice}
    parts = (said["day"], quote(said["notice"], safe=_PLAIN_CHARACTERS))
    return f" ({', '.join(filter(None, (label.get(said['kind'], words.retracted), *parts)))})"


def _describe_source(one: Reference) -> list[str]:
    """What describes a source before its address: author, title, site, date."""
    title = f"“{_collapse_spaces(one['title'])}”" if one["title"] else ""
    return [_collapse_spaces(one["author"]), title, _collapse_spaces(one["site"]), one["published"]]


def _make_label(one: Reference, language: str) -> str:
    """The name that a marker gives a source: its author's, its site's, its title, its number."""
    names, others = parse_authors(one["author"])
    families = [name for name in (_shorten(name.family) for name in names) if name]
    if len(families) > 2 or (families and others):
        et_al = _ET_AL.get(language)
        return f"{families[0]}{et_al}" if et_al else f"{families[0]} et al."
    if families:
        return " & ".join(families)
    if site := _shorten(one["site"]) or parse_host(one["url"]):
        return site
    title = _shorten(one["title"]) or _shorten(unquote(one["url"].rstrip("/").rpartition("/")[2]))
    return f"“{title}”" if title else f"№ {one['number']}"


def _make_years(
    references: Sequence[Reference], names: Mapping[int, str], language: str
) -> dict[int, str]:
    """The year of each reference, with a letter where a name has several sources of one year."""
    keys = {one["number"]: (_fold(names[one["number"]]), _find_year(one)) for one in references}
    many, seen = Counter(keys.values()), Counter[tuple[str, str]]()
    years = {}
    for number, key in keys.items():
        year = key[1] or _NO_DATE.get(language, _NO_DATE["en"])
        letter = ("" if key[1] else "-") + _make_letters(seen[key]) if many[key] > 1 else ""
        seen[key] += 1
        years[number] = year + letter
    return years


def _find_year(one: Reference) -> str:
    found = _YEAR.match(one["published"])
    return found[0] if found else ""


def _make_letters(index: int) -> str:
    """0, 1, ... as a, b, ... z, aa, ab, ..."""
    before, last = divmod(index, 26)
    return (_make_letters(before - 1) if before else "") + chr(ord("a") + last)


def _shorten(name: str) -> str:
    """A name fit for a marker: without brackets and semicolons, which are its own, and not long."""
    short = _collapse_spaces(_RESERVED_CHARACTERS.sub(" ", name))
    return short if len(short) <= _LONGEST_NAME else short[: _LONGEST_NAME - 1].rstrip() + "…"


def _collapse_spaces(text: str) -> str:
    return " ".join(text.split())


def _fold(text: str) -> str:
    """A name as it is sorted: without accents, case and punctuation at its edges."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(one for one in parts if not unicodedata.combining(one)).strip("“”\"'@ ")
