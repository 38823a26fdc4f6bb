"""What each sentence of a checked text does: a fact, a conclusion, a gap, or a lead-in.

`sentence_kinds` classifies one sentence; here it is told what stands around it.
"""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from citations.checked_sentence import CheckedSentence, count_rows
from citations.conclusion_forms import gives_view, infers
from citations.evidence_span import SourcePassages
from citations.grounds import NO_GROUNDS, Grounds
from citations.markers import find_markers
from citations.section_context import CitingSentence, SectionContext
from citations.sentence_kinds import Position, classify_sentence, is_header_row, may_stand
from citations.verdict import OTHERWISE
from schema.report import UNSUPPORTED_FLAG


def assign_kinds(
    text: str,
    found: Sequence[CheckedSentence],
    sources: Mapping[int, SourcePassages],
    language: str,
    subject: str = "",
    grounds: Grounds = NO_GROUNDS,
) -> list[CheckedSentence]:
    """Say anew what each sentence of a text does: nothing follows from one that is contradicted."""
    citing = [
        CitingSentence(
            place,
            one.text,
            tuple(one.verdicts),
            " ".join(verdict.span.quote for verdict in one.verdicts.values() if verdict.span),
        )
        for place, one in enumerate(found)
        if one.verdicts and not one.is_contradicted
    ]
    context = SectionContext(citing, sources, language, subject)
    apart = {
        place: SectionContext([c for c in citing if c.place != place], sources, language, subject)
        for place, one in enumerate(found)
        if _may_follow(one, language)
    }
    positions = _find_positions(text, found, {one.place for one in citing})
    return [
        _assign_kind(
            text,
            place,
            one,
            apart.get(place, context),
            positions=positions[place],
            counted=count_rows(text, found[place + 1 :]) if one.sentence.kind == "prose" else 0,
            grounds=grounds if grounds.back(one.text, language) else None,
        )
        for place, one in enumerate(found)
    ]


def _may_follow(one: CheckedSentence, language: str) -> bool:
    """Whether a citation without support may stand behind a conclusion."""
    if not one.verdicts or one.is_supported or one.lacking_numbers or one.is_contradicted:
        return False
    if UNSUPPORTED_FLAG in one.text:
        return False
    opposed = any(code in OTHERWISE for v in one.verdicts.values() for code, _ in v.reasons)
    return not opposed and (infers(one.claim, language) or gives_view(one.claim, language))


def _find_positions(
    text: str, found: Sequence[CheckedSentence], citing: Set[int]
) -> list[set[Position]]:
    """Which sentences stand behind some of `citing` in one block, or first, ahead of them.

    The paragraph below a table or a list belongs to it, and so does the one above.
    """
    positions: list[set[Position]] = []
    for place, one in enumerate(found):
        before = found[place - 1] if place else None
        parted = before is None or _are_parted(text, before, one)
        follows = place - 1 in citing or (place > 0 and "behind" in positions[place - 1])
        here: set[Position] = set()
        if before and follows and (not parted or before.sentence.kind in ("table", "item")):
            here.add("behind")
        if parted and _leads_to_cited(text, found[place:], {n - place for n in citing}):
            here.add("ahead")
        positions.append(here)
    return positions


def _leads_to_cited(text: str, found: Sequence[CheckedSentence], citing: Set[int]) -> bool:
    """Whether the block that the first sentence opens, or the table or list behind it, cites."""
    for place, (before, one) in enumerate(pairwise(found), start=1):
        if one.sentence.kind == "prose" and _are_parted(text, before, one):
            return False
        if place in citing:
            return True
    return False


def _are_parted(text: str, one: CheckedSentence, other: CheckedSentence) -> bool:
    return "\n\n" in text[one.sentence.end : other.sentence.start]


def _assign_kind(
    text: str,
    place: int,
    one: CheckedSentence,
    context: SectionContext,
    *,
    positions: Collection[Position],
    counted: int,
    grounds: Grounds | None,
) -> CheckedSentence:
    if one.verdicts and _may_follow(one, context.language):
        said = classify_sentence(context, place, one.claim, one.sentence, positions=positions)
        return replace(one, kind=said.kind if said.kind == "synthesis" else "fact")
    if one.verdicts or UNSUPPORTED_FLAG in one.text or find_markers(one.text):
        return replace(one, kind="fact", near=())
    header = is_header_row(text, one.sentence)
    said = classify_sentence(
        context,
        place,
        one.text,
        one.sentence,
        positions=positions,
        is_header=header,
        counted=counted,
    )
    follows = said.kind == "fact" and grounds and may_stand(context, one.text, grounds.sums)
    return replace(one, kind="synthesis" if follows else said.kind, near=said.numbers)
