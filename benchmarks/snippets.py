"""How much of what answers a question the snippets of its page hold.

A collection is a folder with `corpus.jsonl` (id, text) and `questions.jsonl` (doc, question,
references with start and end). Recall is the share of the references' characters that stand in the
snippets, averaged over the questions.

    python benchmarks/snippets.py DIR [--model minilm] [--floor 0.75,0.83] [--json FILE]

`--floor` names the least recall at 2,000 and at 4,000 characters; with a model it is 0.79,0.85.
"""

import argparse
import asyncio
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.jsonl import rows  # noqa: E402

BUDGETS = (2_000, 4_000)


def read(folder: Path) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Text by id, and the questions whose documents are there."""
    texts = {document["id"]: document["text"] for document in rows(folder / "corpus.jsonl")}
    return texts, [one for one in rows(folder / "questions.jsonl") if one["doc"] in texts]


def recall(references: list[dict[str, Any]], snippets: list[Any]) -> float:
    """Share of the references' characters that stand in the snippets."""
    found = sum(
        max(0, min(one.end, wanted["end"]) - max(one.start, wanted["start"]))
        for wanted in references
        for one in snippets
    )
    return float(found / sum(wanted["end"] - wanted["start"] for wanted in references))


async def measure(folder: Path, model: str) -> list[dict[str, Any]]:
    """For each budget the mean recall, the longest answer in characters, milliseconds a pick."""
    import numpy as np

    from benchmarks.embedders import named_embedder
    from retrieval.passages.snippets import SnippetPicker

    texts, questions = read(folder)
    pickers = {name: SnippetPicker(text) for name, text in texts.items()}
    meaning: list[list[float] | None] = [None] * len(questions)
    if embedder := named_embedder(model) if model else None:
        vectors = {
            name: np.array(
                await embedder.embed_page([texts[name][a:b] for a, b in picker.embedding_units])
            )
            for name, picker in pickers.items()
        }
        asked = [np.array(await embedder.embed_query(one["question"])) for one in questions]
        meaning = [
            (vectors[one["doc"]] @ query).tolist()
            for one, query in zip(questions, asked, strict=True)
        ]
    rows = []
    for budget in BUDGETS:
        started, shares, longest = time.perf_counter(), [], 0
        for one, near in zip(questions, meaning, strict=True):
            snippets = pickers[one["doc"]].pick(one["question"], budget, near)
            longest = max(longest, sum(s.end - s.start for s in snippets))
            shares.append(recall(one["references"], snippets))
        taken = (time.perf_counter() - started) / len(questions)
        rows.append(
            {
                "budget": budget,
                "recall": round(statistics.mean(shares), 4),
                "questions": len(questions),
                "longest": longest,
                "ms": round(1000 * taken, 1),
            }
        )
    return rows


def main() -> None:
    """Measure, print, and exit 1 under a floor."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument(
        "--model", default="", help="minilm, a folder of weights, or provider:model"
    )
    parser.add_argument("--floor", default="")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    floors = given.floor or ("0.79,0.85" if given.model else "0.75,0.83")
    rows = asyncio.run(measure(given.folder, given.model))
    low = False
    for row, floor in zip(rows, map(float, floors.split(",")), strict=True):
        low |= row["recall"] < floor or row["longest"] > row["budget"]
        print("  ".join(f"{name}: {value}" for name, value in row.items()), f" floor: {floor}")
    if given.json:
        given.json.write_text(json.dumps(rows, indent=2) + "\n")
    sys.exit(low)


if __name__ == "__main__":
    main()
