"""The words of the library that are shown behind a question for a next report."""

from pathlib import Path

import pytest

from connectors.search_all import SearchRequest
from graphs.ingest import graph as ingest_graph
from library.library import open_library
from nodes.common.stored_excerpts import MAX_CHARACTERS, find_stored_excerpts
from schema.context import Context

MINUTES = (
    "The committee met on 4 March and approved the minutes. "
    "Would potassium formate harm the bridge? "
    "On the northern bridge potassium formate was tried for two winters. "
    "It kept the deck free of ice down to minus twenty. "
    "The chair thanked all for coming."
)
SUBJECT = "What keeps roads and bridges free of ice?"
TITLES = ("Potassium formate", "Ice on bridges", "Harm to concrete", "Brine tanks", "Grit bins")
CONTENTS = "\n".join(f"{n}. {title} {'.' * 20} {9 * n}" for n, title in enumerate(TITLES, start=1))


async def find(space: str, folder: Path, question: str, **pages: str) -> str:
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(f"# {name.capitalize()}\n\n{text}\n")
    context = Context(space=space)
    await ingest_graph.ainvoke({"sources": [str(folder)]}, context=context)
    request = SearchRequest(await open_library(space), 8)
    strange = "Which marmalade do whales prefer?"
    found = await find_stored_excerpts([question, strange], SUBJECT, "en", request, context)
    assert found[1] == ""
    return found[0]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "Was potassium formate tried on a northern bridge?",
            "On the northern bridge potassium formate was tried for two winters.",
        ),
        (
            "Does potassium formate keep a bridge deck free of ice?",
            "On the northern bridge potassium formate was tried for two winters. "
            "It kept the deck free of ice down to minus twenty.",
        ),
        (
            "Would potassium formate harm the bridge?",
            "On the northern bridge potassium formate was tried for two winters.",
        ),
        ("What does the committee cost?", ""),
        ("Who is liable for ice on the bridges?", ""),
        (
            "Which cheap de-icers without chloride, such as acetates or potassium formate, could "
            "replace salt on roads, pavements and runways?",
            "On the northern bridge potassium formate was tried for two winters.",
        ),
    ],
    ids=[
        "one sentence",
        "two sentences",
        "no question",
        "one word in common",
        "the subject's",
        "one clause",
    ],
)
async def test_the_sentence_or_two_that_share_most_words_with_a_question_are_found(
    space: str, tmp_path: Path, question: str, told: str
) -> None:
    assert await find(space, tmp_path, question, minutes=MINUTES) == told


async def test_an_example_that_a_question_names_is_looked_up_for_itself(
    space: str, tmp_path: Path
) -> None:
    """What shares most words with the whole question is told too, first."""
    task = "The office was to say what other ways of treating pavements cost and harm."
    question = "What do other ways of treating pavements, such as potassium formate, cost and harm?"
    told = await find(space, tmp_path, question, minutes=MINUTES, task=task)
    assert told == (
        f"{task} … On the northern bridge potassium formate was tried for two winters. "
        "It kept the deck free of ice down to minus twenty."
    )


async def test_contents_and_headings_tell_nothing(space: str, tmp_path: Path) -> None:
    question = "Does potassium formate harm concrete?"
    headed = "## Does potassium formate harm concrete\n\nNobody came to the meeting in March."
    assert await find(space, tmp_path, question, handbook=CONTENTS, agenda=headed) == ""


async def test_a_long_sentence_is_shortened(space: str, tmp_path: Path) -> None:
    long = f"Potassium formate was tried on the bridge{', and on another road' * 20}."
    question = "Was potassium formate tried on a bridge?"
    told = await find(space, tmp_path, question, minutes=long)
    assert told.startswith("Potassium formate was tried on the bridge")
    assert len(told) <= MAX_CHARACTERS
