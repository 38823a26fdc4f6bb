"""Which sentences of a text stand, by what was found of each of their citations."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from retrieval.citations import cited_sentences, marks, normalise, without_marks
from retrieval.facts import Facts
from retrieval.revision import replaced
from retrieval.sentences import Sentence
from retrieval.support import Support
from retrieval.verdicts import Kind, Verdict, verdict

SAME_SUBJECT = 0.75
"""Share of a sentence that what another source says must hold to be shown as speaking against it:
less, and it most often speaks of something else."""

FIGURES = ("number", "date", "unit")
"""Reasons that a number of the sentence is not in its source."""

_MARK = re.compile(r"\[\d+\]")

UNPROVEN = "⚠"
"""Stands after a sentence that its sources do not bear out."""


SURE = 0.75
"""Confidence from which on a model need not be asked about a citation that words support."""


def claim_of(sentence: str) -> str:
    """What a sentence says, without its marks and the sign that it is not borne out."""
    return without_marks(sentence).replace(UNPROVEN, "").strip()


@dataclass(frozen=True)
class Proven:
    """A sentence that states something: `text[start:end]`, with a verdict by number it cites."""

    sentence: Sentence
    text: str
    verdicts: Mapping[int, Verdict]

    @property
    def claim(self) -> str:
        """What it says, without its marks."""
        return claim_of(self.text)

    @property
    def stands(self) -> bool:
        """Whether a source bears it out, and each of its figures is in one of its sources."""
        found = self.verdicts.values()
        if not any(one.kind in ("supported", "partial") for one in found):
            return False
        missing = [{r for r in one.reasons if r[0] in FIGURES} for one in found]
        return not reduce(set.intersection, missing)

    @property
    def contradicted(self) -> bool:
        """Whether no source bears it out and one says otherwise."""
        kinds: set[Kind] = {one.kind for one in self.verdicts.values()}
        return not self.stands and "contradicted" in kinds

    @property
    def worst(self) -> str:
        """Why it does not stand, in words for its writer."""
        if not self.verdicts:
            return "it cites no source"
        number, found = min(self.verdicts.items(), key=lambda one: one[1].support)
        told = ", ".join(f"{code} “{words}”" for code, words in found.reasons[:4])
        return f"source {number}: {found.kind}" + (f" ({told})" if told else "")


def proven(text: str, sources: Mapping[int, Support], language: str) -> list[Proven]:
    """Judge each citation of a text.

    Args:
        text: whose marks are normalised.
        sources: what was read of each source, by number.
        language: of the text.
    """
    found = []
    for sentence, numbers in cited_sentences(text, language):
        said = text[sentence.start : sentence.end]
        claim = claim_of(said)
        verdicts = {n: verdict(claim, sources[n]) for n in numbers if n in sources}
        found.append(Proven(sentence, said, verdicts))
    return found


def is_open(found: Verdict) -> bool:
    """Whether words and numbers leave open what a source says: it may say it in other words."""
    if found.kind == "supported":
        return found.confidence < SURE
    return found.kind != "contradicted"


def settled(text: str, found: Sequence[Proven]) -> tuple[str, list[Proven]]:
    """Cut what a source contradicts and none bears out; mark what none bears out.

    The last sentence of a text that cites anything is not cut: it is marked. A mark without a
    verdict is dropped: nothing was read of its source.

    Args:
        text: whose marks are normalised.
        found: its sentences as they were proven.

    Returns:
        The text, and the sentences that are left of it, in order.
    """
    changes: list[tuple[Sentence, str]] = []
    kept: list[Proven] = []
    citing = sum(bool(one.verdicts) for one in found)
    for one in found:
        if one.stands or not one.verdicts or one.sentence.kind == "table":
            kept.append(one)
        elif one.contradicted and citing > 1:
            changes.append((one.sentence, ""))
            citing -= 1
        else:
            said = _unproven(one.text)
            changes.append((one.sentence, said))
            kept.append(replace(one, text=said))
    # a cut may part two backticks, and what was code is then a mark that nobody wrote as one
    read = {number for one in found for number in one.verdicts}
    return normalise(replaced(text, changes), read)[0], kept


def _unproven(said: str) -> str:
    """A sentence with the sign behind its last mark, once."""
    said = said.replace(f" {UNPROVEN}", "")
    cited = len(marks(said))
    for found in reversed(list(_MARK.finditer(said))):
        if len(marks(said[: found.start()] + said[found.end() :])) < cited:
            return f"{said[: found.end()]} {UNPROVEN}{said[found.end() :]}"
    return said


def conflicting(
    found: Sequence[Proven], others: Mapping[int, Support]
) -> list[tuple[int, int, str]]:
    """Sources that speak against a sentence that another source bears out.

    Args:
        found: the sentences of a text.
        others: all sources by number.

    Returns:
        (place of the sentence, number of the source, what it says).
    """
    against = []
    for place, one in enumerate(found):
        if one.verdicts and one.stands:
            said = [(number, _against(one.claim, source)) for number, source in others.items()]
            against += [(place, number, quote) for number, quote in said if quote]
    return against


def _against(claim: str, source: Support) -> str:
    """What a source says against a claim; "" where it does not.

    A source that has some figures of a claim and lacks others speaks of another part of it.
    """
    facts = Facts(claim, source.language)
    whole = sum(facts.weights.values()) or 1.0
    if sum(w for term, w in facts.weights.items() if term in source.known) < SAME_SUBJECT * whole:
        return ""  # a hundredth of a verdict's time
    said = verdict(claim, source)
    if said.kind != "contradicted" or said.span is None or said.span.share < SAME_SUBJECT:
        return ""
    lacking = sum(reason[0] in FIGURES for reason in said.reasons)
    return "" if 0 < lacking < len(facts.quantities) + len(facts.days) else said.span.quote
