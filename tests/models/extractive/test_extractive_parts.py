"""Questions that ask for several things: taken apart, searched for, and a section each."""

import json

import pytest
from extractive_prompts import planned, reformulated

from models.extractive.question_parts import split_question
from prompts.template import SourceText

PUMPS = "Compare heat pumps and gas for old houses: what does each cost, and how loud is each?"


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (PUMPS, ["what does each cost", "how loud is each"]),
        ("How much may be taken, by whom, and why do the figures differ?",
         ["How much may be taken, by whom", "why do the figures differ"]),
        ("Wie funktioniert das Pfand, was kostet es die Läden?",
         ["Wie funktioniert das Pfand", "was kostet es die Läden"]),
        ("Shall we buy the boat? Write a memo with costs, deadlines and risks.",
         ["Shall we buy the boat", "costs", "deadlines", "risks"]),
        ("When and how should roses be pruned?", ["When and how should roses be pruned"]),
        ("How do I set up a pump: which steps, which values?", ["How do I set up a pump"]),
        ("Who was the mayor of Elbing, who built the bridge?",
         ["Who was the mayor of Elbing, who built the bridge"]),
        ("向量检索和关键词检索有什么区别？", ["向量检索和关键词检索有什么区别"]),
    ],
)  # fmt: skip
def test_a_question_is_taken_apart_where_it_asks_anew(question: str, texts: list[str]) -> None:
    language = {"W": "de", "向": "zh"}.get(question[0], "en")
    language = "en" if question.startswith(("When", "Who")) else language
    assert [one.text for one in split_question(question, language)] == texts


def test_each_thing_is_searched_for_with_what_it_is_asked_of() -> None:
    queries = [one["query"] for one in json.loads(reformulated(PUMPS))["queries"]]
    assert queries[0] == PUMPS
    assert queries[1].startswith("what does each cost: ")
    assert "heat pumps" in queries[1]


def test_what_is_asked_for_makes_the_first_sections() -> None:
    told = [SourceText(1, "Prices of heat pumps", ("A heat pump costs 9,000 euro.",), ("Cost",))]
    sections = json.loads(planned(PUMPS, 3, told))["sections"]
    assert [one["title"] for one in sections[:2]] == ["What does each cost", "How loud is each"]
    assert "Prices of heat pumps: Cost" in sections[0]["questions"]
