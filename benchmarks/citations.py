"""How well a claim's support by its source is told without a model.

DIR holds `wice/dev.jsonl` (claims of Wikipedia and the pages they cite),
`scifact_claims/claims.jsonl` (claims and abstracts), on which the rules were fitted, and
`healthver/{dev,test}.jsonl` (claims of web pages and sentences of papers), on which they were not.
Right is "supported" against all the rest.

    python benchmarks/citations.py DIR [--judge PROVIDER:MODEL]
        [--floor wice=.78,scifact_claims=.72,healthver=.54] [--json FILE]

"words" is the share of a claim's words that its best span holds; the threshold of its balanced
accuracy is the best one for the set, which flatters it. "verdict" is `citations.verdict` with its
own threshold. "halves" is the AUC of weights fitted on one half of the claims of the fitted sets
and measured on the other, for both halves.

"right of supported" counts the claims whose label is that of support among those called supported;
"right of contradicted" the labels CONTRADICT and Refutes among those called contradicted, as only
a judge does; and "right of otherwise" these labels among those that a negation or an opposite
speaks against. On wice both are empty: its labels tell how much a page supports, and a claim that
it does not support is not one that it refutes.

"judged" has the model decide what words and numbers leave open, as a run with `judge_model` does,
and tells what that cost. Exits 1 under a floor of the AUC, or where a claim with a number that does
not stand in its source is called supported.
"""

import argparse
import asyncio
import json
import re
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.jsonl import rows  # noqa: E402

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

BATCH = 20
"""Claims that a model judges at once."""

KINDS = ("supported", "partial", "contradicted", "absent")
FITTED = ("wice", "scifact_claims")
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


@dataclass(frozen=True)
class Row:
    """What was measured on a set; times in milliseconds of one core."""

    collection: str
    run: str
    auc: float
    balanced: float
    ms: float
    halves: float | None = None
    kinds: Mapping[str, Mapping[str, int]] | None = None


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


def measure(name: str, claims: Sequence[Claim]) -> tuple[list[Row], Floats, int]:
    """The rows of a set, the evidence of each claim, and how many of the numbers were overlooked.

    Times are of a source that was asked before: what is read of it is read once.
    """
    from citations.verdict import judge_claim
    from retrieval.passages.chunking import split_chunks

    read_once = {
        text: prepared([c.text for c in split_chunks(text)]) for text in {c.source for c in claims}
    }
    sources = [read_once[one.source] for one in claims]
    for one, source in zip(claims, sources, strict=True):
        judge_claim(one.text, source)
    started = time.process_time()
    spans = [source.find_best_span(one.text) for one, source in zip(claims, sources, strict=True)]
    between = time.process_time()
    given = [judge_claim(one.text, source) for one, source in zip(claims, sources, strict=True)]
    words_ms, verdict_ms = (
        1000 * taken / len(claims) for taken in (between - started, time.process_time() - between)
    )
    right = np.array([one.right for one in claims])
    shares = np.array([span.share if span else 0.0 for span in spans])
    scores = np.array([one.support for one in given])
    called = np.array([one.kind == "supported" for one in given])
    kinds = _counts(claims, [one.kind for one in given], given)
    best = max(balanced(right, shares >= least) for least in np.unique(shares))
    rows = [
        Row(name, "words", auc(right, shares), best, words_ms),
        Row(name, "verdict", auc(right, scores), balanced(right, called), verdict_ms, kinds=kinds),
    ]
    overlooked = sum(missing_number(one) for one, said in zip(claims, called, strict=True) if said)
    return rows, np.array([one.features for one in given], float), overlooked


def _counts(
    claims: Sequence[Claim], kinds: Sequence[str], given: Sequence[Any]
) -> dict[str, dict[str, int]]:
    """By label, the claims of each kind, and those with a verdict that hints at the opposite."""
    counts = {one.label: dict.fromkeys((*KINDS, "otherwise"), 0) for one in claims}
    for one, kind, found in zip(claims, kinds, given, strict=True):
        counts[one.label][kind] += 1
        counts[one.label]["otherwise"] += bool(found.features.against)
    return counts


async def measure_judged(name: str, claims: Sequence[Claim], model: str) -> tuple[Row, int]:
    """The row of a set whose open claims a model decides, and the tokens that it took."""
    from citations.check import NUMBER_REASONS, is_undecided
    from citations.verdict import judge_claim
    from models.calls import Role
    from models.citation_judge import judge_citations
    from retrieval.passages.chunking import split_chunks

    started = time.perf_counter()
    given = [
        judge_claim(one.text, prepared([c.text for c in split_chunks(one.source)]))
        for one in claims
    ]
    kinds = [one.kind for one in given]
    scores = [one.support for one in given]
    asked = [place for place, one in enumerate(given) if is_undecided(one)]
    tokens = 0
    for first in range(0, len(asked), BATCH):
        places = asked[first : first + BATCH]
        spans = [given[place].span for place in places]
        items = [
            (claims[place].text, span.quote if span else "")
            for place, span in zip(places, spans, strict=True)
        ]
        said, calls = await judge_citations(Role.from_choice("judge", model), items)
        tokens += sum(call["input_tokens"] + call["output_tokens"] for call in calls)
        for place, found in zip(places, said, strict=True):
            if found:
                lacks = any(reason[0] in NUMBER_REASONS for reason in given[place].reasons)
                supported, sure = found.verdict == "supported", found.confidence
                kinds[place] = "partial" if lacks and supported else found.verdict
                scores[place] = sure if supported and not lacks else (1 - sure) / 2
    right = np.array([one.right for one in claims])
    called = np.array([kind == "supported" for kind in kinds])
    counts = _counts(claims, kinds, given)
    taken = 1000 * (time.perf_counter() - started) / len(claims)
    measured = Row(
        name, "judged", auc(right, np.array(scores)), balanced(right, called), taken, kinds=counts
    )
    return measured, tokens


def ten_passages(claims: Sequence[Claim]) -> tuple[float, float]:
    """Milliseconds of the first claim and of a further one against ten passages of 120 words."""
    from citations.verdict import judge_claim

    words = " ".join(one.source for one in claims).split()
    words *= 1 + 1200 // len(words)
    first, further = [], []
    for claim, at in zip(claims, range(0, len(words) - 1200, 1200), strict=False):
        started = time.process_time()
        source = prepared([" ".join(words[i : i + 120]) for i in range(at, at + 1200, 120)])
        judge_claim(claim.text, source)
        between = time.process_time()
        judge_claim(claim.text, source)
        first.append(between - started)
        further.append(time.process_time() - between)
    return 1000 * statistics.median(first), 1000 * statistics.median(further)


def precision(kinds: Mapping[str, Mapping[str, int]], kind: str) -> str:
    """How many claims of those called a kind are right; "" where no label can make one right."""
    if RIGHT[kind].isdisjoint(kinds):
        return ""
    called = sum(found[kind] for found in kinds.values())
    right = sum(found[kind] for label, found in kinds.items() if label in RIGHT[kind])
    return f"{right} of {called}" + (f" ({right / called:.2f})" if called else "")


def show(rows: Sequence[Row]) -> None:
    """Print the tables."""
    print(f"{'set':<16}{'run':<10}{'AUC':>7}{'halves':>8}{'balanced':>10}{'ms':>7}")
    for row in rows:
        crossed = f"{row.halves:.3f}" if row.halves else ""
        measured = f"{row.auc:>7.3f}{crossed:>8}{row.balanced:>10.3f}{row.ms:>7.2f}"
        print(f"{row.collection:<16}{row.run:<10}{measured}")
    print(f"\n{'set':<16}{'label':<29}" + "".join(f"{kind:>14}" for kind in KINDS))
    for row in rows:
        for label, found in sorted((row.kinds or {}).items()):
            counts = "".join(f"{found[kind]:>14}" for kind in KINDS)
            judge = "" if row.run == "verdict" else " (judged)"
            print(f"{row.collection:<16}{label + judge:<29}{counts}")
    print(f"\n{'set':<16}{'run':<10}" + "".join(f"{'right of ' + kind:>24}" for kind in RIGHT))
    for row in rows:
        if row.kinds:
            shares = "".join(f"{precision(row.kinds, kind):>24}" for kind in RIGHT)
            print(f"{row.collection:<16}{row.run:<10}{shares}")


def main() -> None:
    """Measure, print, and exit 1 under a floor."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--judge", metavar="PROVIDER:MODEL")
    parser.add_argument("--floor", default="wice=.78,scifact_claims=.72,healthver=.54")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    floors = {name: float(least) for name, least in (f.split("=") for f in given.floor.split(","))}
    rows: list[Row] = []
    judged, overlooked = {}, 0
    sets = read(given.folder)
    for name, claims in sets.items():
        measured, evidence, missed = measure(name, claims)
        judged[name] = claims, evidence
        rows, overlooked = rows + measured, overlooked + missed
    crossed = halves({name: judged[name] for name in FITTED})
    rows = [replace(row, halves=crossed.get(row.collection)) if row.kinds else row for row in rows]
    tokens = 0
    for name, claims in sets.items() if given.judge else ():
        row, taken = asyncio.run(measure_judged(name, claims, given.judge))
        rows, tokens = [*rows, row], tokens + taken
    show(rows)
    if given.judge:
        print(f"\n{given.judge} took {tokens:,} tokens")
    first, further = ten_passages(sets["wice"])
    print(
        f"\nten passages of 120 words: first claim {first:.1f} ms, a further one {further:.1f} ms"
    )
    print(f"supported with a number that is not in the source: {overlooked}")
    low = [row for row in rows if row.kinds and row.auc < floors.get(row.collection, 0)]
    print(*(f"{row.collection}: AUC {row.auc:.3f} is under its floor" for row in low), sep="\n")
    if given.json:
        told = {"rows": [asdict(row) for row in rows], "first_ms": first, "further_ms": further}
        given.json.write_text(json.dumps(told | {"overlooked": overlooked}, indent=2) + "\n")
    sys.exit(bool(low or overlooked))


if __name__ == "__main__":
    main()
