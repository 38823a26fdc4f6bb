"""Does a report make the points of a rubric, by words, and does it keep out of the traps?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from benchmarks.measures.citing import paragraphs
from benchmarks.measures.phrases import says_absence
from benchmarks.measures.reading import Paper, Section
from benchmarks.measures.rubric import Point, Question, Trap, flatten, matches_all
from citations.markers import find_markers, strip_markers
from text.sentences import split_sentences

WINDOW = 3
"""Sentences of prose that may share in making a point."""


@dataclass(frozen=True)
class Block:
    """A list, a table or `WINDOW` sentences, with the headings above, and the numbers cited."""

    text: str
    numbers: frozenset[int]


@dataclass(frozen=True)
class Answering:
    """What was found of a rubric, as the sentences `says`.

    Attributes:
        made: points that the report makes,
        missed: and does not make.
        well_cited: of those made, the points beside which a document is cited that holds them.
        gaps_named: gaps that the report names.
        false_absences: sentences of the report that deny what the sources say.
        fallen: traps that it fell into.
    """

    made: Sequence[str]
    missed: Sequence[str]
    well_cited: Sequence[str]
    gaps_named: Sequence[str]
    false_absences: Sequence[str]
    fallen: Sequence[str]


def find_answering(paper: Paper, question: Question) -> Answering:
    """Compare a report with a rubric, by words and figures alone."""
    blocks = list(chain.from_iterable(_blocks(one, paper.language) for one in paper.sections))
    sentences = list(_sentences(paper))
    named = {int(one["number"]): str(one["document"]) for one in paper.citations}
    held = {
        point.says: [one for one in blocks if matches_all(point.must, one.text)]
        for point in question.points
    }
    absences = [one for one in sentences if says_absence(one, paper.language)]
    gaps = {
        gap.says: [one for one in absences if matches_all(gap.topic, one)] for gap in question.gaps
    }
    true = set(chain.from_iterable(gaps.values()))
    return Answering(
        made=[says for says, found in held.items() if found],
        missed=[says for says, found in held.items() if not found],
        well_cited=[
            point.says for point in question.points if _is_cited(point, held[point.says], named)
        ],
        gaps_named=[says for says, found in gaps.items() if found],
        false_absences=[one for one in absences if one not in true and _denies(one, question)],
        fallen=[
            trap.says for trap in question.traps if any(falls_into(trap, one) for one in sentences)
        ],
    )


def falls_into(trap: Trap, sentence: str) -> bool:
    """Whether a sentence makes the statement of a trap, and not in order to put it right."""
    return matches_all(trap.never, sentence) and not any(
        one.search(sentence) for one in trap.unless
    )


def _blocks(section: Section, language: str) -> Iterator[Block]:
    """The blocks of a section; a heading, or a line with a colon, belongs to what follows it."""
    above = [section.title]
    for one in paragraphs(section.text):
        heads = one.lstrip().startswith("#") and "\n" not in one.strip()
        if heads or one.rstrip().endswith(":"):
            above.append(one)
            continue
        head = ". ".join(flatten(strip_markers(line)) for line in above)
        for part in _windows(one, language):
            text = f"{head}. {flatten(strip_markers(part))}"
            yield Block(text, frozenset(find_markers(part)))
        above = [section.title]


def _windows(paragraph: str, language: str) -> list[str]:
    """A list, table or code as it is; of prose the runs of `WINDOW` sentences."""
    found = split_sentences(paragraph, language)
    if len(found) <= WINDOW or any(one.kind != "prose" for one in found):
        return [paragraph]
    return [
        paragraph[first.start : last.end]
        for first, last in zip(found, found[WINDOW - 1 :], strict=False)
    ]


def _sentences(paper: Paper) -> Iterator[str]:
    for section in paper.sections:
        for one in split_sentences(section.text, paper.language):
            if one.kind != "heading":
                yield flatten(strip_markers(section.text[one.start : one.end]))


def _is_cited(point: Point, blocks: Sequence[Block], named: dict[int, str]) -> bool:
    cited = {named.get(number, "").rpartition("/")[2] for one in blocks for number in one.numbers}
    return not cited.isdisjoint(point.documents)


def _denies(sentence: str, question: Question) -> bool:
    """Whether a statement of absence is about a subject that the sources speak of."""
    return any(matches_all(point.topic, sentence) for point in question.points)
