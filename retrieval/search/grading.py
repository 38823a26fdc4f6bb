"""How sure a hit is: evidence that compares between searches, and a word for it."""

from schema.documents import Grade

MIN_STRONG, MIN_MODERATE = 0.6, 0.4
"""Least evidence of a grade. Fitted on labelled questions, asked of their own collection and of
another: see docs/benchmarks.md."""

DENSE_FROM, DENSE_TO = 1.0, 5.0
"""Standard deviations above the cosine of chunks that have nothing to do with each other: where
evidence by meaning begins, and where it is full. The raw cosine says nothing across models: 0.8 is
far off for one and unrelated for another."""


def score_dense_relevance(cosine: float, background: tuple[float, float] | None) -> float:
    """Evidence in 0..1 of a cosine, against (mean, deviation) of unrelated chunks.

    Without a measured background 1: the model is taken at its word.
    """
    if background is None:
        return 1.0
    mean, deviation = background
    height = (cosine - mean) / max(deviation, 1e-6)
    return min(1.0, max(0.0, (height - DENSE_FROM) / (DENSE_TO - DENSE_FROM)))


def grade_relevance(evidence: float, *, exact: bool) -> Grade:
    """Name the evidence for a hit; `exact` is for one that was looked up by its name."""
    if exact:
        return "exact"
    if evidence >= MIN_STRONG:
        return "strong"
    return "moderate" if evidence >= MIN_MODERATE else "weak"
