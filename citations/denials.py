"""A source that says otherwise than a claim: of the same thing, another figure or its opposite."""

from citations.claim_facts import SentenceFacts
from citations.evidence_span import SourcePassages
from citations.verdict import OTHERWISE, judge_claim

MIN_SAME_SUBJECT = 0.7
"""Share of a claim's words, its figures apart, that a passage has which speaks of the same."""


MIN_SUBJECT = 3
"""Words of a claim, its figures apart, from which on a source may say its opposite: of what a row
of a table calls "heat pumps" nothing can be denied."""


def find_denial(claim: str, source: SourcePassages) -> str:
    """What a source says against a claim; "" where it does not.

    It does where it speaks of the same thing, and negates it, says the opposite, or gives another
    figure of the same unit for it.

    Args:
        claim: a sentence without its markers.
        source: its passages.
    """
    facts = SentenceFacts(claim, source.language)
    numbers = frozenset[str]().union(*facts.number_terms.values())
    subject = {term: w for term, w in facts.weights.items() if term not in numbers}
    least = MIN_SAME_SUBJECT * (sum(subject.values()) or 1.0)
    if sum(w for term, w in subject.items() if term in source.terms) < least:
        return ""  # a hundredth of a verdict's time
    verdict = judge_claim(claim, source)
    if verdict.span is None:
        return ""
    said = SentenceFacts(verdict.span.quote, source.language)
    if sum(w for term, w in subject.items() if term in said.unique_terms) < least:
        return ""
    codes = {code for code, _ in verdict.reasons}
    if len(subject) >= MIN_SUBJECT and not codes.isdisjoint(OTHERWISE):
        return verdict.span.quote
    differs = not codes.isdisjoint(("number", "unit", "date"))
    return verdict.span.quote if differs and _gives_other_figure(facts, said) else ""


def _gives_other_figure(claim: SentenceFacts, said: SentenceFacts) -> bool:
    """Whether each has figures of one unit, none in common; of dates, where there is no figure."""
    for unit in {one.unit for one in claim.quantities if not one.is_loose}:
        ours = {one.value for one in claim.quantities if one.unit == unit and not one.is_year}
        theirs = {one.value for one in said.quantities if one.unit == unit and not one.is_year}
        if ours and theirs and ours.isdisjoint(theirs):
            return True
    return bool(claim.dates and said.dates) and not claim.quantities and not said.quantities
