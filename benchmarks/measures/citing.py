"""Do the citations of a report hold together, and how much of it do they cover?"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from benchmarks.measures.reading import Paper, Section
from citations.markers import find_cited_sentences, find_markers, strip_markers
from retrieval.web.canonical_url import normalise_url
from text.tokens import tokenise

LEAST_TERMS = 4
"""Words of the shortest sentence that states something."""

_HEAD = re.compile(r"^([^\S\n]*\|.*)\n(?=[^\S\n]*\|[\s|:-]*-[\s|:-]*$)", re.MULTILINE)
_EMPTY = re.compile(r"\n[^\S\n]*\n")


@dataclass(frozen=True)
class Integrity:
    """What was checked of a report's citations.

    Attributes:
        checks: marks, references, addresses and quotes: each is one.
        dangling: marks without a reference.
        unused: references that nothing cites.
        bad_urls: addresses that are none, or the same page as an earlier one's.
        misquoted: quotes that are not what stands at their place.
    """

    checks: int
    dangling: int
    unused: int
    bad_urls: int
    misquoted: int

    @property
    def share(self) -> float:
        """Share of the checks that hold; 0 for a report that cites nothing."""
        failed = self.dangling + self.unused + self.bad_urls + self.misquoted
        return (self.checks - failed) / self.checks if self.checks else 0.0


@dataclass(frozen=True)
class Coverage:
    """How much is cited.

    Attributes:
        sentences: share of the sentences that state something and cite a source.
        paragraphs: share of the paragraphs with such a sentence that cite a source.
        per_1000: citations per 1,000 characters without marks.
        domains: sites that the reference list leads to.
        top_domain: share of the citations that lead to the most cited site.
    """

    sentences: float
    paragraphs: float
    per_1000: float
    domains: int
    top_domain: float


def integrity(paper: Paper, stored: Mapping[str, str] | None = None) -> Integrity:
    """Check every mark, reference, address and quote.

    Args:
        paper: the report.
        stored: text by uri of the documents that it cites; without it a quote only has to be as
            long as its span, and its sentence to stand in its section.
    """
    used = [number for section in paper.sections for number in find_markers(section.text)]
    listed = {one.number for one in paper.references}
    addresses = [one.url for one in paper.references if one.url]
    pages = Counter(normalise_url(url) for url in addresses)
    return Integrity(
        checks=len(used) + len(listed) + len(addresses) + len(paper.citations),
        dangling=sum(number not in listed for number in used),
        unused=len(listed - set(used)),
        bad_urls=sum(not _well_formed(url) for url in addresses)
        + sum(times - 1 for page, times in pages.items() if _well_formed(page)),
        misquoted=sum(not _quoted(one, paper.sections, stored) for one in paper.citations),
    )


def coverage(paper: Paper) -> Coverage:
    """Reckon how much is cited."""
    stating = [bool(found) for one in paper.sections for found in statements(one, paper.language)]
    blocks = [
        any(map(bool, found))
        for one in paper.sections
        for block in paragraphs(one.text)
        if (found := statements(Section("", block), paper.language))
    ]
    used = [number for section in paper.sections for number in find_markers(section.text)]
    length = sum(len(strip_markers(section.text)) for section in paper.sections)
    sites = {one.number: _site(one.url) for one in paper.references if one.url}
    cited = Counter(sites[number] for number in used if number in sites)
    return Coverage(
        sentences=share(stating),
        paragraphs=share(blocks),
        per_1000=1000 * len(used) / max(1, length),
        domains=len(set(sites.values())),
        top_domain=max(cited.values(), default=0) / max(1, cited.total()),
    )


def statements(section: Section, language: str) -> list[list[int]]:
    """The numbers that each sentence cites which states something.

    A question, what ends in a colon, and what is shorter than `LEAST_TERMS` words states nothing,
    unless it cites; nor does the first row of a table.
    """
    found = []
    heads = {row.strip() for row in _HEAD.findall(section.text)}
    for sentence, numbers in find_cited_sentences(section.text, language):
        said = strip_markers(section.text[sentence.start : sentence.end])
        if numbers or not (
            said.endswith(("?", "？", "؟", ":", "："))
            or len(tokenise(said)) < LEAST_TERMS
            or section.text[sentence.start : sentence.end] in heads
        ):
            found.append(numbers)
    return found


def paragraphs(text: str) -> list[str]:
    """The runs of lines between empty ones."""
    return [block for block in _EMPTY.split(text) if block.strip()]


def verdicts(paper: Paper) -> dict[str, float] | None:
    """Share of the citations by verdict; None where the report does not say."""
    kinds = Counter(one["verdict"] for one in paper.citations)
    return {kind: n / kinds.total() for kind, n in kinds.items()} if kinds else None


def share(truths: Sequence[bool]) -> float:
    """Share that is true; 0 of nothing."""
    return sum(truths) / max(1, len(truths))


def _well_formed(url: str) -> bool:
    """Whether an address leads somewhere: to a host, or to a local file."""
    try:
        parts = urlsplit(url)
        port_is_a_number = parts.port is None or parts.port > 0
    except ValueError:
        return False
    if any(character.isspace() for character in url) or not port_is_a_number:
        return False
    if parts.scheme in ("http", "https"):
        return bool(parts.hostname)
    return bool(parts.scheme and (parts.netloc or parts.path))


def _site(url: str) -> str:
    """The site of an address: its host; the scheme of one that has none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return (parts.hostname or parts.scheme or url).removeprefix("www.")


def _quoted(
    one: Mapping[str, Any], sections: Sequence[Section], stored: Mapping[str, str] | None
) -> bool:
    """Whether a citation's sentence stands in its section and its quote where it says."""
    quote, place, start, end = one["quote"], one["section"], one["start"], one["end"]
    if not quote or not 0 <= place < len(sections):
        return False
    if one["sentence"] not in sections[place].text or end - start != len(quote):
        return False
    if stored is None:
        return True
    text = stored.get(one["document"], "")
    around = f"{one['before']}{quote}{one['after']}"
    return text[start:end] == quote and around in text
