"""What a source says of a claim: supported, partial or absent, and why. No model.

    z = 4.5 words + 0.75 balance - 1.25 figures - 0.5 names - 2 against - 2.5
    support = 1 / (1 + exp(-z))

The weights were fitted on two labelled sets and rounded; docs/benchmarks.md has what came of it.
Words tell well whether a source speaks of a thing. Whether it says the same of it they tell only
where numbers, names, negations or opposites show it: "supported" is strong evidence and no proof.
That a source says the opposite no rule tells well enough: "contradicted" is not said here.
"""

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from citations.claim_facts import SentenceFacts
from citations.evidence_span import EvidenceSpan, SourcePassages, SourceSentence, build_span
from citations.negation import Balance, Polarity, weigh_agreement
from citations.source_facts import Reason
from schema.report import CheckStep, VerdictKind
from text.tokens import tokenise


class SupportFeatures(NamedTuple):
    """What the support of a claim is reckoned from.

    Attributes:
        word_share: share of the claim's words that the source has, function words at a tenth: two
            thirds of it by the one to three neighbouring sentences that hold most, a third by all
            of it.
        balance: of what agrees and what is against; see `citations.negation`.
        missing_numbers: numbers and dates that the source has not, at most three.
        missing_names: words of names that it has not, at most three.
        against: whether a negation or an opposite speaks against the claim, as 0 or 1.
    """

    word_share: float
    balance: float
    missing_numbers: float
    missing_names: float
    against: float


WEIGHTS = SupportFeatures(
    word_share=4.5, balance=0.75, missing_numbers=-1.25, missing_names=-0.5, against=-2
)
BIAS = -2.5
"""Weights of the evidence and the constant of z."""

MIN_SUPPORT = 0.5
"""Least support of a claim that is supported."""

MIN_WORD_SHARE = 0.4
"""Share of a claim's words below which a source does not speak of it."""

MIN_WORD_SHARE_UNNAMED = 0.45
"""The same of a claim that has a name which the source has not."""

MIN_SUBJECT_SHARE = 0.5
"""Share of a claim that sentences must hold to be about the same thing and speak against it."""

MAX_OPPOSED_BALANCE = -0.1
"""Balance at which sentences say the opposite: those that hold most, and all of the source."""

OTHERWISE = ("negation", "opposite")
"""Reasons that a source may say otherwise. Half to three quarters of the claims that have one are
refuted: a hint, no verdict."""

_MAX_MISSING = 3
_MAX_WORDS = 5


@dataclass(frozen=True)
class CitationVerdict:
    """What a source says of a claim.

    Attributes:
        kind: the verdict. A claim with a number, a date or a name that the source has not is never
            supported; one that words speak against is absent. Only a measured model says
            "contradicted".
        confidence: that the claim is supported where the verdict is that, else that it is not.
        support: how far the source supports the claim, in 0..1, for ranking.
        span: the sentences that hold most of the claim; None without a passage.
        reasons: codes with the words concerned. Of the claim and not in the source: "number",
            "date", "unit" (the number is, in another unit), "name", "acronym" (which a source may
            write in full), and "words" that the span has not. Perhaps said otherwise: "negation"
            and "opposite". "language": the source's, where words cannot be compared.
        features: what `support` is reckoned from.
        step: who gave the kind and the confidence; the rest is always by words.
    """

    kind: VerdictKind
    confidence: float
    support: float
    span: EvidenceSpan | None
    reasons: tuple[Reason, ...]
    features: SupportFeatures
    step: CheckStep = "words"


def judge_claim(claim: str, source: SourcePassages) -> CitationVerdict:
    """Judge a claim by what was read of a source.

    Args:
        claim: a sentence without its markers.
        source: the passages. Where they are in another language than the claim, its numbers, dates
            and names are compared, and words as far as they are the same.
    """
    facts = SentenceFacts(claim, source.language)
    weight = source.weigh_terms(facts)
    found = source.find_best_run(weight)
    if found is None:
        return CitationVerdict("absent", 1.0, 0.0, None, (), SupportFeatures(0, 0, 0, 0, 0))
    run, share = found
    numbers = source.facts.find_missing_numbers(facts)
    names = source.facts.find_missing_names(facts)
    known, missing_terms = _split_number_terms(facts, numbers)
    held = known.union(*(unit.facts.unique_terms for unit in run))
    window = _find_weight_share(facts.weights, held)
    whole = weigh_agreement(facts.polarity, _weigh_sentences(source, weight))
    against: list[Reason] = []
    subject = {term: weight for term, weight in facts.weights.items() if term not in missing_terms}
    if _find_weight_share(subject, held) >= MIN_SUBJECT_SHARE:
        against = _find_opposed_words(facts, run, whole)
    if _negates_as_often(facts, run):
        against = [reason for reason in against if reason[0] != "negation"]
    evidence = SupportFeatures(
        word_share=(2 * window + _find_weight_share(facts.weights, source.terms, held)) / 3,
        balance=whole.score,
        missing_numbers=min(len(numbers), _MAX_MISSING),
        missing_names=min(len(names), _MAX_MISSING),
        against=bool(against),
    )
    support = _score_support(evidence)
    if facts.polarity.repeats_negations(unit.facts.polarity for unit in run):
        against = [reason for reason in against if reason[0] != "negation"]  # no hint to its writer
    reasons = [*dict.fromkeys([*against, *numbers, *names])]
    kind = _choose_kind(evidence, support, numbers, names)
    if kind == "absent" and _needs_no_words(facts, source) and not reasons:
        kind = "partial"
        reasons.append(("language", source.passage_language))
    if kind != "supported" and (missing := _list_missing_words(facts, held | missing_terms)):
        reasons.append(("words", missing))
    confidence = support if kind == "supported" else 1 - support
    return CitationVerdict(
        kind, confidence, support, build_span(run, share), tuple(reasons), evidence
    )


def _score_support(evidence: SupportFeatures) -> float:
    z = BIAS + sum(weight * one for weight, one in zip(WEIGHTS, evidence, strict=True))
    return 1 / (1 + math.exp(-z))


def _choose_kind(
    evidence: SupportFeatures, support: float, numbers: Sequence[Reason], names: Sequence[Reason]
) -> VerdictKind:
    named = all(code != "name" for code, _ in names)
    least = MIN_WORD_SHARE if named else MIN_WORD_SHARE_UNNAMED
    if evidence.against or evidence.word_share < least:
        return "absent"
    return "supported" if support >= MIN_SUPPORT and named and not numbers else "partial"


def _needs_no_words(claim: SentenceFacts, source: SourcePassages) -> bool:
    """Whether the languages differ and the claim has something that does not need words."""
    numbers = [one for one in claim.quantities if not one.is_loose]
    return source.passage_language != source.language and bool(
        numbers or claim.dates or claim.names
    )


def _split_number_terms(
    claim: SentenceFacts, missing: Sequence[Reason]
) -> tuple[set[str], set[str]]:
    """The terms of the claim's numbers: those that the source has in any form, and the others."""
    missing_words = {words for _, words in missing}
    terms: tuple[set[str], set[str]] = set(), set()
    for words, held in claim.number_terms.items():
        terms[words in missing_words].update(held)
    return terms


def _find_weight_share(weights: Mapping[str, float], *held: Container[str]) -> float:
    whole = sum(weights.values()) or 1.0
    found = (w for term, w in weights.items() if any(term in one for one in held))
    return sum(found) / whole


def _weigh_sentences(
    source: SourcePassages, weight: Mapping[str, float]
) -> Iterator[tuple[Polarity, float]]:
    """The sentences of a source that hold some of the claim, with their share of it."""
    whole = sum(weight.values()) or 1.0
    for unit in source.sentences:
        if common := unit.facts.unique_terms & weight.keys():
            yield unit.facts.polarity, math.fsum(weight[term] for term in common) / whole


def _find_opposed_words(
    claim: SentenceFacts, run: Sequence[SourceSentence], whole: Balance
) -> list[Reason]:
    """What sentences say the opposite of, where they and the whole source are against a claim."""
    here = weigh_agreement(claim.polarity, [(unit.facts.polarity, 1.0) for unit in run])
    if max(here.score, whole.score) > MAX_OPPOSED_BALANCE:
        return []
    negations = _pick_words(claim, claim.polarity.negation_positions) or [
        word
        for unit in run
        for word in _pick_words(unit.facts, unit.facts.polarity.negation_positions)
    ]
    if negations:
        return [("negation", word) for word in negations]
    return [("opposite", word) for word in _pick_words(claim, here.opposed_positions)]


def _negates_as_often(claim: SentenceFacts, run: Sequence[SourceSentence]) -> bool:
    """Whether a claim and a sentence of its source negate something, equally often.

    What each negates is hard to tell where they say the same in other words: "applies no delay" and
    "a delay will no longer be applied". To turn a claim round takes one negation more, or less.
    """
    count = len(claim.polarity.negation_positions)
    return count > 0 and any(len(unit.facts.polarity.negation_positions) == count for unit in run)


def _pick_words(facts: SentenceFacts, positions: Iterable[int]) -> list[str]:
    """The words at some positions of a sentence's terms, unstemmed."""
    words = tokenise(facts.text)
    return [words[position] for position in positions]


def _list_missing_words(claim: SentenceFacts, held: Container[str]) -> str:
    missing = [
        word
        for word, term in zip(tokenise(claim.text), claim.terms, strict=True)
        if term not in held and claim.weights[term] == 1
    ]
    return " ".join(dict.fromkeys(missing[:_MAX_WORDS]))
