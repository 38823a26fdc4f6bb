"""Labelled claims, and how well scores tell those that their source supports from the rest."""

import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from benchmarks.jsonl import rows

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

RIGHT = {
    "supported": {"supported", "SUPPORT", "Supports"},
    "contradicted": {"CONTRADICT", "Refutes"},
    "otherwise": {"CONTRADICT", "Refutes"},
}
"""The labels by which a verdict of this kind is right, or a hint that a source says otherwise."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SHORT_YEAR = re.compile(r"(?<=\d{4}[-–])\d\d\b")  # 2018–19


@dataclass(frozen=True)
class Claim:
    """A claim, its source, whether that supports it, its label, and a name for it."""

    text: str
    source: str
    right: bool
    label: str
    name: str


def read(folder: Path) -> dict[str, list[Claim]]:
    """The claims of each set."""

    def claim(text: str, source: str, label: str, name: str) -> Claim:
        return Claim(text, source, label in RIGHT["supported"], label, name)

    return {
        "wice": [
            claim(one["claim"], "\n".join(one["evidence"]), one["label"], one["id"])
            for one in rows(folder / "wice" / "dev.jsonl")
        ],
        "scifact_claims": [
            claim(one["claim"], " ".join(one["sentences"]), one["label"], one["claim_id"])
            for one in rows(folder / "scifact_claims" / "claims.jsonl")
        ],
        "healthver": [
            claim(one["claim"], one["evidence"], one["label"], one["id"])
            for part in ("dev", "test")
            for one in rows(folder / "healthver" / f"{part}.jsonl")
        ],
    }


def prepared(texts: Sequence[str]) -> Any:
    """A source, ready to be asked, of passages."""
    from citations.evidence_span import SourcePassages
    from schema.documents import Passage

    cut = enumerate(texts)
    return SourcePassages(
        [Passage(chunk=i, document=1, start=0, end=len(t), text=t) for i, t in cut], "en"
    )


def read_sources(claims: Sequence[Claim]) -> list[Any]:
    """The source of each claim, cut into chunks; claims of one source share it."""
    from retrieval.passages.chunking import split_chunks

    read_once = {
        text: prepared([c.text for c in split_chunks(text)]) for text in {c.source for c in claims}
    }
    return [read_once[one.source] for one in claims]


def auc(truth: Truths, scores: Floats) -> float:
    """Share of pairs of a true and a false one that the scores put in order; ties count a half."""
    true, false = scores[truth][:, None], scores[~truth][None, :]
    return float(np.mean((true > false) + 0.5 * (true == false)))


def balanced(truth: Truths, called: Truths) -> float:
    """Mean of the shares of true ones called true and of false ones called false."""
    return float((called[truth].mean() + (~called[~truth]).mean()) / 2)


def fitted(evidence: Floats, truth: Truths, weight: Floats) -> Floats:
    """Weights of a logistic regression with a slight ridge, by Newton's method."""
    weights = np.zeros(evidence.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-evidence @ weights))
        slope = evidence.T @ (weight * (chance - truth)) + 0.1 * weights
        curve = (evidence.T * (weight * chance * (1 - chance))) @ evidence
        weights -= np.linalg.solve(curve + 0.1 * np.eye(len(weights)), slope)
    return weights


def halves(sets: Mapping[str, tuple[Sequence[Claim], Floats]]) -> dict[str, float]:
    """AUC by set, of weights fitted on the other half of the claims of all sets together.

    All sets weigh the same, and each has a constant of its own.
    """
    found: dict[str, list[float]] = {name: [] for name in sets}
    for tested in (0, 1):
        seen, truth, weight, held = [], [], [], {}
        for place, (name, (claims, evidence)) in enumerate(sets.items()):
            right = np.array([one.right for one in claims])
            out = np.array([crc32(one.name.encode()) % 2 == tested for one in claims])
            held[name] = evidence[out], right[out]
            constants = np.eye(len(sets))[np.full(np.sum(~out), place)]
            seen.append(np.hstack([evidence[~out], constants]))
            truth.append(right[~out])
            weight.append(np.full(len(truth[-1]), 500 / len(truth[-1])))
        weights = fitted(np.vstack(seen), np.concatenate(truth), np.concatenate(weight))
        for name, (evidence, right) in held.items():
            found[name].append(auc(right, evidence @ weights[: evidence.shape[1]]))
    return {name: statistics.mean(both) for name, both in found.items()}


def missing_number(claim: Claim) -> bool:
    """Whether a figure of the claim stands nowhere in the source, by plain comparison."""
    asked, given = (
        {one.replace(",", "").lstrip("0") for one in _NUMBER.findall(text)}
        for text in (_SHORT_YEAR.sub("", claim.text), claim.source)
    )
    return bool(asked - given)
