"""`quire search`: what it shows, what it keeps to, and what it says when it cannot."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from library.library import open_library
from schema.documents import Document

ROOT = Path(__file__).parents[2]
QUESTION = "how do herons fish"
ABOUT = "Herons fish at dawn in shallow water. "


def quire(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), "search", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.fixture
async def birds(space: str) -> str:
    """A space with documents of two connectors, places and years."""
    library = await open_library(space)

    def document(uri: str, text: str, **described: Any) -> Document:
        return Document(**{"uri": uri, "text": text, "connector": "files"} | described)

    await library.store(
        [
            document(
                "file:///birds/long.md",
                "".join(f"# Chapter {i}\n\n{ABOUT * 20}\n\n" for i in range(4)),
                title="Long",
                published="2019-05-01",
            ),
            document(
                "file:///birds/short.md", f"{ABOUT}So do egrets.", title="Short", published="2024"
            ),
            document("file:///cooks/soup.md", "Cooks fish for spoons.", title="Soup"),
            document("chat:1", "We saw herons fish.", connector="chat", title="Chat"),
        ]
    )
    return space


def found(*arguments: str) -> list[str]:
    """Titles of the hits, each once, best first."""
    done = quire(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return list(dict.fromkeys(hit["title"] for hit in json.loads(done.stdout)["hits"]))


def test_it_shows_title_heading_grade_place_and_text(birds: str) -> None:
    done = quire(QUESTION, "--space", birds, "--limit", "2")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert any(line.startswith("1. ") and line.endswith("(strong, 1.00)") for line in lines)
    assert sum(line[:3] in ("1. ", "2. ", "3. ") for line in lines) == 2
    assert any(" › Chapter " in line for line in lines)
    assert any(line.startswith("   file:///birds/") and line.endswith("]") for line in lines)
    assert ABOUT.strip() in done.stdout
    assert "evidence" not in done.stdout
    assert "fusion:" not in done.stdout


def test_explained_it_shows_arms_evidence_kind_and_every_step(birds: str) -> None:
    done = quire(QUESTION, "--space", birds, "--explain", "--arm", "words", "--arm", "title")
    assert done.returncode == 0, done.stderr
    explained = [line for line in done.stdout.splitlines() if ", evidence " in line]
    hits = sum(
        line.startswith("   file:") or "chat:1 [" in line for line in done.stdout.splitlines()
    )
    assert len(explained) == hits > 2
    assert any(line.startswith("   words 0.") for line in explained)
    assert all(
        line.split(", ")[-1] in ("abstract", "overview", "body") or "same as" in line
        for line in explained
    )
    steps = [line.partition(":")[0] for line in done.stdout.splitlines()]
    assert [s for s in steps if s in ("query", "arm words", "arm title", "fusion", "hits")] == [
        "query", "arm words", "arm title", "fusion", "hits",
    ]  # fmt: skip
    assert "query: language en, words " in done.stdout
    assert "fusion: kind scores, " in done.stdout
    assert "hits: count " in done.stdout


async def test_explained_it_says_which_hit_another_repeats(space: str) -> None:
    same = [Document(uri=uri, text=ABOUT * 5, title=uri, connector="files") for uri in ("a", "b")]
    await (await open_library(space)).store(same)
    shown = quire(QUESTION, "--space", space, "--explain").stdout
    assert shown.count(", says the same as 1\n") == 1
    hits = json.loads(quire(QUESTION, "--space", space, "--json").stdout)["hits"]
    assert [hit["mirror_of"] for hit in hits] == [None, 1]


def test_as_json_it_tells_all(birds: str) -> None:
    done = quire(QUESTION, "--space", birds, "--json")
    told = json.loads(done.stdout)
    assert {"hits", "grade", "trace", "degraded", "queries"} <= told.keys()
    assert (told["grade"], told["degraded"], told["queries"]) == ("strong", [], [])
    assert told["trace"][0]["step"] == "query"
    [hit] = [hit for hit in told["hits"] if hit["title"] == "Short"]
    assert hit["uri"] == "file:///birds/short.md"
    assert hit["path"] == f"library://{birds}/files/birds/short.md"
    assert hit["published"] == "2024"
    assert hit["text"] == f"{ABOUT}So do egrets."
    assert (hit["start"], hit["end"]) == (0, len(hit["text"]))
    assert (hit["kind"], hit["grade"], hit["hop"], hit["why"]) == ("abstract", "strong", 0, [])
    assert set(hit["arms"]) == {"words"}
    assert 0 < hit["score"] <= 1
    assert hit["evidence"] == 1.0


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--arm", "smell"], "Unknown arm 'smell': use one of exact, meaning, title, words."),
        (["--arm", "words", "--arm", "x"], "Unknown arm 'x': use one of "),
        (["--fusion", "cold"], "Unknown fusion 'cold': use one of ranks, scores."),
        (["--detail", "most"], "Unknown detail 'most': use one of auto, high, low, medium."),
        (["--signal", "noise"], "Unknown signal 'noise': use one of "),
        (["--space", "a~b"], "--space cannot be 'a~b'"),
    ],
)
def test_a_bad_option_is_one_sentence(options: list[str], expected: str) -> None:
    done = quire("words", *options)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(f"quire: {expected}")


def test_whole_documents_stand_together(birds: str) -> None:
    told = json.loads(quire(QUESTION, "--space", birds, "--documents", "--json").stdout)
    titles = [hit["title"] for hit in told["hits"]]
    assert titles.count("Long") == 4  # no passage is left out as one that says the same
    first = titles.index("Long")
    assert titles[first : first + 4] == ["Long"] * 4
    assert found(QUESTION, "--space", birds, "--documents", "--limit", "1") == [titles[0]]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--connector", "chat"], {"Chat"}),
        (["--connector", "chat", "--connector", "files"], {"Long", "Short", "Soup", "Chat"}),
        (["--under", "file:///birds"], {"Long", "Short"}),
        (["--under", "file:///birds/short.md", "--under", "chat:1"], {"Short", "Chat"}),
        (["--since", "2020-01-01"], {"Short"}),
        (["--until", "2020-01-01"], {"Long"}),
        (["--under", "files/cooks"], {"Soup"}),
    ],
)
def test_it_keeps_to_what_is_named(birds: str, options: list[str], expected: set[str]) -> None:
    assert set(found(QUESTION, "--space", birds, *options)) == expected


async def test_what_is_remembered_can_be_searched(birds: str) -> None:
    memory = (await open_library(birds)).part("memory")
    await memory.store([Document(uri="report:1", text=ABOUT, title="Kept", connector="memory")])
    assert found(QUESTION, "--space", f"{birds}~memory") == ["Kept"]


def test_the_planner_says_what_it_looked_for(birds: str) -> None:
    done = quire("How do herons fish?", "--space", birds, "--intent")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("resource 1: ")
    told = json.loads(quire("How do herons fish?", "--space", birds, "--intent", "--json").stdout)
    assert told["queries"][0]["type"] == "resource"
    assert (told["memory"], told["skill"]) == ([], [])
    assert told["hits"]


@pytest.mark.parametrize("arguments", [["zebras"], ["zebras", "--json"], ["?!", "--explain"], [""]])
def test_nothing_found_is_one_sentence(birds: str, arguments: list[str]) -> None:
    done = quire(*arguments, "--space", birds)
    assert done.returncode == 1
    expected = f"quire: Nothing in the space “{birds}” holds these words: quire ingest PATH.\n"
    assert done.stderr == expected
    if "--json" in arguments:
        assert json.loads(done.stdout)["hits"] == []
