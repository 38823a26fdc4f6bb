"""What a source says of a claim: supported, partial, contradicted or absent, and why. No model.

    z = 4.5 words + 0.75 balance - 1.25 figures - 0.5 names - 2 contradicted - 2.5
    support = 1 / (1 + exp(-z))

The weights were fitted on two labelled sets and rounded; docs/benchmarks.md has what came of it.
Words tell well whether a source speaks of a thing. Whether it says the same of it they tell only
where numbers, names, negations or opposites show it: "supported" is a strong hint and no proof.
"""

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from retrieval.analysis import terms
from retrieval.conflicts import conflicts
from retrieval.facts import Facts
from retrieval.polarity import Balance, Polarity, balance
from retrieval.stated import Reason
from retrieval.support import Span, Support, Unit, span_of

Kind = Literal["supported", "partial", "contradicted", "absent"]


class Evidence(NamedTuple):
    """What the support of a claim is reckoned from.

    Attributes:
        words: share of the claim's words that the source has, function words at a tenth: two thirds
            of it by the one to three neighbouring sentences that hold most, a third by all of it.
        balance: of what agrees and what is against; see `retrieval.polarity`.
        figures: numbers and dates that the source has not, at most three.
        names: words of names that it has not, at most three.
        contradicted: whether it contradicts the claim, as 0 or 1.
    """

    words: float
    balance: float
    figures: float
    names: float
    contradicted: float


WEIGHTS = Evidence(words=4.5, balance=0.75, figures=-1.25, names=-0.5, contradicted=-2)
BIAS = -2.5
"""Weights of the evidence and the constant of z."""

SUPPORTED = 0.5
"""Least support of a claim that is supported."""

ABSENT = 0.4
"""Share of a claim's words below which a source does not speak of it."""

SAME_SUBJECT = 0.5
"""Share of a claim that sentences must hold to be about the same thing and contradict it."""

OPPOSED = -0.1
"""Balance at which sentences say the opposite: those that hold most, and all of the source."""

_MOST_MISSING = 3
_MOST_WORDS = 5


@dataclass(frozen=True)
class Verdict:
    """What a source says of a claim.

    Attributes:
        kind: the verdict. A claim with a number, a date or a name that the source has not is never
            supported.
        confidence: that the claim is supported where the verdict is that, else that it is not.
        support: how far the source supports the claim, in 0..1, for ranking.
        span: the sentences that hold most of the claim; None without a passage.
        reasons: codes with the words concerned. Of the claim and not in the source: "number",
            "date", "unit" (the number is, in another unit), "name", "acronym" (which a source may
            write in full), and "words" that the span has not. Said otherwise: "negation" and
            "opposite". "language": the source's, where words cannot be compared.
        evidence: what `support` is reckoned from.
    """

    kind: Kind
    confidence: float
    support: float
    span: Span | None
    reasons: tuple[Reason, ...]
    evidence: Evidence


def verdict(claim: str, source: Support) -> Verdict:
    """Judge a claim by what was read of a source.

    Args:
        claim: a sentence without its marks.
        source: the passages. Where they are in another language than the claim, its numbers, dates
            and names are compared, and words as far as they are the same.
    """
    said = Facts(claim, source.language)
    weight = source.weights(said)
    found = source.best_run(weight)
    if found is None:
        return Verdict("absent", 1.0, 0.0, None, (), Evidence(0, 0, 0, 0, 0))
    run, share = found
    figures, names = source.stated.missing_figures(said), source.stated.missing_names(said)
    told, lost = _told(said, figures)
    held = told.union(*(unit.facts.held for unit in run))
    window = _share(said.weights, held)
    whole = balance(said.polarity, _weighted(source, weight))
    against: list[Reason] = []
    subject = {term: weight for term, weight in said.weights.items() if term not in lost}
    if _share(subject, held) >= SAME_SUBJECT:
        against = conflicts(said, [unit.facts for unit in run], figures)
        against += _opposed(said, run, whole)
    evidence = Evidence(
        words=(2 * window + _share(said.weights, source.known, held)) / 3,
        balance=whole.value,
        figures=min(len(figures), _MOST_MISSING),
        names=min(len(names), _MOST_MISSING),
        contradicted=bool(against),
    )
    support = _support(evidence)
    reasons = [*dict.fromkeys([*against, *figures, *names])]
    kind = _kind(evidence, support, figures, names)
    if kind == "absent" and _beyond_words(said, source) and not reasons:
        kind = "partial"
        reasons.append(("language", source.written))
    if kind != "supported" and (missing := _missing_words(said, held | lost)):
        reasons.append(("words", missing))
    confidence = support if kind == "supported" else 1 - support
    return Verdict(kind, confidence, support, span_of(run, share), tuple(reasons), evidence)


def _support(evidence: Evidence) -> float:
    z = BIAS + sum(weight * one for weight, one in zip(WEIGHTS, evidence, strict=True))
    return 1 / (1 + math.exp(-z))


def _kind(
    evidence: Evidence, support: float, figures: Sequence[Reason], names: Sequence[Reason]
) -> Kind:
    if evidence.contradicted:
        return "contradicted"
    if evidence.words < ABSENT:
        return "absent"
    named = all(code != "name" for code, _ in names)
    return "supported" if support >= SUPPORTED and named and not figures else "partial"


def _beyond_words(claim: Facts, source: Support) -> bool:
    """Whether the languages differ and the claim has something that does not need words."""
    figures = [one for one in claim.quantities if not one.loose]
    return source.written != source.language and bool(figures or claim.days or claim.names)


def _told(claim: Facts, missing: Sequence[Reason]) -> tuple[set[str], set[str]]:
    """The terms of the claim's figures: those that the source has in any form, and the others."""
    lost = {words for _, words in missing}
    told: tuple[set[str], set[str]] = set(), set()
    for words, held in claim.figures.items():
        told[words in lost].update(held)
    return told


def _share(weights: Mapping[str, float], *held: Container[str]) -> float:
    whole = sum(weights.values()) or 1.0
    found = (w for term, w in weights.items() if any(term in one for one in held))
    return sum(found) / whole


def _weighted(source: Support, weight: Mapping[str, float]) -> Iterator[tuple[Polarity, float]]:
    """The sentences of a source that hold some of the claim, with their share of it."""
    whole = sum(weight.values()) or 1.0
    for unit in source.units:
        if common := unit.facts.held & weight.keys():
            yield unit.facts.polarity, math.fsum(weight[term] for term in common) / whole


def _opposed(claim: Facts, run: Sequence[Unit], whole: Balance) -> list[Reason]:
    """What sentences say the opposite of, where they and the whole source are against a claim."""
    here = balance(claim.polarity, [(unit.facts.polarity, 1.0) for unit in run])
    if max(here.value, whole.value) > OPPOSED:
        return []
    negations = _words(claim, claim.polarity.negations) or [
        word for unit in run for word in _words(unit.facts, unit.facts.polarity.negations)
    ]
    if negations:
        return [("negation", word) for word in negations]
    return [("opposite", word) for word in _words(claim, here.opposed)]


def _words(facts: Facts, places: Iterable[int]) -> list[str]:
    """The words at some places of a sentence's terms, unstemmed."""
    words = terms(facts.text)
    return [words[place] for place in places]


def _missing_words(claim: Facts, held: Container[str]) -> str:
    missing = [
        word
        for word, term in zip(terms(claim.text), claim.terms, strict=True)
        if term not in held and claim.weights[term] == 1
    ]
    return " ".join(dict.fromkeys(missing[:_MOST_WORDS]))
