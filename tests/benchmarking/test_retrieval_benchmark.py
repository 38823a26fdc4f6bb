"""The benchmarks of the search, on collections small enough to be known by heart."""

import json
from pathlib import Path
from typing import Any

import pytest
from programs import run_program, write_rows

from benchmarks import retrieval, search_scale
from benchmarks.retrieval import Row, failures, graded, measure, quality, read, reference
from library.library import open_library

BIRDS = {
    "heron": "The grey heron stands in shallow water and waits for a fish.",
    "swift": "The common swift sleeps in the air and lands only to breed.",
    "owl": "The barn owl hears a mouse below the snow.",
    "wren": "The winter wren sings louder than many larger birds.",
}
QUERIES = {
    "q1": ("Where does the grey heron stand?", "heron"),
    "q2": ("Which bird sleeps in the air?", "swift"),
    "q3": ("Who hears a mouse below snow?", "owl"),
}
UNKNOWN = {"u1": ("quarterly revenue", "heron"), "u2": ("interest rates", "owl")}
RUN = ["run", "ndcg", "recall", "mrr", "nothing", "p50", "p95"]


def collection(folder: Path, queries: dict[str, tuple[str, str]]) -> Path:
    """Write a folder in BEIR's layout."""
    corpus = [{"id": name, "title": name, "text": text} for name, text in BIRDS.items()]
    asked = [{"id": name, "text": text} for name, (text, _) in queries.items()]
    asked.append({"id": "unjudged", "text": "What is a bird?"})
    write_rows(folder, {"corpus": corpus, "queries": asked})
    judged = [f"{name}\t{document}\t1" for name, (_, document) in queries.items()]
    judged += [f"{name}\twren\t0" for name in queries]
    (folder / "qrels.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *judged]) + "\n")
    return folder


def row(run: str, ndcg: float) -> Row:
    return Row(run=run, ndcg=ndcg, recall=0, mrr=0, nothing=0, p50=0, p95=0)


def test_a_collection_is_read_without_queries_that_nobody_judged(tmp_path: Path) -> None:
    whole = read(collection(tmp_path / "birds", QUERIES), None)
    assert whole.name == "birds"
    assert [one["id"] for one in whole.documents] == list(BIRDS)
    assert [one["id"] for one in whole.queries] == list(QUERIES)
    assert whole.grades["q1"] == {"heron": 1, "wren": 0}
    assert [one["id"] for one in read(tmp_path / "birds", 2).queries] == ["q1", "q2"]


def test_a_query_that_found_nothing_counts_in_the_means(tmp_path: Path) -> None:
    birds = read(collection(tmp_path / "birds", QUERIES), None)
    ranked = {"q1": ["heron"], "q2": ["owl", "swift"], "q3": []}
    measured = quality(birds, ranked)
    assert measured["R@100"] == pytest.approx(100 * 2 / 3)
    assert measured["RR@10"] == pytest.approx(100 * 1.5 / 3)
    assert measured["nDCG@10"] == pytest.approx(100 * (1 + 0.63093) / 3, abs=0.01)
    timed = retrieval.row("some", birds, ranked, [0.001, 0.002, 0.003])
    assert timed.nothing == pytest.approx(100 / 3)
    assert timed.p50 == pytest.approx(2.0)


def test_one_query_is_enough(tmp_path: Path) -> None:
    one = read(collection(tmp_path / "birds", QUERIES), 1)
    assert retrieval.row("some", one, {"q1": ["heron"]}, [0.002]).p95 == pytest.approx(2.0)


@pytest.mark.slow
async def test_what_the_words_find_is_measured_run_by_run(tmp_path: Path, space: str) -> None:
    birds = read(collection(tmp_path / "birds", QUERIES), None)
    library = await open_library(space)
    rows = {one.run: one for one in await measure(birds, library, place="")}
    assert {"bm25s", "lexical", "title", "hybrid", "+ hierarchy"} <= rows.keys()
    assert not rows.keys() & {"dense", "hybrid, by ranks"}  # no model, no vectors
    for run in ("bm25s", "lexical", "hybrid"):
        assert (rows[run].ndcg, rows[run].mrr, rows[run].nothing) == (100, 100, 0)
    assert rows["title"].nothing > 0
    assert failures("birds", list(rows.values())) == []
    shares = await graded(birds, library)
    assert sum(shares.values()) == pytest.approx(100)
    assert shares["strong"] > shares["weak"]


async def test_queries_that_find_nothing_are_told(tmp_path: Path, space: str) -> None:
    unknown = read(collection(tmp_path / "unknown", UNKNOWN), None)
    library = await open_library(space)
    rows = await measure(unknown, library, place="(..)(.*)")
    [heron] = await library.look_up("heron")
    assert heron.path == "benchmark/he/ron"
    assert {(one.nothing, one.ndcg, one.recall) for one in rows} == {(100, 0, 0)}
    assert reference(unknown).nothing == 100
    assert await graded(unknown, library) == {"weak": 100, "moderate": 0, "strong": 0, "exact": 0}


@pytest.mark.parametrize(
    ("figures", "told"),
    [
        ({"bm25s": 50.0, "lexical": 50.0, "hybrid": 50.0}, []),
        ({"bm25s": 50.2, "lexical": 50.0, "hybrid": 49.6}, []),
        ({"bm25s": 50, "lexical": 50, "hybrid": 49.4}, ["c: hybrid 49.40 < lexical 50.00"]),
        (
            {"bm25s": 50, "lexical": 50, "dense": 60, "hybrid": 55},
            ["c: hybrid 55.00 < dense 60.00"],
        ),
        ({"bm25s": 50.4, "lexical": 50, "hybrid": 50}, ["c: lexical 50.00 < bm25s 50.40"]),
        (
            {"bm25s": 70, "lexical": 60, "dense": 30, "hybrid": 50},
            ["c: hybrid 50.00 < lexical 60.00", "c: lexical 60.00 < bm25s 70.00"],
        ),
    ],
)
def test_what_falls_under_its_floor_is_named(figures: dict[str, float], told: list[str]) -> None:
    assert failures("c", [row(run, ndcg) for run, ndcg in figures.items()]) == told


@pytest.mark.slow
def test_it_prints_tables_and_writes_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    folders = [collection(tmp_path / "birds", QUERIES), collection(tmp_path / "odd", UNKNOWN)]
    assert run_program(retrieval.main, *folders, "--json", out) == 0
    [head, *lines] = capsys.readouterr().out.splitlines()
    assert head.split()[:5] == ["collection", "run", "nDCG@10", "R@100", "MRR@10"]
    [lexical] = [line.split() for line in lines if line.startswith("birds") and " lexical " in line]
    assert lexical[1:6] == ["lexical", "100.00", "100.00", "100.00", "0.0"]
    [odd] = [line.split() for line in lines if line.startswith("odd") and " hybrid " in line]
    assert odd[1:6] == ["hybrid", "0.00", "0.00", "0.00", "100.0"]
    graded_lines = [line for line in lines if " in " in line and "weak" in line]
    pairs = ["birds in birds", "odd in odd", "birds in odd", "odd in birds"]
    assert [line[:40].strip() for line in graded_lines] == pairs
    assert not any("UNDER ITS FLOOR" in line for line in lines)

    told = json.loads(out.read_text())
    assert told.keys() == {"collections", "grades", "failures"}
    assert told["failures"] == []
    assert list(told["grades"]) == pairs
    for rows in told["collections"].values():
        assert all(list(one) == RUN for one in rows)
        assert rows[0]["run"] == "bm25s"


def test_under_a_floor_it_exits_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def measured(*_: Any) -> dict[str, Any]:
        return {"collections": {}, "grades": {}, "failures": ["c: hybrid 1.00 < words 2.00"]}

    monkeypatch.setattr(retrieval, "run", measured)
    assert run_program(retrieval.main, tmp_path) == 1
    assert "UNDER ITS FLOOR  c: hybrid 1.00 < words 2.00" in capsys.readouterr().out


@pytest.mark.slow
def test_the_speed_of_a_size_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    collection(tmp_path / "birds", QUERIES)
    (tmp_path / "more.md").write_text("A kingfisher dives from its branch.\n\nA coot builds rafts.")
    out = tmp_path / "out.json"
    run_program(search_scale.main, tmp_path, "--chunks", 50, "--vectors", 8, "--json", out)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].partition(":")[0].split()[1] == "chunks"
    assert "stored a second; CPU of one: " in lines[0]
    assert lines[0].endswith(" bytes of WAL")
    assert lines[1].startswith("  MB: ")
    assert lines[2].startswith("  vectors made and indexed in ")
    filters = ["connector", "folder", "language", "date"]
    runs = [way + of for way in ("words", "both") for of in ("", *(f" of a {f}" for f in filters))]
    assert [line[2:22].strip() for line in lines[3:-2]] == [*runs[:5], "meaning", *runs[5:]]
    assert all(line.endswith(" hits") for line in lines[3:-2])
    assert [line.split(" as plainly")[0].strip() for line in lines[-2:]] == [
        "first ten by words", "first ten by meaning",
    ]  # fmt: skip
    [told] = json.loads(out.read_text())
    assert told["chunks"] >= 50
    assert told["runs"]["both"]["hits"] == pytest.approx(10, abs=1)
    assert told["runs"]["both of a connector"]["hits"] > 0
    assert "chunks" in told["megabytes"]
    assert told["wal"] > 750  # a chunk's text at the least
    assert told["python"] > 0


@pytest.mark.slow
def test_what_another_run_found_is_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    collection(tmp_path / "birds", QUERIES)
    out = tmp_path / "out.json"
    run_program(search_scale.main, tmp_path, "--chunks", 50, "--vectors", 0, "--json", out)
    told = json.loads(out.read_text())
    found = told[0]["runs"]["words of a connector"]["found"]
    next(one for one in found if one)[0] = "scale:gone#0"
    out.write_text(json.dumps(told))
    capsys.readouterr()
    run_program(search_scale.main, tmp_path, "--chunks", 50, "--vectors", 0, "--against", out)
    shares = [line.split()[0] for line in capsys.readouterr().out.splitlines() if "before" in line]
    assert shares.pop(1) != "100.00%"
    assert shares == ["100.00%"] * 4


def test_a_folder_without_text_is_told_in_a_sentence(tmp_path: Path) -> None:
    told = run_program(search_scale.main, tmp_path)
    assert told.startswith("No text was found: name folders with")
