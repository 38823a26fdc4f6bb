"""A report as the measures read it: ours from JSON, anyone's from Markdown."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from citations.markers import normalise_markers
from exports.labels import load_labels
from text.language import detect_language
from text.sentences import split_sentences

MARKS = range(1_000)
"""Numbers that a mark of Markdown may carry: [2019] is a year."""

_LANGUAGES = ("en", "de", "fr", "es", "zh")
_LISTS = {load_labels(language).references.casefold() for language in _LANGUAGES} | {
    "reference list", "sources", "source list", "bibliography", "works cited", "citations",
    "literatur", "quellenverzeichnis", "literaturverzeichnis", "bibliographie", "bibliografía",
    "fuentes", "参考资料", "资料来源", "来源", "引用", "引用来源",
}  # fmt: skip
_OWN = {
    name.casefold()
    for one in _LANGUAGES
    for name in (load_labels(one).further, load_labels(one).about)
}
_FENCE = re.compile(r"\s*(?:```|~~~)")
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*?)[\s#]*$")
_ALONE = re.compile(r"\s*(?:\*\*|__)?([^*_:：]{2,40})[:：]?(?:\*\*|__)?[:：]?\s*$")
_NUMBERING = re.compile(r"^(?:[\dIVX]+[.)、]\s*)+")
_ENTRY = re.compile(
    r"\s*(?:[-*+]\s+)?(?:\[\^?(\d{1,3})\][:.]?|【(\d{1,3})】|(\d{1,3})[.)](?=\s))\s*(?=\S)"
)
_ADDRESS = re.compile(r"<(\w[\w+.-]*:[^<>\s]+)>|((?:https?|file)://[^\s<>\"\]]+)")


@dataclass(frozen=True)
class Section:
    """A part of a report: its title, "" before the first heading, and its Markdown.

    A summary says again what the others say.
    """

    title: str
    text: str
    is_summary: bool = False


@dataclass(frozen=True)
class Listed:
    """An entry of the reference list; `url` is empty where it names none."""

    number: int
    url: str


@dataclass(frozen=True)
class Paper:
    """A report.

    Attributes:
        titles: what it may be known by: its title, its question.
        sections: in order, their marks in the form `[n]`.
        references: the reference list.
        citations: those of our JSON, as they are there; see `schema.report.Citation`.
        tokens: what it cost; None where it does not say, as with `seconds`.
    """

    titles: Sequence[str]
    language: str
    sections: Sequence[Section]
    references: Sequence[Listed]
    citations: Sequence[Mapping[str, Any]] = field(default_factory=list)
    tokens: int | None = None
    seconds: float | None = None

    @property
    def body(self) -> list[Section]:
        """The sections but for the summary, which repeats them on purpose."""
        return [section for section in self.sections if not section.is_summary]

    @property
    def headings(self) -> list[str]:
        """The titles of its sections, and the headings inside them."""
        found = []
        for section in self.sections:
            inside = split_sentences(section.text, self.language)
            found += [section.title] if section.title else []
            found += [section.text[s.start : s.end] for s in inside if s.kind == "heading"]
        return found


def from_json(report: Mapping[str, Any]) -> Paper:
    """A report of ours; see `schema.report.Report`."""
    audit = report["audit"]
    return Paper(
        titles=[report["title"], report["question"]],
        language=report["language"],
        sections=[
            Section(one["title"], one["text"], one.get("kind") == "summary")
            for one in report["sections"]
        ],
        references=[Listed(one["number"], one["url"]) for one in report["references"]],
        citations=report["citations"],
        tokens=audit["tokens"],
        seconds=audit["seconds"],
    )


def from_markdown(text: str) -> Paper:
    """A report of anyone's, with marks such as [n] and lists of references under headings.

    What stands under a reference list belongs to it up to the next heading. A footnote,
    `[^1]: ...`, is an entry wherever it stands. Further questions and the account of the run, as we
    write them, are no part of the text.
    """
    text = re.sub(r"\\([\[\]])", r"\1", text)
    language = detect_language(re.sub(r"[#*\[\]|]", " ", text))
    title, sections, entries = "", list[tuple[str, list[str]]]([("", [])]), list[str]()
    listing = skipping = False
    level = _level(text)
    for line, heading in _lines(text):
        name = heading[1] if heading else ""
        if (heading and _named(name) in _LISTS) or (not heading and _opens_list(line)):
            listing, skipping = True, False
        elif heading:
            listing, skipping = False, _named(name) in _OWN
            if heading[0] == 1 and not title:
                title = name
            elif not skipping and heading[0] <= level:
                sections.append((name, []))
            elif not skipping:
                sections[-1][1].append(line)
        elif listing or re.match(r"\s*\[\^\d+\]:", line):
            if _ENTRY.match(line):
                entries.append(line)
            elif listing and entries:
                entries[-1] += f" {line.strip()}"
        elif not skipping:
            sections[-1][1].append(line)
    parts = [
        Section(name, normalise_markers("\n".join(lines), MARKS)[0]) for name, lines in sections
    ]
    return Paper(
        titles=[title],
        language=language,
        sections=[one for one in parts if one.title or one.text],
        references=_listed(entries),
    )


def _lines(text: str) -> list[tuple[str, tuple[int, str] | None]]:
    """The lines, each with its level and words where it is a heading."""
    found: list[tuple[str, tuple[int, str] | None]] = []
    fenced = False
    for line in text.splitlines():
        fenced ^= bool(_FENCE.match(line))
        match = None if fenced else _HEADING.match(line)
        found.append((line, (len(match[1]), match[2].strip("*_ ")) if match else None))
    return found


def _level(text: str) -> int:
    """The level of headings that make sections: the highest below the title."""
    levels = [heading[0] for _, heading in _lines(text) if heading]
    rest = levels[1:] if levels[:1] == [1] else levels
    return min(rest, default=1)


def _named(heading: str) -> str:
    return _NUMBERING.sub("", heading).strip("*_:： ").casefold()


def _opens_list(line: str) -> bool:
    """Whether a line that is no heading names a reference list, as in **Sources:**."""
    match = _ALONE.match(line)
    marked = match and ("**" in line or "__" in line or line.rstrip().endswith((":", "：")))
    return bool(match and marked and _named(match[1]) in _LISTS)


def _listed(entries: Sequence[str]) -> list[Listed]:
    """The entries by number; of two with one number the first counts."""
    found: dict[int, Listed] = {}
    for entry in entries:
        opening = _ENTRY.match(entry)
        if opening:
            number = int(opening[1] or opening[2] or opening[3])
            found.setdefault(number, Listed(number, _address(entry[opening.end() :])))
    return list(found.values())


def _address(entry: str) -> str:
    """The first address of an entry, without what closes the sentence or the link around it."""
    match = _ADDRESS.search(entry)
    if match is None:
        return ""
    url = match[1] or match[2].rstrip(".,;:!?*")
    while url.endswith(")") and url.count(")") > url.count("("):
        url = url[:-1].rstrip(".,;:")
    return url
