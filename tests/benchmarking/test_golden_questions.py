"""The golden questions: their sources hold what the rubrics say, and each quote makes its point."""

import html
import re
from pathlib import Path

import pytest
from golden_answers import ANSWERS

from benchmarks.golden import QUESTIONS
from benchmarks.measures.answering import falls_into, find_answering
from benchmarks.measures.reading import Paper, Section
from benchmarks.measures.rubric import Question, flatten, load_questions, matches_all

ALL = load_questions(QUESTIONS)
EACH = pytest.mark.parametrize("question", ALL, ids=[one.name for one in ALL])
INLINE = "a|abbr|b|code|em|i|q|small|strong|sub|sup"


def read(file: Path) -> str:
    """A source as a person reads it, whatever our own readers make of it."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".html":
        text = re.sub(rf"</?(?:{INLINE})\b[^>]*>", "", text)
        text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    return flatten(text)


def texts(question: Question) -> dict[str, str]:
    return {file.name: read(file) for file in question.sources.iterdir()}


def test_there_are_ten_questions_of_as_many_shapes() -> None:
    assert len(ALL) == len({one.shape for one in ALL}) == 10
    assert {one.language for one in ALL} == {"en", "de"}


@EACH
def test_a_question_has_enough_to_be_hard(question: Question) -> None:
    found = texts(question)
    assert 5 <= len(found) <= 10
    assert max(len(text.split()) for text in found.values()) >= 2_950
    assert {Path(name).suffix for name in found} == {".md", ".html"}
    assert 10 <= len(question.points) <= 15
    assert question.gaps
    assert question.traps


@EACH
def test_every_point_stands_in_its_document_and_its_quote_makes_it(question: Question) -> None:
    found = texts(question)
    for point in question.points:
        assert set(point.documents) <= found.keys(), point.says
        quote = flatten(point.quote)
        assert quote in found[point.documents[0]], point.says
        assert matches_all(point.must, quote), point.says


@EACH
def test_a_trap_that_quotes_a_source_is_one(question: Question) -> None:
    found = texts(question)
    for trap in question.traps:
        if trap.quote:
            assert flatten(trap.quote) in found[trap.document], trap.says
            assert falls_into(trap, flatten(trap.quote)), trap.says


@pytest.mark.parametrize("name", ANSWERS)
def test_a_good_answer_in_other_words_makes_nearly_every_point(name: str) -> None:
    question = next(one for one in ALL if one.name == name)
    paper = Paper([question.text], question.language, [Section("", ANSWERS[name])], [])
    found = find_answering(paper, question)
    assert len(found.missed) <= len(question.points) / 10, found.missed
    assert found.gaps_named
    assert not found.false_absences
    assert not found.fallen
