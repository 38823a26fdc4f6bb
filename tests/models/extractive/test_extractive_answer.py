"""Answers of the extractive model: quotes with marks, or an honest NOT FOUND."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from extractive_prompts import answered, check_verbatim, citations
from hypothesis import example, given
from hypothesis import strategies as st
from sources_in_languages import sentences_of
from sources_of_larkfield import (
    ATTACK,
    BORN,
    BUILT,
    ELSEWHERE,
    LOOMS,
    MILL,
    NOTICE,
    ODD,
    TOLD,
    WEAVER,
)

from citations.markers import normalise_markers
from models.extractive.answer import MAX_SENTENCES
from models.extractive.question_type import asks_for_amount
from prompts.answer_question import NOT_FOUND
from prompts.template import SourceText

EACH = pytest.mark.parametrize("language", TOLD)
AMOUNTS = {language: question for language, (question, _) in LOOMS.items()}


def told_of(text: str) -> str:
    """What an answer quotes, whether it found what was asked or not."""
    return text.removeprefix(NOT_FOUND).lstrip("\n")


def cited(text: str) -> set[int]:
    return {number for _, number in citations(told_of(text))}


@EACH
def test_a_question_is_answered_by_the_sentence_that_holds_it_or_its_amount(language: str) -> None:
    looms, amount = LOOMS[language]
    for question, held in ((BUILT[language], "唐阿莫|Amos Tarn"), (looms, amount)):
        text = answered(question, TOLD[language], language)
        check_verbatim(text, TOLD[language])
        assert re.search(held, text)
    assert cited(answered(BUILT[language], TOLD[language], language)) == {MILL}


@EACH
def test_two_pages_that_only_together_hold_the_question_answer_it(language: str) -> None:
    told = TOLD[language]
    text = answered(BORN[language], told, language)
    check_verbatim(text, told)
    assert cited(text) == {MILL, WEAVER}
    for left_out in (MILL, WEAVER):
        rest = [source for source in told if source.number != left_out]
        assert answered(BORN[language], rest, language).startswith(NOT_FOUND)


@pytest.mark.parametrize(
    ("language", "question", "said"),
    [
        ("en", AMOUNTS["en"], "The looms stood in the mill of Larkfield by the river."),
        ("de", AMOUNTS["de"], "Die Webstühle standen in der Mühle von Larkfeld am Fluss."),
        ("zh", AMOUNTS["zh"], "织机都在兰田磨坊里。"),
        (
            "en",
            "How many people lived in Larkfield in 1912?",
            "In 1912 people lived in Larkfield by the river.",
        ),
    ],
)
def test_a_question_for_an_amount_is_not_answered_without_another_number(
    language: str, question: str, said: str
) -> None:
    told = [SourceText(MILL, "", (said,))]
    text = answered(question, told, language)
    assert text.startswith(NOT_FOUND)
    check_verbatim(told_of(text), told)


@EACH
def test_sources_that_speak_of_something_else_answer_nothing(language: str) -> None:
    assert answered(ELSEWHERE[language], TOLD[language], language).startswith(NOT_FOUND)
    assert answered(BUILT[language], TOLD[language][2:], language).startswith(NOT_FOUND)
    assert answered(BUILT[language], [], language) == NOT_FOUND


@EACH
@pytest.mark.parametrize("asked", [BUILT, BORN, AMOUNTS, ELSEWHERE])
def test_a_page_that_would_rather_be_a_prompt_changes_nothing(
    asked: dict[str, str], language: str
) -> None:
    mill, *others = TOLD[language]

    def beside(notice: SourceText) -> list[str]:
        """Answers with a notice as a page of its own, and at the end of another."""
        longer = replace(mill, passages=(*mill.passages, *notice.passages), headings=())
        return [
            answered(asked[language], told, language)
            for told in ([notice, mill, *others], [longer, *others])
        ]

    assert beside(ATTACK[language]) == beside(NOTICE[language])


@EACH
def test_the_marks_survive_the_numbering_of_citations(language: str) -> None:
    text = answered(BORN[language], TOLD[language], language)
    assert normalise_markers(text, {MILL, WEAVER}) == (text, 0)


SENTENCES = [one for told in TOLD.values() for one in sentences_of(told)]
QUESTIONS = [*BUILT.values(), *BORN.values(), *AMOUNTS.values(), *ELSEWHERE.values()]
PASSAGE = st.lists(st.sampled_from(SENTENCES) | ODD, max_size=5).map(" ".join)
UNMARKED = PASSAGE.map(lambda text: re.sub(r"[\0\[\](){}*_`~【】]", "", text))
"""Without what a quote leaves out: markup, links, marks of the page's own."""


@given(
    st.sampled_from(QUESTIONS) | ODD,
    st.lists(st.tuples(ODD, UNMARKED), max_size=4),
    st.sampled_from(sorted(TOLD)),
)
def test_any_pages_are_answered_with_quotes_of_them(
    question: str, pages: Sequence[tuple[str, str]], language: str
) -> None:
    told = [SourceText(n, title, (text,)) for n, (title, text) in enumerate(pages, start=50)]
    check_verbatim(told_of(answered(question, told, language)), told)


@given(
    st.sampled_from(QUESTIONS) | ODD,
    st.lists(PASSAGE, max_size=4),
    st.sampled_from(sorted(TOLD)),
)
@example(
    "Do apples, barley, cherries, dates, endives and figs grow in Larkfield?",
    [
        "Apples grow in Larkfield. Barley grows in Larkfield. Cherries grow in Larkfield [7]. "
        "Dates grow in Larkfield. Endives grow in Larkfield. Figs grow in Larkfield."
    ],
    "en",
)
def test_no_mark_of_a_page_is_taken_for_one_of_the_answer(
    question: str, texts: Sequence[str], language: str
) -> None:
    told = [SourceText(n, "", (text,)) for n, text in enumerate(texts, start=50)]
    text = told_of(answered(question, told, language))
    found = citations(text)
    assert {number for _, number in found} <= {source.number for source in told}
    assert len(found) <= MAX_SENTENCES
    assert normalise_markers(text, [number for _, number in found]) == (text, 0)


@pytest.mark.parametrize(
    "question",
    [
        *AMOUNTS.values(),
        "When did the mill burn down?",
        "Since when has there been a mill in Larkfield?",
        "Who built the mill, and when?",
        "How old is the mill?",
        "Wann brannte die Mühle ab?",
        "Seit wann gibt es die Mühle?",
        "Quand le moulin a-t-il brûlé ?",
        "Depuis quand y a-t-il un moulin ?",
        "¿Cuántos telares había en el molino?",
        "Quando è bruciato il mulino?",
        "Когда сгорела мельница?",
        "兰田磨坊何时被烧毁？",
        "水車はいつ焼けましたか。",
    ],
)
def test_amounts_and_dates_are_asked_for(question: str) -> None:
    assert asks_for_amount(question)


@pytest.mark.parametrize(
    "question",
    [
        *BUILT.values(),
        *BORN.values(),
        *ELSEWHERE.values(),
        "What happens to dough when it is kneaded?",
        "Why does a cat purr when petted?",
        "Que se passe-t-il quand la pâte lève ?",
        "Cosa succede quando l'acqua gela?",
        "Что происходит, когда вода замерзает?",
        "Why did the mill burn down?",
    ],
)
def test_a_clause_with_when_asks_for_no_date(question: str) -> None:
    assert not asks_for_amount(question)
