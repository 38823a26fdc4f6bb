"""Further questions of the extractive model: questions, of what the outline leaves out."""

import pytest

from models.extractive.further_questions import make_further_questions
from models.extractive.phrases import FURTHER_QUESTION, OPEN_QUESTIONS
from prompts.template import SourceText

QUESTION = "How do lighthouses guide ships?"
TEXT = "Lighthouses guide ships along the coast at night."


def asked(*headings: str, title: str = "") -> list[str]:
    told = SourceText(1, title, (TEXT,) * len(headings), headings)
    return make_further_questions(QUESTION, "en", [], [told])


def test_headings_become_questions_without_their_numbers() -> None:
    made = asked("3.2. Lamps and lenses", "Chapter 4. Fog signals", "How bright is the lamp?")
    assert sorted(made) == [
        "How bright is the lamp?",
        "What else do the sources say about “Fog signals”?",
        "What else do the sources say about “Lamps and lenses”?",
    ]


@pytest.mark.parametrize(
    "heading",
    ["T", "Overview", "Siehe auch", "参考文献", "lamp_size", "Lamps (see", "Note:", "7.1", "",
     "How lighthouses guide ships", "Ships that lighthouses guide", "one two " * 20],
)  # fmt: skip
def test_fragments_parts_of_any_page_and_the_question_itself_are_no_subjects(heading: str) -> None:
    assert all(heading not in one for one in asked(heading, "Keepers") if heading)
    assert len(asked(heading, "Keepers")) == 3


def test_what_stands_below_a_heading_speaks_of_the_question() -> None:
    told = SourceText(1, "", (TEXT, "Bread is made of flour."), ("Keepers", "Bakers"))
    made = make_further_questions(QUESTION, "en", [], [told])
    assert any("Keepers" in one for one in made)
    assert not any("Bakers" in one for one in made)


def test_where_no_heading_serves_it_is_asked_what_the_sources_leave_open() -> None:
    made = asked()
    assert made == [
        "What do the sources leave open about “How do lighthouses guide ships”?",
        "Where do the sources disagree about “How do lighthouses guide ships”?",
        "Which of the sources on “How do lighthouses guide ships” is the newest?",
    ]


def test_every_language_has_each_form() -> None:
    for one in OPEN_QUESTIONS:
        assert one.keys() == FURTHER_QUESTION.keys()
        assert all(text.count("{}") == 1 for text in one.values())
