"""Citation markers of a section's Markdown, tied to their citations before it is parsed."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from citations.markers import MARKER
from exports.tree.tokens import PLACEHOLDER, Doubt, make_token
from schema.report import Citation, VerdictKind


@dataclass(frozen=True)
class CitationMarker:
    """A marker: the reference it names, and the citations of its sentence to that one.

    `position` counts the markers of a report, from 0.
    """

    position: int
    number: int
    citations: Sequence[Citation]


@dataclass(frozen=True)
class _Sentence:
    """A sentence that cites, at `text[start:end]`, with its citations by number."""

    start: int
    end: int
    citations: Mapping[int, Sequence[Citation]]

    @property
    def doubt(self) -> Doubt | None:
        """What its sources leave of it: one contradicts it, or none has it."""
        kinds: set[VerdictKind] = {
            one["verdict"] for found in self.citations.values() for one in found
        }
        if "contradicted" in kinds:
            return "contradicted"
        return "absent" if kinds == {"absent"} else None


def insert_tokens(
    text: str, citations: Sequence[Citation], numbers: Collection[int], first: int
) -> tuple[str, list[CitationMarker]]:
    """Put tokens behind markers, and around sentences that are not supported.

    Args:
        text: Markdown of a section, or of a sentence of it.
        citations: of that section.
        numbers: of the references; other markers stay text.
        first: position of its first marker.
    """
    text = text.replace(PLACEHOLDER, "")
    sentences = list(_find_sentences(text, citations))
    markers: list[CitationMarker] = []
    tokens: list[tuple[int, int, object]] = []  # (where, order of those at one place, content)
    within: set[int] = set()
    for found in MARKER.finditer(text):
        number = int(found[1])
        if number in numbers:
            position = first + len(markers)
            cited = _find_citations(sentences, found.start(), number)
            markers.append(CitationMarker(position, number, cited))
            tokens.append((found.end(), 0, position))
            within.update(range(found.start() + 1, found.end()))
    for sentence in sentences:
        if sentence.doubt:
            start, end = _fit_inside_markup(text, sentence)
            tokens += [(start, 2, sentence.doubt), (end, 1, "end")]
    pieces, end = [], 0
    for at, _, content in sorted(tokens, key=lambda one: one[:2]):
        if at not in within:
            pieces += [text[end:at], make_token(content)]
            end = at
    return "".join([*pieces, text[end:]]), markers


def _find_sentences(text: str, citations: Sequence[Citation]) -> Iterator[_Sentence]:
    """Every place of every sentence that cites; one of them may stand within another."""
    by_sentence: dict[str, dict[int, list[Citation]]] = {}
    for one in citations:
        by_sentence.setdefault(one["sentence"], {}).setdefault(one["number"], []).append(one)
    for sentence, cited in by_sentence.items():
        start = text.find(sentence) if sentence else -1
        while start >= 0:
            yield _Sentence(start, start + len(sentence), cited)
            start = text.find(sentence, start + len(sentence))


def _find_citations(sentences: Sequence[_Sentence], at: int, number: int) -> Sequence[Citation]:
    """The citations of the longest sentence around a marker that cites its number."""
    around = [one for one in sentences if one.start <= at < one.end and number in one.citations]
    longest = max(around, key=lambda one: one.end - one.start, default=None)
    return longest.citations[number] if longest else ()


def _fit_inside_markup(text: str, sentence: _Sentence) -> tuple[int, int]:
    """The ends of a sentence where a token breaks neither a row of a table nor an image."""
    start, end = sentence.start, sentence.end
    if text[start] == "|" and text[end - 1] == "|" and end - start > 2:
        return start + 1, end - 1
    return (start - 1 if text[max(0, start - 1) : start + 1] == "![" else start), end
