"""Outlines and further questions of the extractive model: always valid, out of the sources."""

import pytest
from extractive_prompts import planned
from hypothesis import given
from hypothesis import strategies as st
from sources_in_languages import JUNK, QUESTIONS, SOURCES

from models.calls import Role
from models.extractive.further_questions import make_further_questions
from models.structured import ask_structured
from prompts.outline import OutlinePrompt
from prompts.template import SourceText
from schema.plan import MOST_FURTHER, Outline

QUESTION = "How does full-text search rank documents?"
SUBJECTS = (
    "Inverted index", "Tokenizing", "Stemming", "Stop words", "BM25", "Vectors", "Rank fusion",
    "Rerankers", "Chunking", "Snippets", "Spelling", "Synonyms",
)  # fmt: skip


def article(number: int, headings: bool) -> SourceText:
    subject = SUBJECTS[number % len(SUBJECTS)]
    parts = ("What it is", "How it works", "Its limits") if headings else ("", "", "")
    texts = tuple(
        f"{subject} helps full text search to rank documents. More on {part or number}."
        for part in parts
    )
    return SourceText(
        number + 1, subject, texts, tuple(f"{subject}: {p}" if p else "" for p in parts)
    )


def outline(count: int, told: list[SourceText], question: str = QUESTION) -> Outline:
    return Outline.model_validate_json(planned(question, count, told))


@pytest.mark.parametrize("sections", [1, 3, 6])
@pytest.mark.parametrize("count", [0, 1, 2, 12])
@pytest.mark.parametrize("headings", [True, False], ids=["headings", "no headings"])
def test_an_outline_has_the_sections_that_were_asked_for(
    sections: int, count: int, headings: bool
) -> None:
    made = outline(sections, [article(i, headings) for i in range(count)])
    assert len(made.sections) == sections
    assert all(2 <= len(section.questions) <= 5 for section in made.sections)
    titles = [section.title.casefold() for section in made.sections]
    assert len(set(titles)) == sections
    for section in made.sections:
        assert len({q.casefold() for q in section.questions}) == len(section.questions)


@pytest.mark.parametrize("sections", [3, 6])
def test_sections_are_the_documents_that_speak_of_the_question(sections: int) -> None:
    told = [article(i, headings=True) for i in range(12)]
    told[4] = SourceText(5, "Full-text search ranks documents", told[4].passages, told[4].headings)
    told[7] = SourceText(8, "Bread", ("Flour and water.",), ("Dough",))
    made = outline(sections, told)
    titles = [section.title for section in made.sections]
    assert titles[0] == "Full-text search ranks documents"
    assert set(titles) <= {source.title for source in told} - {"Bread"}


def test_questions_of_a_section_are_what_its_document_has_headings_for() -> None:
    made = outline(3, [article(i, headings=True) for i in range(3)])
    for section in made.sections:
        wanted = [f"{section.title}: {p}" for p in ("What it is", "How it works", "Its limits")]
        assert section.questions == wanted


def test_with_few_documents_sections_are_headings_and_phrases_of_theirs() -> None:
    told = article(0, headings=True)
    made = outline(3, [told])
    said = "\n".join([*told.headings, *told.passages])
    assert all(section.title in said for section in made.sections)
    assert {section.title for section in made.sections} & set(told.headings)


def test_the_one_section_of_a_short_report_asks_the_question_itself() -> None:
    made = outline(1, [article(i, headings=True) for i in range(3)])
    assert made.sections[0].title == QUESTION.rstrip("?")
    assert made.sections[0].questions[0] == QUESTION


@pytest.mark.parametrize("language", SOURCES)
def test_outlines_are_made_in_every_script(language: str) -> None:
    question = QUESTIONS[language][0]
    made = Outline.model_validate_json(planned(question, 3, SOURCES[language], language))
    assert made.title == question.rstrip("?？؟。")
    said = "".join(source.passages[0] for source in SOURCES[language])
    assert sum(section.title in said for section in made.sections) >= 2


async def test_the_structured_call_takes_it_at_the_first_try() -> None:
    prompt = OutlinePrompt(
        language="en",
        question=QUESTION,
        sections=3,
        fewest=2,
        most=5,
        words=900,
        most_words=900,
        date="2025-01-31",
        memory=[],
        templates=[],
        sources=[],
    )
    made, calls = await ask_structured(Role("planner", "extractive"), prompt, Outline)
    assert len(made.sections) == 3
    assert len(calls) == 1
    assert calls[0]["input_tokens"] > 100


def test_an_outline_names_what_its_sections_leave_out() -> None:
    made = outline(1, [article(i, headings=True) for i in range(6)])
    asked = [one for section in made.sections for one in section.questions]
    assert 3 <= len(made.further) <= MOST_FURTHER
    assert "Tokenizing: What it is" in asked
    assert not any("Tokenizing: What it is" in one for one in made.further)
    assert any("Tokenizing: How it works" in one for one in made.further)
    assert "further" not in made.model_dump()


def test_further_questions_ask_after_what_is_not_covered() -> None:
    told = [article(i, headings=True) for i in range(3)]
    covered = [f"{told[0].title}: {part}" for part in ("What it is", "How it works", "Its limits")]
    asked = make_further_questions(QUESTION, "en", covered, told)
    assert not any("Inverted index" in question for question in asked)
    assert asked[0] == "What else do the sources say about “Tokenizing: How it works”?"


def test_further_questions_are_not_the_same_question_twice() -> None:
    for told in (
        [],
        [article(0, headings=True)],
        [SourceText(1, "Bread", ("Dough.",), ("Dough",))],
    ):
        questions = make_further_questions(QUESTION, "en", [QUESTION], told)
        assert len(set(questions)) == len(questions)


TEXT = st.one_of(
    st.text(max_size=40),
    st.lists(JUNK).map("".join),
    st.lists(
        st.sampled_from([*SUBJECTS, "the", "of", "?", "向量检索排序", "ベクトル", "متجهات"])
    ).map(" ".join),
    st.sampled_from(["long " * 200, "長" * 1200, "Is this a heading?" + " yes" * 150 + "?"]),
)
SOURCE = st.builds(
    lambda number, title, parts: SourceText(
        number, title, tuple(text for text, _ in parts), tuple(heading for _, heading in parts)
    ),
    st.integers(0, 99),
    TEXT,
    st.lists(st.tuples(TEXT, TEXT), max_size=5),
)
ASKED = TEXT.filter(lambda text: any(character.isalnum() for character in text))
"""Whatever the pipeline lets through as a question."""


@given(ASKED, st.sampled_from([1, 3, 6]), st.lists(SOURCE, max_size=12))
def test_any_sources_make_a_valid_outline(
    question: str, sections: int, told: list[SourceText]
) -> None:
    assert len(outline(sections, told, question).sections) == sections


@given(ASKED, st.lists(TEXT, max_size=8), st.lists(SOURCE, max_size=12))
def test_any_sources_make_valid_further_questions(
    question: str, covered: list[str], told: list[SourceText]
) -> None:
    made = make_further_questions(question, "en", covered, told)
    assert 3 <= len(made) <= MOST_FURTHER
    assert all(0 < len(one) <= 300 for one in made)


def test_each_document_is_asked_for_in_a_section() -> None:
    told = [article(i, headings=True) for i in range(4)]
    question = "How does full-text search rank documents, and what do its limits cost?"
    made = outline(3, told, question)
    asked = [one for section in made.sections for one in section.questions]
    assert all(any(one.title in text for text in asked) for one in told)


def test_an_advertisement_titles_no_section() -> None:
    told = [article(0, headings=True), article(1, headings=True)]
    boast = SourceText(9, "Full-text search breaks all records", told[0].passages)
    titles = [one.title for one in outline(2, [boast, *told]).sections]
    assert "Full-text search breaks all records" not in titles
