"""Collections are read line by line, whatever their texts hold."""

from pathlib import Path
from typing import Any

import pytest
from programs import write_rows

from benchmarks import retrieval, search_scale, snippets
from benchmarks.jsonl import rows
from benchmarks.measures import claims as labelled

TEXT = "Herons fish at dawn in water.\u2028Swifts sleep high in the air.\x85Owls\x0b.\x1c\u2029"
"""What `str.splitlines` takes for five lines."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A collection whose texts have all separators, as `ensure_ascii=False` writes them."""
    rows: dict[str, list[Any]] = {}
    for name in ("corpus", "queries", "questions"):
        one = {"id": name, "title": TEXT, "text": TEXT, "doc": "corpus", "question": TEXT}
        rows[name] = [one, one]
    healthver = {"id": "c", "claim": TEXT, "label": "Supports", "evidence": TEXT}
    rows |= {
        "wice/dev": [{"id": "a", "claim": TEXT, "label": "supported", "evidence": [TEXT]}],
        "scifact_claims/claims": [
            {"claim_id": "b", "claim": TEXT, "label": "SUPPORT", "sentences": [TEXT]}
        ],
        "healthver/dev": [healthver],
        "healthver/test": [healthver],
    }
    write_rows(tmp_path, rows)
    blank = (tmp_path / "corpus.jsonl").read_text().replace("\n", "\n\n", 1)
    (tmp_path / "corpus.jsonl").write_text(blank)
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nqueries\tcorpus\t1\n")
    return tmp_path


def test_a_text_with_separators_of_lines_is_one_row(folder: Path) -> None:
    assert [one["text"] for one in rows(folder / "corpus.jsonl")] == [TEXT, TEXT]


def test_every_benchmark_reads_them_whole(folder: Path) -> None:
    read = retrieval.read(folder, None)
    assert [one["text"] for one in (*read.documents, *read.queries)] == [TEXT] * 4
    texts, questions = snippets.read(folder)
    assert texts == {"corpus": TEXT}
    assert [one["question"] for one in questions] == [TEXT, TEXT]
    assert search_scale.read([folder])[1] == [TEXT, TEXT]
    claims = [one for held in labelled.read(folder).values() for one in held]
    assert [(one.text, one.source) for one in claims] == [(TEXT, TEXT)] * 4
