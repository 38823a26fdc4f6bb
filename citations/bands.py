"""From which scores on each step of the citation check decides, and where the figures come from.

The steps are words, a checker on this machine, a language model, the cheapest first. Each is asked
about what the one before leaves open, and gives a score of support in 0..1: from `supported` on it
is sure that a source supports a sentence, under `unsupported` that it does not, and in between it
is in doubt. `python benchmarks/citations.py DIR` fits these figures on one labelled set and
measures them on the others.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from schema.report import VerdictKind

NEVER = math.inf
"""A score that no step gives."""

MIN_PRECISION = 0.8
"""Share in which a step is right where it is sure, on sets that its band was not fitted on."""

MIN_USES = 20
"""Claims without which a share of them tells nothing."""

BOUNDARY = 0.5
"""Score that decides where a step is in doubt and is the last: what such models are trained to."""


class Scores(NamedTuple):
    """How far a step takes a sentence for supported, and for contradicted, in 0..1."""

    supported: float
    contradicted: float = 0.0


@dataclass(frozen=True)
class Band:
    """What the scores of a step mean.

    Args:
        supported: least score of support that is sure.
        unsupported: score of support under which a sentence surely has none.
        contradicted: least score from which on a source says the opposite.
        source: what the figures were fitted and measured on.
    """

    supported: float
    unsupported: float
    contradicted: float
    source: str


WORDS = Band(
    supported=0.8,
    unsupported=0,
    contradicted=NEVER,
    source="Fitted on wice and scifact_claims, measured on healthver: docs/decisions/0018-steps.md",
)
"""Words are never sure that a source has nothing: it may say it in others."""

UNMEASURED = Band(
    supported=NEVER,
    unsupported=0,
    contradicted=NEVER,
    source="None: the model was not measured, so whoever comes behind it is asked too.",
)

MEASURED: Mapping[str, Band] = MappingProxyType({})
"""Checkers and language models by the name that a run gives. None could be measured so far. A
folder of one's own never has a row: what lies in it may be anything."""


def find_band(model: str) -> Band:
    """The band of a checker or a language model, by its name."""
    return MEASURED.get(model, UNMEASURED)


@dataclass(frozen=True)
class Decision:
    """What a step makes of its scores; `is_sure` where nobody else has to be asked."""

    kind: VerdictKind
    confidence: float
    is_sure: bool


def decide(band: Band, scores: Scores) -> Decision:
    """The verdict of a step that gives scores alone."""
    if scores.contradicted >= band.contradicted:
        return Decision("contradicted", scores.contradicted, is_sure=True)
    is_sure = not band.unsupported <= scores.supported < band.supported
    bar = band.supported if is_sure else BOUNDARY
    if scores.supported >= bar:
        return Decision("supported", scores.supported, is_sure)
    return Decision("absent", 1 - scores.supported, is_sure)


def accept(band: Band, kind: VerdictKind, confidence: float) -> tuple[Scores, Decision]:
    """The scores behind a verdict that a model gives in words, and what is made of it.

    "Contradicted" is not supported and no more where the model was not measured.
    """
    against = kind == "contradicted"
    support = confidence if kind == "supported" else (1 - confidence) / 2
    scores = Scores(support, confidence if against else 0.0)
    if against and confidence >= band.contradicted:
        return scores, Decision(kind, confidence, is_sure=True)
    is_sure = not band.unsupported <= support < band.supported
    return scores, Decision("absent" if against else kind, confidence, is_sure)
