"""Citation styles: how a mark and an entry of the reference list read.

`ieee` numbers sources in order of appearance, `[3]`. `author-date` names them, `(Holm 2024a)`, and
sorts the list by name. Everything here is plain text; who writes it into a format escapes it.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Literal, NamedTuple
from urllib.parse import unquote

from exports.addresses import host, is_web, written
from exports.labels import labels
from exports.names import authors
from schema.report import Reference

Style = Literal["ieee", "author-date"]

# Code and marks as `retrieval.citations` reads them, for it numbered the marks.
_FENCE = r"[^\S\n]*(?:```|~~~)[^\n]*"
_MARKS = re.compile(
    rf"(?P<code>^{_FENCE}(?:\n(?!{_FENCE})[^\n]*)*(?:\n{_FENCE})?|`[^`\n]+`)|(?:\[\d{{1,9}}\])+",
    re.MULTILINE,
)
_YEAR = re.compile(r"\d{4}(?!\d)")
_NO_DATE = {"de": "o. J.", "en": "n.d.", "es": "s. f.", "fr": "s. d.", "zh": "无日期"}
_ET_AL = {"zh": "等"}
_OWN = re.compile(r"[\[\](){}<>;]")
_LONGEST_NAME = 60


class Entry(NamedTuple):
    """An entry of the reference list: its text is `before`, `address` and `after` in a row.

    `linked` says whether the address is one that a reader may follow.
    """

    number: int
    before: str
    address: str
    after: str
    linked: bool


class Piece(NamedTuple):
    """A part of a mark; `number` is that of the reference it points to, None for what joins."""

    text: str
    number: int | None


class CitationStyle:
    """A style, bound to the references of one report."""

    def __init__(self, references: Sequence[Reference], style: Style, language: str) -> None:
        self._style = style
        self._references = references
        self._language = language
        self._names = {one["number"]: _label(one, language) for one in references}
        self._years = _years(references, self._names, language)

    def pieces(self, numbers: Sequence[int]) -> list[Piece]:
        """Marks that stand side by side, in pieces: `[1][2]`, or `(Holm 2024; Li 2023)`."""
        if self._style == "ieee":
            return [Piece(f"[{number}]", number) for number in numbers]
        found = [Piece("(", None)]
        for number in numbers:
            label = f"{self._names[number]} {self._years[number]}"
            found += [Piece(label, number), Piece("; ", None)]
        return [*found[:-1], Piece(")", None)]

    def rewritten(self, text: str, written: Callable[[list[Piece]], str]) -> str:
        """A text with its marks in this style. Code is left alone, as are unknown numbers.

        Args:
            text: Markdown whose marks are numbers of the references.
            written: what to put in the place of marks that stand side by side.
        """

        def replaced(match: re.Match[str]) -> str:
            if match["code"]:
                return match[0]
            digits = re.findall(r"\d+", match[0])
            runs = groupby(digits, lambda number: int(number) in self._names)
            return "".join(
                written(self.pieces([int(number) for number in run]))
                if known
                else "".join(f"[{number}]" for number in run)
                for known, run in runs
            )

        return _MARKS.sub(replaced, text)

    def entries(self) -> list[Entry]:
        """The reference list, in the style's order."""
        if self._style == "ieee":
            return [self._entry(one, f"[{one['number']}] ", _all(one)) for one in self._references]
        ordered = sorted(
            self._references,
            key=lambda one: (_folded(self._names[one["number"]]), self._years[one["number"]]),
        )
        return [self._by_name(one) for one in ordered]

    def _by_name(self, one: Reference) -> Entry:
        names, others = authors(one["author"])
        written = "; ".join(", ".join(filter(None, name)) for name in names)
        if others and written:
            written += f" {_ET_AL.get(self._language, 'et al.')}"
        name = written or self._names[one["number"]]
        said = [part for part in _all(one)[1:] if part not in (name, _year(one))]
        return self._entry(one, f"{name} ({self._years[one['number']]}). ", said)

    def _entry(self, one: Reference, head: str, described: Sequence[str]) -> Entry:
        words, url = labels(self._language), _plain(one["url"])
        linked = is_web(url)
        dead = words.no_host if one.get("link") == "no host" else words.gone
        note = f" ({dead.format(day=one['checked'][:10])})" if one["reachable"] is False else ""
        before = ", ".join(filter(None, described))
        read = (
            f"{words.accessed} {one['accessed']}" if one["accessed"] else "",
            f"({words.excerpt})" if one["excerpt"] else "",
        )
        after = ", ".join(filter(None, read))
        return Entry(
            number=one["number"],
            before=head + before + (", " if before and (url or after) else ""),
            address=written(url) if linked or url.startswith("file://") else url,
            after=(", " if url and after else "") + after + f"{note}.",
            linked=linked,
        )


def _all(one: Reference) -> list[str]:
    """What describes a source before its address: author, title, site, date."""
    title = f"“{_plain(one['title'])}”" if one["title"] else ""
    return [_plain(one["author"]), title, _plain(one["site"]), one["published"]]


def _label(one: Reference, language: str) -> str:
    """The name that a mark gives a source: its author's, its site's, its title, its number."""
    names, others = authors(one["author"])
    families = [name for name in (_short(name.family) for name in names) if name]
    if len(families) > 2 or (families and others):
        et_al = _ET_AL.get(language)
        return f"{families[0]}{et_al}" if et_al else f"{families[0]} et al."
    if families:
        return " & ".join(families)
    if site := _short(one["site"]) or host(one["url"]):
        return site
    title = _short(one["title"]) or _short(unquote(one["url"].rstrip("/").rpartition("/")[2]))
    return f"“{title}”" if title else f"№ {one['number']}"


def _years(
    references: Sequence[Reference], names: Mapping[int, str], language: str
) -> dict[int, str]:
    """The year of each reference, with a letter where a name has several sources of one year."""
    keys = {one["number"]: (_folded(names[one["number"]]), _year(one)) for one in references}
    many, seen = Counter(keys.values()), Counter[tuple[str, str]]()
    years = {}
    for number, key in keys.items():
        year = key[1] or _NO_DATE.get(language, _NO_DATE["en"])
        letter = ("" if key[1] else "-") + _letters(seen[key]) if many[key] > 1 else ""
        seen[key] += 1
        years[number] = year + letter
    return years


def _year(one: Reference) -> str:
    found = _YEAR.match(one["published"])
    return found[0] if found else ""


def _letters(index: int) -> str:
    """0, 1, ... as a, b, ... z, aa, ab, ..."""
    before, last = divmod(index, 26)
    return (_letters(before - 1) if before else "") + chr(ord("a") + last)


def _short(name: str) -> str:
    """A name fit for a mark: no bracket or semicolon, which are the mark's own, and not long."""
    short = _plain(_OWN.sub(" ", name))
    return short if len(short) <= _LONGEST_NAME else short[: _LONGEST_NAME - 1].rstrip() + "…"


def _plain(text: str) -> str:
    return " ".join(text.split())


def _folded(text: str) -> str:
    """A name as it is sorted: without accents, case and signs at its edges."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in bare if not unicodedata.combining(sign)).strip("“”\"'@ ")
