"""Prompts for the extractive model, as the nodes render them, and ways to check its answers."""

import re
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage

from models.extractive.model import ExtractiveChatModel
from prompts.answer_question import ANSWER_QUESTION, MODES
from prompts.choose_action import ACTIONS, CHOOSE_ACTION
from prompts.choose_criteria import CHOOSE_CRITERIA
from prompts.further_questions import FURTHER_QUESTIONS
from prompts.judge_answer import CRITERIA, JUDGE_ANSWER
from prompts.outline import OUTLINE
from prompts.reformulate import REFORMULATE
from prompts.template import SourceText, fence, items, pages, sources, turns
from prompts.write_queries import WRITE_QUERIES
from prompts.write_section import POSITIONS, WRITE_SECTION
from schema.deep_search import Action, Criterion

Plan = Sequence[tuple[str, Sequence[str]]]

_CITED = re.compile(r"(.+?) ?\[(\d+)\]([.!。！…｡۔।]+['\"”’»）)\]]*)\s*", re.DOTALL)
_MARKUP = re.compile(r"!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)|[*_>#`-]")


def answer(messages: Sequence[BaseMessage]) -> str:
    """What the model says."""
    return str(ExtractiveChatModel().invoke(list(messages)).text)


def section_prompt(
    told: Sequence[SourceText],
    questions: Sequence[str],
    *,
    title: str = "",
    plan: Plan = (),
    language: str = "en",
) -> list[BaseMessage]:
    """What asks for a section from these sources."""
    title = title or questions[0]
    outline = "\n".join(
        f'<section title="{fence(name).replace(chr(34), "&quot;")}">\n{items(asked)}\n</section>'
        for name, asked in plan or [(title, questions)]
    )
    return WRITE_SECTION.render(
        language=language,
        position=POSITIONS["only"],
        words="300",
        question=fence(questions[0]),
        outline=outline,
        title=fence(title),
        questions=items(questions),
        sources=sources(told),
    )


def written(told: Sequence[SourceText], questions: Sequence[str], **more: Any) -> str:
    """A section from these sources; takes what `section_prompt` takes."""
    return answer(section_prompt(told, questions, **more))


def planned(question: str, count: int, told: Sequence[SourceText], language: str = "en") -> str:
    """An outline of so many sections, as JSON."""
    return answer(
        OUTLINE.render(
            language=language,
            question=fence(question),
            sections=str(count),
            memory="",
            templates="",
            sources=sources(told),
        )
    )


def reformulated(question: str, *before: tuple[str, str]) -> str:
    """A question after these turns, as JSON."""
    return answer(
        REFORMULATE.render(conversation=turns(before), question=fence(question), date="2025-01-31")
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


def further(question: str, covered: Sequence[str], told: Sequence[SourceText]) -> str:
    """What a reader could ask next, as JSON."""
    return answer(
        FURTHER_QUESTIONS.render(
            language="en", question=fence(question), covered=items(covered), sources=sources(told)
        )
    )


def answered(question: str, told: Sequence[SourceText], language: str = "en") -> str:
    """The answer to a question of a deep search, from these sources."""
    return answer(
        ANSWER_QUESTION.render(
            language=language,
            words="200",
            mode=MODES["open"],
            goal=fence(question),
            question=fence(question),
            known="",
            requirements="",
            sources=sources(told),
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
        CHOOSE_ACTION.render(
            language=language,
            goal=fence(question),
            question=fence(question),
            actions="\n".join(ACTIONS[action] for action in offered),
            offered=items(offered),
            known="",
            diary=items(tried),
            tried=items(tried),
            requirements="",
            pages=pages(found),
            sources=sources(told),
        )
    )


def wanted_queries(question: str, needs: Sequence[str] = (), tried: Sequence[str] = ()) -> str:
    """The queries for a question, as JSON."""
    return answer(
        WRITE_QUERIES.render(
            date="2026-11-21",
            goal=fence(question),
            question=fence(question),
            needs=items(needs),
            known="",
            tried=items(tried),
        )
    )


def criteria_of(question: str) -> str:
    """What an answer to the question has to meet, as JSON."""
    return answer(CHOOSE_CRITERIA.render(question=fence(question), date="2026-11-21"))


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
        JUDGE_ANSWER.render(
            criterion=CRITERIA[criterion],
            name=criterion,
            question=fence(question),
            aspects=items(aspects),
            count=str(count or ""),
            answer=fence(text),
            sources="",
        )
    )
