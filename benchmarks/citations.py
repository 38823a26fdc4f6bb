"""How well the steps of the citation check tell whether a source supports a claim.

DIR holds `wice/dev.jsonl` (claims of Wikipedia and the pages they cite),
`scifact_claims/claims.jsonl` (claims and abstracts), on which the rules were fitted, and
`healthver/{dev,test}.jsonl` (claims of web pages and sentences of papers), on which they were not.
Right is "supported" against all the rest.

    python benchmarks/citations.py DIR [--checker onnx:FOLDER] [--judge PROVIDER:MODEL]
        [--embedder NAME] [--floor wice=.78,scifact_claims=.72,healthver=.54] [--json FILE]

"share" is the share of a claim's words that its best span holds; the threshold of its balanced
accuracy is the best one for the set, which flatters it. "words" is `citations.verdict` with its
own threshold. "halves" is the AUC of weights fitted on one half of the claims of the fitted sets
and measured on the other, for both halves. "all steps" is what a run with that checker and that
judge says: each is asked about what those before it leave open.

"right of supported" counts the claims whose label is that of support among those called supported;
"right of contradicted" the labels CONTRADICT and Refutes among those called contradicted; and
"right of otherwise" these labels among those that a negation or an opposite speaks against. On wice
both are empty: its labels tell how much a page supports, and a claim that it does not support is
not one that it refutes.

Then each step by itself, the checker and the judge on the claims that words leave open: thresholds
are fitted on one set and measured on the others. Balance, precision and recall of "supported" are
those at the score of best balance. "supported from", "not under" and "contradicted from" are the
band (`citations.bands`): the widest in which the step is right in .8 of its uses, with 20 or more,
on the set that it is fitted on.

`--embedder` tells what a cosine of claim and source adds to the words. Exits 1 under a floor of the
AUC, or where a claim with a number that does not stand in its source is called supported.
"""

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.measures.citation_cosine import (  # noqa: E402
    Compared,
    find_cosines,
    show_cosines,
)
from benchmarks.measures.citation_steps import (  # noqa: E402
    Measured,
    ask_step,
    measure_pairs,
    score_opinions,
    score_words,
    show_steps,
)
from benchmarks.measures.claims import (  # noqa: E402
    RIGHT,
    Claim,
    auc,
    balanced,
    halves,
    missing_number,
    prepared,
    read,
    read_sources,
)
from citations.bands import WORDS, find_band  # noqa: E402
from citations.checked_sentence import NUMBER_REASONS  # noqa: E402
from models.calls import Role  # noqa: E402
from models.citation_judge import Opinion  # noqa: E402

Models = Mapping[str, str]
"""The model of each further step."""

Told = dict[str, dict[str, dict[int, Opinion]]]
"""What each further step says, by step, set and place."""

KINDS = ("supported", "partial", "contradicted", "absent")
FITTED = ("wice", "scifact_claims")


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


def measure(name: str, claims: Sequence[Claim], sources: Sequence[Any]) -> tuple[list[Row], Any]:
    """The rows of a set without a model, and what words say of each claim.

    Times are of a source that was asked before: what is read of it is read once.
    """
    from citations.verdict import judge_claim

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
        Row(name, "share", auc(right, shares), best, words_ms),
        Row(name, "words", auc(right, scores), balanced(right, called), verdict_ms, kinds=kinds),
    ]
    return rows, given


def _counts(
    claims: Sequence[Claim], kinds: Sequence[str], given: Sequence[Any]
) -> dict[str, dict[str, int]]:
    """By label, the claims of each kind, and those with a verdict that hints at the opposite."""
    counts = {one.label: dict.fromkeys((*KINDS, "otherwise"), 0) for one in claims}
    for one, kind, found in zip(claims, kinds, given, strict=True):
        counts[one.label][kind] += 1
        counts[one.label]["otherwise"] += bool(found.features.against)
    return counts


def measure_steps(
    name: str, claims: Sequence[Claim], given: Sequence[Any], told: Sequence[Mapping[int, Opinion]]
) -> tuple[Row, list[str]]:
    """The row of a set that all steps decide, and the kind of each claim.

    Args:
        name: of the set.
        claims: of the set.
        given: what words say of each.
        told: what each further step says, by place; the cheapest first.
    """
    kinds = [one.kind for one in given]
    scores = np.array([one.support for one in given])
    sure: set[int] = set()
    for opinions in told:
        for place, one in opinions.items():
            if place not in sure:
                lacks = any(code in NUMBER_REASONS for code, _ in given[place].reasons)
                kind = one.decision.kind
                kinds[place] = "partial" if lacks and kind == "supported" else kind
                scores[place] = 0 if lacks else one.scores.supported
        sure |= {place for place, one in opinions.items() if one.decision.is_sure}
    right = np.array([one.right for one in claims])
    called = np.array([kind == "supported" for kind in kinds])
    counts = _counts(claims, kinds, given)
    row = Row(name, "all steps", auc(right, scores), balanced(right, called), 0.0, kinds=counts)
    return row, kinds


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
            judge = " (all steps)" if row.run == "all steps" else ""
            print(f"{row.collection:<16}{label + judge:<29}{counts}")
    print(f"\n{'set':<16}{'run':<10}" + "".join(f"{'right of ' + kind:>24}" for kind in RIGHT))
    for row in rows:
        if row.kinds:
            shares = "".join(f"{precision(row.kinds, kind):>24}" for kind in RIGHT)
            print(f"{row.collection:<16}{row.run:<10}{shares}")


def ask_models(
    models: Models, sets: Mapping[str, Sequence[Claim]], given: Mapping[str, Any]
) -> Told:
    """What each further step says, by step and set; what it took is printed."""
    told: Told = {}
    for step, model in models.items():
        told[step], tokens, started = {}, 0, time.perf_counter()
        role = Role.from_choice(step, model)
        for name, claims in sets.items():
            told[step][name], taken = asyncio.run(ask_step(role, claims, given[name]))
            tokens += taken
        asked = sum(len(one) for one in told[step].values())
        seconds = time.perf_counter() - started
        print(f"{model}: {asked:,} claims, {tokens:,} tokens, {seconds:.0f} s")
    return told


def score_steps(
    sets: Mapping[str, Sequence[Claim]], given: Mapping[str, Any], told: Told, models: Models
) -> list[Measured]:
    """Each step, fitted on each set and measured on the others."""
    scored = {
        step: {name: score_opinions(sets[name], given[name], one) for name, one in by_set.items()}
        for step, by_set in told.items()
    }
    words = {name: score_words(claims, given[name]) for name, claims in sets.items()}
    found = measure_pairs("words", words, WORDS)
    for step, by_set in scored.items():
        found += measure_pairs(step, by_set, find_band(models[step]))
    return found


def count_overlooked(
    sets: Mapping[str, Sequence[Claim]], kinds: Mapping[str, Sequence[str]]
) -> int:
    """The claims that are called supported with a number which is not in their source."""
    return sum(
        kind == "supported" and missing_number(claim)
        for name, claims in sets.items()
        for claim, kind in zip(claims, kinds[name], strict=True)
    )


def show_embedder(
    name: str, sets: Mapping[str, Sequence[Claim]], sources: Mapping[str, Any], given: Any
) -> None:
    """Print what a cosine adds to the words."""
    found = {}
    for one, claims in sets.items():
        support = np.array([said.support for said in given[one]])
        found[one] = Compared(
            right=np.array([claim.right for claim in claims]),
            refuted=np.array([claim.label in RIGHT["contradicted"] for claim in claims]),
            z=np.log(support / (1 - support)),
            cosine=asyncio.run(find_cosines(name, claims, sources[one])),
        )
    show_cosines(found)


def parse_options() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--checker", metavar="onnx:FOLDER")
    parser.add_argument("--judge", metavar="PROVIDER:MODEL")
    parser.add_argument("--embedder", metavar="NAME")
    parser.add_argument("--floor", default="wice=.78,scifact_claims=.72,healthver=.54")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> None:
    """Measure, print, and exit 1 under a floor."""
    options = parse_options()
    floors = dict(one.split("=") for one in options.floor.split(","))
    sets = read(options.folder)
    sources = {name: read_sources(claims) for name, claims in sets.items()}
    rows: list[Row] = []
    given: dict[str, Any] = {}
    for name, claims in sets.items():
        measured, given[name] = measure(name, claims, sources[name])
        rows += measured
    features = {
        name: (sets[name], np.array([one.features for one in given[name]])) for name in FITTED
    }
    crossed = halves(features)
    rows = [replace(row, halves=crossed.get(row.collection)) if row.kinds else row for row in rows]
    named = {"checker": options.checker, "model": options.judge}
    models = {step: model for step, model in named.items() if model}
    told = ask_models(models, sets, given)
    kinds = {name: [one.kind for one in said] for name, said in given.items()}
    for name, claims in sets.items() if told else ():
        row, kinds[name] = measure_steps(
            name, claims, given[name], [one[name] for one in told.values()]
        )
        rows.append(row)
    show(rows)
    pairs = score_steps(sets, given, told, models)
    show_steps(pairs)
    if options.embedder:
        show_embedder(options.embedder, sets, sources, given)
    first, further = ten_passages(sets["wice"])
    print(
        f"\nten passages of 120 words: first claim {first:.1f} ms, a further one {further:.1f} ms"
    )
    overlooked = count_overlooked(sets, kinds)
    print(f"supported with a number that is not in the source: {overlooked}")
    low = [
        row for row in rows if row.run == "words" and row.auc < float(floors.get(row.collection, 0))
    ]
    print(*(f"{row.collection}: AUC {row.auc:.3f} is under its floor" for row in low), sep="\n")
    if options.json:
        found = {"rows": [asdict(row) for row in rows], "steps": [asdict(one) for one in pairs]}
        timed = {"first_ms": first, "further_ms": further, "overlooked": overlooked}
        options.json.write_text(json.dumps(found | timed, indent=2) + "\n")
    sys.exit(bool(low or overlooked))


if __name__ == "__main__":
    main()
