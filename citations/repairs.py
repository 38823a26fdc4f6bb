"""What a writer sends back for sentences that failed: what of it is taken, what does not hold."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from citations.additions import find_block
from citations.check import check_sentences
from citations.checked_sentence import CheckedSentence
from citations.edits import replace_sentences
from citations.evidence_span import SourcePassages
from citations.gap_phrases import find_other_clauses, speaks_of_absence
from citations.grounds import Grounds
from citations.markers import find_markers
from citations.statements import Statement
from schema.editing import Replacement
from text.sentences import Sentence, split_sentences

_CELL_END = re.compile(r"(?<!\\)\|")


def is_acceptable(
    draft: str,
    sentence: Sentence,
    wording: str,
    sources: Mapping[int, SourcePassages],
    language: str,
    subject: str,
    sums: Sequence[str] = (),
) -> bool:
    """Whether a wording may stand in the place of a sentence before its citations are checked.

    One that cites may; another one where it brings no fact: it follows from the sentences around
    it, as its writer says by citing nothing, says what the sources do not say, or leads over.
    """
    if find_markers(wording):
        return True
    after = replace_sentences(draft, [(sentence, wording)])
    given = Grounds(given=frozenset(list_grounded(wording, sums, language)), sums=tuple(sums))
    found = check_sentences(after, sources, language, subject, given)
    return not any(one.fails for one in found if not one.verdicts and one.text in wording)


def list_grounded(wording: str, sums: Sequence[str], language: str) -> list[str]:
    """The sentences of a repair that its writer gives grounds for.

    Those that cite nothing follow from others, it says by that; of the others figures are worked
    out, where it gives the sums.
    """
    said = [wording[at.start : at.end] for at in split_sentences(wording, language)]
    return [one for one in said if sums or not find_markers(one)]


def may_replace(before: str, wording: str, sentence: Sentence) -> bool:
    """Whether a wording has the form of what it replaces: a row of a table keeps its cells."""
    if sentence.kind != "table":
        return True
    return len(_CELL_END.findall(wording)) == len(_CELL_END.findall(before))


def denies_answer(wording: str, language: str) -> bool:
    """Whether a wording says no more than that the sources lack something."""
    return speaks_of_absence(wording, language) and not find_other_clauses(wording, language)


def undo_failed(
    text: str,
    replacements: Sequence[Replacement],
    found: Sequence[CheckedSentence],
    repeated: Sequence[bool],
) -> tuple[str, list[Replacement]]:
    """A repaired text with what it had before where a citation that was added does not hold.

    Args:
        text: of the section, repaired.
        replacements: what was done to it.
        found: its sentences as they were checked.
        repeated: which of the replacements add what the report says elsewhere; they go, and what
            they were added for is told.

    Returns:
        The text, and the replacements that hold.
    """
    changes: list[tuple[Sentence, str]] = []
    held: list[Replacement] = []
    blocks: list[str] = []
    for one, repeats in zip(replacements, repeated, strict=True):
        made = [sentence for sentence in found if sentence.text in one["after"]]
        if repeats:
            held.append(one)
            changes += [(sentence.sentence, "") for sentence in made]
        elif all(_holds(sentence, one) for sentence in made):
            held.append(one)
        else:
            wordings = [one["before"], *[""] * (len(made) - 1)]
            changes += [(s.sentence, w) for s, w in zip(made, wordings, strict=True)]
            blocks += find_block(one["after"])
    text = replace_sentences(text, changes)
    for block in blocks:
        text = text.replace(f"\n\n{block}", "", 1).removeprefix(block)
    return text.strip(), held


def tell_repeated(
    replacements: Sequence[Sequence[Replacement]],
    found: Sequence[Sequence[CheckedSentence]],
    language: str,
) -> list[list[bool]]:
    """Which of the sentences that repairs added a cited one states already, or one added before.

    Rows of tables stay, and what leads to code: they say more than their words do elsewhere.

    Args:
        replacements: of each section of a report.
        found: the sentences of each as they were checked.
        language: of the report.
    """
    added = [one["after"] for one in chain.from_iterable(replacements) if not one["before"]]
    if not added:
        return [[False] * len(own) for own in replacements]
    told = [one for one in chain.from_iterable(found) if one.verdicts and not one.fails]
    said = Counter(one.text for one in told)
    holding = set(said)
    said -= Counter(text for text in holding for other in added if text in other)
    known = [Statement.read(text, language) for text in said]

    def repeats(one: Replacement) -> bool:
        new = Statement.read(one["after"], language)
        stays = one["before"] or one["after"].startswith("|") or find_block(one["after"])
        repeated = not stays and any(other.covers(new) for other in known)
        if any(text in one["after"] for text in holding):  # what is undone tells nothing
            known.append(new)
        return repeated

    return [[repeats(one) for one in own] for own in replacements]


def _holds(sentence: CheckedSentence, made: Replacement) -> bool:
    new = sentence.verdicts.keys() - set(find_markers(made["before"]))
    if any(sentence.verdicts[number].kind not in ("supported", "partial") for number in new):
        return False
    return not (made["point"] and sentence.fails)
