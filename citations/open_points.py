"""What a writer leaves open: named below its text, so that it can be looked for before it stands.

A writer sees passages, not pages. What it says is missing is most often on a part of a page that it
was not shown, and in the middle of a paragraph or a table nothing can take its place. What is not
found is said once, where the report says how sure it is; without a summary, where its section ends.
"""

import re
from collections.abc import Iterable

from citations.antonyms import load_antonyms
from citations.content_terms import count_common_terms, find_content_terms, has_kin
from citations.gap_answers import find_last_day, find_terms
from citations.gap_phrases import find_missing_subject
from citations.markers import strip_markers
from schema.report import OpenPoint
from text.fenced_blocks import split_blocks

MAX_OPEN = 3
"""Points that are kept of a section."""

MIN_SHARED, MIN_SHARE, MIN_SHARE_OF_LONGER = 3, 0.75, 0.5
"""Words of content that two gaps which say the same have in common at least: how many, and which
share of those of the shorter and of the longer one."""

MIN_ASKED_SHARE = 0.5
"""Of the words of content of a gap, that a question which asks for it has."""

MIN_TOLD, MIN_TOLD_SHARE = 2, 0.25
"""Words of a gap that a text has which says in its own words that it is open, and their share."""

_MAX_CHARACTERS = 300

_NAME = re.compile(r"\b(?:\w*[\d_]\w*|(?<!^)[A-Z]\w*)")
"""What tells two gaps apart that are alike in all else: a figure, the name of a thing or code."""

_STOPS = (".", "!", "?", "。", "！", "？", "…")


def split_open_points(text: str) -> tuple[str, list[OpenPoint]]:
    """A section's text without the fenced blocks of what it leaves open, and their lines.

    A line is a sentence, and behind a bar where it may be answered.
    """
    points: dict[str, str] = {}
    text, lines = split_blocks(text, "open")
    for line in lines:
        said, _, pointer = line.partition("|")
        sentence = " ".join(strip_markers(said).split())[:_MAX_CHARACTERS]
        if sentence:
            whole = sentence if sentence.endswith(_STOPS) else f"{sentence}."
            points.setdefault(whole, " ".join(pointer.split())[:_MAX_CHARACTERS])
    kept = [OpenPoint(sentence=said, pointer=points[said]) for said in list(points)[:MAX_OPEN]]
    return text, kept


def append_open_points(text: str, points: Iterable[OpenPoint]) -> str:
    """A text with a last paragraph of what stays open."""
    said = " ".join(point["sentence"] for point in points)
    return f"{text}\n\n{said}" if said else text


def list_untold(points: Iterable[OpenPoint], text: str, language: str) -> list[OpenPoint]:
    """The points of which a text does not speak, by their words.

    It may leave out their figures; where it has them all, one of their words is enough.
    """
    told = find_terms(text, language)
    left = []
    for one in points:
        terms = find_terms(_name_subject(one["sentence"], language), language)
        words = [term for term in terms if not any(map(str.isdigit, term))]
        known = sum(has_kin(term, told) for term in words)
        figures = set(terms).difference(words)
        fewest = max(min(MIN_TOLD, len(words)), MIN_TOLD_SHARE * len(words))
        if known < (1 if figures and figures <= told else fewest):
            left.append(one)
    return left


def _name_subject(gap: str, language: str) -> str:
    """What a gap says is missing."""
    return find_missing_subject(gap, language) or gap


def is_asked_for(gap: str, questions: Iterable[str], language: str) -> bool:
    """Whether one of the questions asks for what a sentence says is missing, by its words.

    What nobody asked for and nobody found may well stand in the rest of the sources: a reader does
    without the word that it does not.
    """
    subject = _name_subject(gap, language)
    words = len(find_content_terms(subject, language))
    common = max((count_common_terms(subject, one, language) for one in questions), default=0)
    return common >= MIN_ASKED_SHARE * words


def is_later(gap: str, published: Iterable[str], language: str) -> bool:
    """Whether a gap names a day behind all that is known of the sources' dates: none can tell it.

    Args:
        gap: a sentence that says what is open.
        published: the dates of the sources that were read, "" where none is known.
        language: of the sentence.
    """
    last = max(published, default="")
    return "" < last < find_last_day(gap, language)


def repeats_gap(one: str, other: str, language: str) -> bool:
    """Whether two gaps ask for the same in much the same words, with the same names and figures."""
    said = [_name_subject(text, language) for text in (one, other)]
    if len({frozenset(map(str.casefold, _NAME.findall(text))) for text in said}) > 1:
        return False
    shorter, longer = sorted((find_terms(text, language) for text in said), key=len)
    common = {term for term in shorter if has_kin(term, longer)}
    if len(common) < MIN_SHARED or len(common) < MIN_SHARE_OF_LONGER * len(longer):
        return False
    return len(common) >= MIN_SHARE * len(shorter) and not _are_opposed(
        shorter - longer, longer - shorter, language
    )


def _are_opposed(some: Iterable[str], others: Iterable[str], language: str) -> bool:
    sides = load_antonyms(language)
    theirs = [sides[term] for term in others if term in sides]
    return any(
        other.get(pair, side) != side
        for term in some
        for pair, side in sides.get(term, {}).items()
        for other in theirs
    )


def merge_open_points(
    points: Iterable[OpenPoint], said: Iterable[str], language: str
) -> list[OpenPoint]:
    """The points without those that repeat another one, or a gap that the text itself says."""
    before = list(said)
    kept: list[OpenPoint] = []
    for point in points:
        same = [one for one in kept if repeats_gap(one["sentence"], point["sentence"], language)]
        if same:
            same[0]["pointer"] = same[0]["pointer"] or point["pointer"]
        elif not any(repeats_gap(one, point["sentence"], language) for one in before):
            kept.append(OpenPoint(**point))
    return kept
