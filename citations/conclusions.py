"""Conclusions that an editor adds: what the facts of several sections lead to together."""

from collections.abc import Sequence
from dataclasses import dataclass

from citations.additions import follow_repair, insert_addition
from citations.edits import Edit, find_editable_sentences
from citations.gap_phrases import speaks_of_absence
from citations.markers import find_markers, normalise_markers
from text.sentences import split_sentences

MOST_ADDED = 3
"""Conclusions that a report is given."""

MOST_SENTENCES, MOST_CHARACTERS = 2, 450
"""Of one conclusion, with its markers."""


@dataclass(frozen=True)
class Conclusion(Edit):
    """A sentence that is put behind another one, with the `sums` of its figures."""

    sums: Sequence[str] = ()


def add_conclusions(
    before: Sequence[str],
    texts: Sequence[str],
    edits: Sequence[Edit],
    wanted: Sequence[Conclusion],
    language: str,
) -> tuple[list[str], int]:
    """Put conclusions behind the sentences that they are to follow.

    One is left out where it neither cites what a section cites nor has sums, says that something is
    missing, or is no short prose. Whether it holds is for the check of citations to say.

    Args:
        before: the texts of sections, as the editor read them.
        texts: the same, edited.
        edits: of these.
        wanted: the conclusions, each with the sentence of `before` that it stands behind.
        language: of all.

    Returns:
        The texts, and how many conclusions were added.
    """
    known = {number for text in texts for number in find_markers(text)}
    made, count = list(texts), 0
    for one in wanted:
        if count == MOST_ADDED or not 0 <= one.section < len(texts):
            continue
        held = find_editable_sentences(before[one.section], language)
        said, _ = normalise_markers(" ".join(one.text.split()), known)
        if not 0 < one.sentence <= len(held) or not _is_conclusion(said, language):
            continue
        if not find_markers(said) and not one.sums:
            continue
        at = held[one.sentence - 1]
        sentence = before[one.section][at.start : at.end]
        wordings = [
            (sentence, edit.text)
            for edit in edits
            if (edit.section, edit.sentence) == (one.section, one.sentence)
            and sentence not in texts[one.section]
        ]
        after = follow_repair(sentence, wordings, language)
        made[one.section] = insert_addition(made[one.section], said, after, language)
        count += 1
    return made, count


def _is_conclusion(said: str, language: str) -> bool:
    parts = split_sentences(said, language)
    return (
        len(said) <= MOST_CHARACTERS
        and 0 < len(parts) <= MOST_SENTENCES
        and all(one.kind == "prose" for one in parts)
        and not speaks_of_absence(said, language)
    )
