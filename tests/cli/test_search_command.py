"""`quire search`: what it shows, what it keeps to, and what it says when it cannot."""

import json
from typing import Any

import command_line
import pytest
from command_line import Done, one_sentence

from library.library import open_library
from schema.documents import Document

QUESTION = "how do herons fish"
ABOUT = "Herons fish at dawn in shallow water. "


def quire(*arguments: str) -> Done:
    return command_line.quire("search", *arguments)


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
    assert done.code == 0, done.err
    return list(dict.fromkeys(hit["title"] for hit in json.loads(done.out)["hits"]))


def test_it_shows_title_heading_grade_place_and_text(birds: str) -> None:
    done = quire(QUESTION, "--space", birds, "--limit", "2")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert any(line.startswith("1. ") and line.endswith("(strong, 1.00)") for line in lines)
    assert sum(line[:3] in ("1. ", "2. ", "3. ") for line in lines) == 2
    assert any(" › Chapter " in line for line in lines)
    assert any(line.startswith("   file:///birds/") and line.endswith("]") for line in lines)
    assert ABOUT.strip() in done.out
    assert "relevance" not in done.out
    assert "fusion:" not in done.out


def test_explained_it_shows_scores_relevance_kind_and_every_step(birds: str) -> None:
    done = quire(QUESTION, "--space", birds, "--explain", "--tune", "retrievers=lexical,title")
    assert done.code == 0, done.err
    explained = [line for line in done.out.splitlines() if ", relevance " in line]
    hits = sum(line.startswith("   file:") or "chat:1 [" in line for line in done.out.splitlines())
    assert len(explained) == hits > 2
    assert any(line.startswith("   lexical 0.") for line in explained)
    assert all(
        line.split(", ")[-1] in ("abstract", "overview", "body") or "same as" in line
        for line in explained
    )
    steps = [line.partition(":")[0] for line in done.out.splitlines()]
    expected = ["query", "retriever lexical", "retriever title", "fusion", "hits"]
    assert [step for step in steps if step in expected] == expected
    assert "query: language en, words " in done.out
    assert "fusion: kind scores, " in done.out
    assert "hits: count " in done.out


@pytest.fixture
async def twins(space: str) -> str:
    """A space with two documents that say the same."""
    same = [Document(uri=uri, text=ABOUT * 5, title=uri, connector="files") for uri in ("a", "b")]
    await (await open_library(space)).store(same)
    return space


def test_explained_it_says_which_hit_another_repeats(twins: str) -> None:
    shown = quire(QUESTION, "--space", twins, "--explain").out
    assert shown.count(", says the same as 1\n") == 1
    hits = json.loads(quire(QUESTION, "--space", twins, "--json").out)["hits"]
    assert [hit["mirror_of"] for hit in hits] == [None, 1]


def test_as_json_it_tells_all(birds: str) -> None:
    done = quire(QUESTION, "--space", birds, "--json")
    told = json.loads(done.out)
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
    assert set(hit["retriever_scores"]) == {"lexical"}
    assert 0 < hit["score"] <= 1
    assert hit["relevance"] == 1.0


def test_whole_documents_stand_together(birds: str) -> None:
    told = json.loads(quire(QUESTION, "--space", birds, "--tune", "mode=documents", "--json").out)
    titles = [hit["title"] for hit in told["hits"]]
    assert titles.count("Long") == 4  # no passage is left out as one that says the same
    first = titles.index("Long")
    assert titles[first : first + 4] == ["Long"] * 4
    assert found(QUESTION, "--space", birds, "--tune", "mode=documents", "--limit", "1") == [
        titles[0]
    ]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--connector", "chat"], {"Chat"}),
        (["--connector", "chat", "--connector", "files"], {"Long", "Short", "Soup", "Chat"}),
        (["--under", "file:///birds"], {"Long", "Short"}),
        (["--under", "file:///birds/short.md", "--under", "chat:1"], {"Short", "Chat"}),
        (["--since", "2020-01-01"], {"Short"}),
        (["--tune", "until=2020-01-01"], {"Long"}),
        (["--under", "files/cooks"], {"Soup"}),
    ],
)
def test_it_keeps_to_what_is_named(birds: str, options: list[str], expected: set[str]) -> None:
    assert set(found(QUESTION, "--space", birds, *options)) == expected


@pytest.fixture
async def remembered(birds: str) -> str:
    """The space that remembers a report."""
    memory = (await open_library(birds)).open_part("memory")
    await memory.store([Document(uri="report:1", text=ABOUT, title="Kept", connector="memory")])
    return memory.space


def test_what_is_remembered_can_be_searched(remembered: str) -> None:
    assert found(QUESTION, "--space", remembered) == ["Kept"]


def test_the_planner_says_what_it_looked_for(birds: str) -> None:
    done = quire("How do herons fish?", "--space", birds, "--tune", "intent=true")
    assert done.code == 0, done.err
    assert done.out.startswith("resource 1: ")
    told = json.loads(
        quire("How do herons fish?", "--space", birds, "--tune", "intent=true", "--json").out
    )
    assert told["queries"][0]["type"] == "resource"
    assert (told["memory"], told["skill"]) == ([], [])
    assert told["hits"]


@pytest.mark.parametrize("arguments", [["zebras"], ["zebras", "--json"], ["?!", "--explain"], [""]])
def test_nothing_found_is_one_sentence(birds: str, arguments: list[str]) -> None:
    done = quire(*arguments, "--space", birds)
    assert done.code == 1
    assert one_sentence(done).startswith(f"Nothing in the space “{birds}” holds these words: ")
    if "--json" in arguments:
        assert json.loads(done.out)["hits"] == []
