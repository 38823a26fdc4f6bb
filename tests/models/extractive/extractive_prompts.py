"""Prompts for the extractive model, as the nodes render them, and ways to check its answers."""

import re
from collections.abc import Sequence
from typing import Any

from models.extractive.chat_model import ExtractiveChatModel
from prompts.answer_question import MODES, AnswerQuestionPrompt
from prompts.choose_action import ChooseActionPrompt
from prompts.choose_criteria import ChooseCriteriaPrompt
from prompts.judge_answer import JudgeAnswerPrompt
from prompts.outline import OutlinePrompt
from prompts.reformulate import ReformulatePrompt
from prompts.template import PageText, Prompt, SectionOutline, SourceText, Turn
from prompts.write_queries import WriteQueriesPrompt
from prompts.write_section import POSITIONS, WriteSectionPrompt
from schema.deep_search import Action, Criterion

Plan = Sequence[tuple[str, Sequence[str]]]

_CITED = re.compile(r"(.+?) ?\[(\d+)\]([.!。！…｡۔।]+['\"”’»）)\]]*)\s*", re.DOTALL)
_MARKUP = re.compile(r"!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)|[*_>#`-]")


def answer(prompt: Prompt) -> str:
    """What the model says."""
    return str(ExtractiveChatModel(prompt).invoke(prompt.render()).text)


def section_prompt(
    told: Sequence[SourceText],
    questions: Sequence[str],
    *,
    title: str = "",
    plan: Plan = (),
    language: str = "en",
    question: str = "",
    words: int = 300,
) -> WriteSectionPrompt:
    """What asks for a section from these sources."""
    title = title or questions[0]
    return WriteSectionPrompt(
        language=language,
        position=POSITIONS["only"],
        words=words,
        question=question or questions[0],
        outline=[SectionOutline(*one) for one in plan or [(title, questions)]],
        title=title,
        questions=questions,
        sources=told,
    )


def written(told: Sequence[SourceText], questions: Sequence[str], **more: Any) -> str:
    """A section from these sources; takes what `section_prompt` takes."""
    return answer(section_prompt(told, questions, **more))


def planned(question: str, count: int, told: Sequence[SourceText], language: str = "en") -> str:
    """An outline of so many sections, as JSON."""
    return answer(
        OutlinePrompt(
            language=language,
            question=question,
            sections=count,
            fewest=1,
            most=10,
            words=900,
            most_words=900,
            date="2025-01-31",
            memory=[],
            templates=[],
            sources=told,
        )
    )


def reformulated(question: str, *before: tuple[str, str]) -> str:
    """A question after these turns, as JSON."""
    return answer(
        ReformulatePrompt(
            conversation=[Turn(*one) for one in before],
            question=question,
            date="2025-01-31",
            points=15,
        )
    )


def citations(text: str) -> list[tuple[str, int]]:
    """(sentence, source) of a section; every character of it belongs to a cited sentence."""
    found = list(_CITED.finditer(text))
    assert "".join(match[0] for match in found) == text
    return [(match[1] + match[3], int(match[2])) for match in found]


def bare(text: str) -> str:
    """A text without white space and Markdown, to compare what it says."""
    return "".join(_MARKUP.sub(r"\1", text).split())


def check_verbatim(text: str, told: Sequence[SourceText]) -> None:
    """Every sentence stands in the source that it cites."""
    said = {source.number: bare("\n".join(source.passages)) for source in told}
    for sentence, number in citations(text):
        assert bare(sentence) in said[number]


def answered(question: str, told: Sequence[SourceText], language: str = "en") -> str:
    """The answer to a question of a deep search, from these sources."""
    return answer(
        AnswerQuestionPrompt(
            language=language,
            words=200,
            mode=MODES["open"],
            goal=question,
            question=question,
            known=[],
            requirements=[],
            sources=told,
        )
    )


def next_step(
    question: str,
    offered: Sequence[Action],
    told: Sequence[SourceText] = (),
    found: Sequence[tuple[str, float, str]] = (),
    *,
    tried: Sequence[str] = (),
    language: str = "en",
) -> str:
    """The next step of a deep search that has these sources and these pages to read, as JSON."""
    return answer(
        ChooseActionPrompt(
            language=language,
            goal=question,
            question=question,
            offered=offered,
            known=[],
            diary=tried,
            tried=tried,
            requirements=[],
            pages=[PageText(*one) for one in found],
            sources=told,
        )
    )


def wanted_queries(question: str, needs: Sequence[str] = (), tried: Sequence[str] = ()) -> str:
    """The queries for a question, as JSON."""
    return answer(
        WriteQueriesPrompt(
            date="2026-11-21",
            goal=question,
            question=question,
            needs=needs,
            known=[],
            tried=tried,
        )
    )


def criteria_of(question: str) -> str:
    """What an answer to the question has to meet, as JSON."""
    return answer(ChooseCriteriaPrompt(question=question, date="2026-11-21"))


def judged(
    criterion: Criterion,
    question: str,
    text: str,
    *,
    aspects: Sequence[str] = (),
    count: int | None = None,
) -> str:
    """The judgement of an answer by one criterion, as JSON."""
    return answer(
        JudgeAnswerPrompt(
            criterion=criterion,
            question=question,
            aspects=aspects,
            count=count,
            answer=text,
            sources=[],
        )
    )
