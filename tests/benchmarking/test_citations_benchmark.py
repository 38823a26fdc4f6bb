"""The benchmark of the verdicts, on claims few enough to be judged by hand."""

import json
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from fakes.tiny_models import head_graph, lay_out
from programs import run_program, write_rows

from benchmarks import citations
from benchmarks.citations import measure, precision
from benchmarks.measures.citation_cosine import Compared, show_cosines
from benchmarks.measures.citation_steps import Scored, fit_band, measure_pairs
from benchmarks.measures.claims import (
    Claim,
    auc,
    balanced,
    fitted,
    halves,
    missing_number,
    read,
    read_sources,
)
from citations.bands import NEVER, Band

PAGE = ["The barn owl hears a mouse below the snow.", "It weighs 350 grams.", "Wrens sing loudly."]
CLAIMS = {
    "The barn owl hears a mouse below the snow.": "supported",
    "The barn owl weighs 350 grams.": "supported",
    "The barn owl weighs 290 grams.": "not_supported",
    "Herons stand in shallow water.": "not_supported",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """All sets, in their layouts."""
    wice = [
        {"id": f"claim {n}", "claim": claim, "label": label, "evidence": PAGE}
        for n, (claim, label) in enumerate(list(CLAIMS.items()) * 3)
    ]
    scifact = [
        {"claim_id": one["id"], "claim": one["claim"], "sentences": PAGE, "label": label}
        for one in wice
        for label in ["SUPPORT" if one["label"] == "supported" else "CONTRADICT"]
    ]
    healthver = [
        {"id": one["id"], "claim": one["claim"], "evidence": " ".join(PAGE), "label": label}
        for one in wice
        for label in ["Supports" if one["label"] == "supported" else "Neutral"]
    ]
    sets = {"wice/dev": wice, "scifact_claims/claims": scifact}
    write_rows(tmp_path, {**sets, "healthver/dev": healthver[:6], "healthver/test": healthver[6:]})
    return tmp_path


def test_auc_is_the_share_of_pairs_in_order() -> None:
    truth = np.array([True, True, False, False])
    assert auc(truth, np.array([0.9, 0.5, 0.5, 0.1])) == pytest.approx(3.5 / 4)


def test_balanced_accuracy_weighs_both_sides_alike() -> None:
    truth = np.array([True, False, False, False])
    assert balanced(truth, np.array([True, True, True, False])) == pytest.approx((1 + 1 / 3) / 2)


def test_a_fit_finds_what_tells_true_from_false() -> None:
    truth = np.array([True, False] * 20)
    evidence = np.column_stack([truth, ~truth, np.ones(40)]).astype(float)
    weights = fitted(evidence, truth, np.ones(40))
    assert weights[0] > 1
    assert weights[1] < -1


def test_halves_are_measured_on_what_was_not_fitted(folder: Path) -> None:
    sets = {}
    for name, claims in read(folder).items():
        # evidence that is right in one half and wrong in the other
        side = np.array([crc32(one.name.encode()) % 2 for one in claims])
        right = np.array([one.right for one in claims])
        sets[name] = claims, np.where(right == (side == 0), 1.0, 0.0)[:, None]
    assert all(value < 0.5 for value in halves(sets).values())


@pytest.mark.parametrize(
    ("claim", "source", "missing"),
    [
        ("It has 1,200 rooms.", "1200 rooms", False),
        ("On May 5", "on May 05", False),
        ("It has 12 rooms.", "13 rooms", True),
        ("In 2018–19", "from 2018 to 2019", False),
        ("No number", "", False),
    ],
)
def test_a_missing_number_is_seen_by_plain_comparison(
    claim: str, source: str, missing: bool
) -> None:
    assert missing_number(Claim(claim, source, True, "", "")) == missing


def test_a_set_is_measured(folder: Path) -> None:
    claims = read(folder)["wice"]
    assert sum(one.right for one in claims) == 6
    (share, told), given = measure("wice", claims, read_sources(claims))
    assert (share.run, told.run) == ("share", "words")
    assert told.auc == told.balanced == 1.0
    assert told.kinds
    assert told.kinds["supported"]["supported"] == 6
    assert told.kinds["not_supported"]["partial"] == 3
    assert told.kinds["not_supported"]["otherwise"] == 0
    assert len(given) == 12


def test_precision_counts_the_labels_that_make_a_kind_right() -> None:
    kinds = {
        "Supports": {"supported": 3, "contradicted": 1},
        "Neutral": {"supported": 1, "contradicted": 2},
        "Refutes": {"supported": 0, "contradicted": 1},
    }
    assert precision(kinds, "supported") == "3 of 4 (0.75)"
    assert precision(kinds, "contradicted") == "1 of 4 (0.25)"
    assert precision({"supported": {"contradicted": 2}}, "contradicted") == ""
    assert precision({"Refutes": {"contradicted": 0}}, "contradicted") == "0 of 0"


RIGHT = np.array([True] * 30 + [False] * 25)
FIRST = Scored(
    right=RIGHT,
    refuted=np.arange(55) >= 35,
    allowed=np.ones(55, bool),
    supported=np.repeat([0.9, 0.5, 0.1], [20, 15, 20]),
    contradicted=np.repeat([0.0, 0.7], [34, 21]),
)
"""20 clear ones on either side, 10 right of 15 in doubt; of 21 called contradicted 20 are."""


def test_a_band_is_as_wide_as_the_set_bears_out() -> None:
    band = fit_band(FIRST)
    assert band.supported == 0.5  # 30 of 35
    assert 0.1 < band.unsupported < 0.2  # 20 of 20, and only 25 of 35 with the next
    assert band.contradicted == 0.7
    few = Scored(*(one[::2] if one is not None else None for one in vars(FIRST).values()))
    assert fit_band(few) == Band(NEVER, 0, NEVER, "")
    barred = replace(FIRST, allowed=~RIGHT)
    assert fit_band(barred).supported == NEVER


def test_a_step_is_measured_on_sets_that_it_was_not_fitted_on() -> None:
    turned = replace(FIRST, right=~RIGHT, refuted=None)
    used = Band(0.9, 0.1, 0.7, "this test")
    found = {
        (one.fitted_on, one.measured_on): one
        for one in measure_pairs("checker", {"a": FIRST, "b": turned}, used)
    }
    assert {*found} == {("a", "b"), ("b", "a"), ("(in use)", "a"), ("(in use)", "b")}
    other = found["a", "b"]
    assert (other.auc, other.balanced) == (pytest.approx(1 / 30), pytest.approx(0.1))
    assert (other.precision, other.recall) == (pytest.approx(1 / 7), pytest.approx(0.2))
    assert other.bars["supported from"] == (0.5, 5, 35)
    assert "contradicted from" not in other.bars
    here = found["(in use)", "a"]
    assert here.bars["supported from"] == (0.9, 20, 20)
    assert here.bars["contradicted from"] == (0.7, 20, 21)


def test_a_cosine_is_weighed_on_one_set_and_measured_on_the_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words, cosine = np.zeros(55), np.where(RIGHT, 0.8, 0.2)
    none = np.zeros(55, bool)
    first = Compared(RIGHT, none, words, cosine)
    second = Compared(~RIGHT, np.arange(55) < 10, words, cosine)
    show_cosines({"a": first, "b": second})
    assert [line.split() for line in capsys.readouterr().out.splitlines()[2:]] == [
        ["a", "b", "0.500", "0.000", "0.000", "0.500", "0.000"],
        ["b", "a", "0.500", "0.000", "1.000"],
    ]


def test_a_checker_s_step_is_asked_and_told(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = lay_out(tmp_path / "tiny", head_graph({"[UNK]": [1.0, 0.0], "wind": [0.0, 50.0]}))
    out = tmp_path / "out.json"
    said = {"id": "x", "claim": "Owls turn with the wind.", "evidence": PAGE, "label": "supported"}
    with (folder / "wice" / "dev.jsonl").open("a") as file:
        file.write(json.dumps(said) + "\n")
    given = ("--checker", f"onnx:{model}", "--floor", "wice=.5", "--json", str(out))
    assert not run_program(citations.main, folder, *given)
    printed = capsys.readouterr().out
    assert f"onnx:{model}: 19 claims" in printed
    assert "all steps" in printed
    told = json.loads(out.read_text())
    [checker] = [one for one in told["steps"] if one["step"] == "checker"]
    assert (checker["measured_on"], checker["auc"], checker["precision"]) == ("wice", 1.0, 1.0)
    [whole] = [
        row for row in told["rows"] if (row["collection"], row["run"]) == ("wice", "all steps")
    ]
    assert whole["kinds"]["supported"]["supported"] == 7


def test_it_fails_under_a_floor_and_where_a_number_is_overlooked(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert not run_program(citations.main, folder, "--json", str(tmp_path / "out.json"))
    told = json.loads((tmp_path / "out.json").read_text())
    assert [row["run"] for row in told["rows"]] == ["share", "words"] * 3
    assert told["overlooked"] == 0
    assert run_program(citations.main, folder, "--floor", "wice=1.1,scifact_claims=.5")
    assert "wice: AUC 1.000 is under its floor" in capsys.readouterr().out
    monkeypatch.setattr(citations, "missing_number", lambda claim: True)
    assert run_program(citations.main, folder)
