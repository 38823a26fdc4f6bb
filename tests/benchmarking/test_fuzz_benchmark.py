"""The fuzzing benchmark: inputs follow from their seed, and every kind of failure is seen."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from programs import run_program

from benchmarks import fuzz
from benchmarks.reliability.fuzzing.feeder import Feeder
from benchmarks.reliability.fuzzing.inputs import KINDS, documents, front_matter, make
from benchmarks.reliability.fuzzing.mutation import mutated_bytes, mutated_json, mutated_text
from benchmarks.reliability.process import Place

CHILD = """
import json, os, sys, time
print("ready", flush=True)
while line := sys.stdin.readline():
    asked = json.loads(line)["do"]
    if asked == "hang":
        time.sleep(60)
    if asked == "crash":
        os._exit(139)
    print(json.dumps({"outcome": "ok", "seconds": 0.0}), flush=True)
"""


def test_inputs_follow_from_their_seed() -> None:
    made = [make(f"1:{number}") for number in range(60)]
    assert json.dumps(made) == json.dumps([make(f"1:{number}") for number in range(60)])
    assert len({json.dumps(one) for one in made}) == 60
    assert json.dumps(made) != json.dumps([make(f"2:{number}") for number in range(60)])


def test_every_kind_and_every_format_has_its_share() -> None:
    made = [make(f"3:{number}") for number in range(1500)]
    assert set(Counter(one["kind"] for one in made)) == set(KINDS)
    suffixes = Counter(one["suffix"] for one in made if one["kind"] == "file")
    assert set(suffixes) == set(documents())
    for suffix in (".md", ".html", ".pdf", ".docx", ".eml", ".ipynb", ".py"):
        assert suffixes[suffix] >= 10, suffix


def test_inputs_are_small_enough_to_be_many() -> None:
    sizes = [len(json.dumps(make(f"4:{number}"))) for number in range(300)]
    assert max(sizes) < 1_000_000


def test_mutations_change_what_they_are_given() -> None:
    draw = Random("mutations")
    text, data = "The piers are old [1]. " * 20, b"%PDF-1.7 " * 50
    assert sum(mutated_text(text, draw) != text for _ in range(50)) > 45
    assert sum(mutated_bytes(data, draw, [data]) != data for _ in range(50)) > 45
    value = {"results": [{"url": "https://a.test/", "score": 0.5}]}
    assert sum(mutated_json(value, draw) != value for _ in range(50)) > 45
    assert value == {"results": [{"url": "https://a.test/", "score": 0.5}]}
    assert front_matter(draw).startswith("---\n")


@pytest.fixture
def feeder(tmp_path: Path) -> Feeder:
    script = tmp_path / "child.py"
    script.write_text(CHILD)
    return Feeder(Place(tmp_path, tmp_path), "space", 1.0, script)


@pytest.mark.slow
def test_a_hang_and_a_crash_are_told_and_another_child_goes_on(feeder: Feeder) -> None:
    try:
        outcomes = [feeder.feed({"do": what})["outcome"] for what in ("", "crash", "", "hang", "")]
    finally:
        feeder.close()
    assert outcomes == ["ok", "crash", "ok", "hang", "ok"]


def test_failures_of_one_place_are_one_fault(tmp_path: Path) -> None:
    raw = {"kind": "row", "outcome": "raw", "error": "KeyError: 'x'", "place": "exports/a.py:3"}
    assert fuzz.fault(raw) == "row: KeyError exports/a.py:3"
    assert fuzz.fault({"kind": "file", "outcome": "hang", "error": "over 10 s"}) == "file: hang"
    path = fuzz.keep(tmp_path / "new", 1, make("1:1"), raw)
    assert json.loads(path.read_text())["input"] == make("1:1")


@pytest.mark.weekly
def test_inputs_are_eaten_counted_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    arguments = ["--inputs", "60", "--seed", "8", "--jobs", "1"]
    arguments += ["--seconds", "60", "--failures", str(tmp_path / "failures")]
    assert run_program(fuzz.main, *arguments, "--json", str(out)) == 0, capsys.readouterr().out
    told = json.loads(out.read_text())
    assert [row["kind"] for row in told["rows"]] == [*sorted(KINDS), "all"]
    assert told["rows"][-1]["inputs"] == 60
    assert told["rows"][-1]["named"] > 0
    assert told["faults"] == {}
