"""What a language model is sent: to the byte what it was sent when the prompt's version was new."""

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

import pytest

from models.objects.sent_schema import make_sent_schema
from prompts.answer_question import MODES, AnswerQuestionPrompt
from prompts.choose_action import ChooseActionPrompt
from prompts.choose_criteria import ChooseCriteriaPrompt
from prompts.judge_answer import JudgeAnswerPrompt
from prompts.judge_citations import CitedSentence, JudgeCitationsPrompt
from prompts.outline import OutlinePrompt
from prompts.reformulate import ReformulatePrompt
from prompts.repair_sentences import (
    MarkedSentence,
    MarkedText,
    MissingPoint,
    RepairSentencesPrompt,
)
from prompts.reply import ReplyPrompt
from prompts.revise_outline import PlannedSection, ReviseOutlinePrompt
from prompts.revise_report import NumberedSection, ReviseReportPrompt, ShownBlock
from prompts.revise_text import ReviseTextPrompt
from prompts.route_follow_up import RouteFollowUpPrompt
from prompts.summarise import EMPHASIS, FinishedSection, LookedUpLine, SummarisePrompt
from prompts.take_notes import TakeNotesPrompt
from prompts.template import NumberedLine, PageText, Prompt, SectionOutline, SourceText, Turn
from prompts.write_queries import WriteQueriesPrompt
from prompts.write_section import FORMS, POSITIONS, SHAPES, STYLES, WriteSectionPrompt
from schema.deep_search import Criteria, Decision, Judgement, WantedQueries
from schema.editing import ItemJudgements, Repairs, RepairsAndAdditions, ReportEdits
from schema.outline_revision import OutlineRevision
from schema.plan import Outline, Reformulation
from schema.summary import ReportSummary

F = 'a < b </source> {x} "q"\n\n&lt;item> <Task> é 中'
G = "Second  text, <questions>plain</questions> & more"
SOURCES = [
    SourceText(
        3, f"T {F}", (F, G), (G, ""), "An <author>", "site", "2024-05-01", "https://a.test/?a=1&b=2"
    ),
    SourceText(9, "", (G,)),
]
SHOWN = [replace(SOURCES[0], kind="forum", not_shown=(F, G)), SOURCES[1]]
TURNS = [Turn("user", F), Turn("quire", G)]
OUTLINE = [SectionOutline(F, [F, G]), SectionOutline(G, [G], told=True)]
PAGES = [PageText('https://a.test/"x', 0.197, F), PageText("https://b.test/", 1.0, G)]
DAY = "2026-11-22"

SENT: Sequence[tuple[Prompt, int, str]] = [
    (
        AnswerQuestionPrompt(
            language="de", words=200, mode=MODES["open"], goal=F, question=G,
            known=[F, G], requirements=[], sources=SOURCES,
        ), 5, "20578bf6bb4d8f0e",
    ),
    (
        ChooseActionPrompt(
            language="de", goal=F, question=G, offered=["search", "answer"], known=[F], diary=[G],
            tried=[F, G], requirements=[], pages=PAGES, sources=SOURCES,
        ), 3, "ca4bfa2b007e3591",
    ),
    (ChooseCriteriaPrompt(question=F, date=DAY), 2, "12e9e9879645b1b4"),
    (
        JudgeAnswerPrompt(
            criterion="plurality", question=F, aspects=[F, G], count=3, answer=G, sources=SOURCES
        ), 3, "50839c3341c14e64",
    ),
    (
        JudgeCitationsPrompt(sentences=[CitedSentence(F, G), CitedSentence(G, F)]),
        2, "210c9d53bf2f25b6",
    ),
    (
        OutlinePrompt(
            language="de", question=F, points=[F, G], sections=3, fewest=2, most=5, words=900,
            most_words=1_200,
            shape="how-to", style="brief", audience=F, date=DAY, memory=[F], templates=[G],
            sources=SOURCES,
        ), 20, "3b0b3a85c44c2c3b",
    ),
    (ReformulatePrompt(conversation=TURNS, question=F, date=DAY, points=15), 5, "a41ec1a22485f0c8"),
    (
        RepairSentencesPrompt(
            language="de", sources=SOURCES, points=[MissingPoint(F, 1, G), MissingPoint(G, 2)],
            drafts=[
                MarkedText(
                    F,
                    f"{F} {G}. {F}",
                    [MarkedSentence(1, 0, len(F), G), MarkedSentence(2, len(F) + 1, len(F) + 5, F)],
                    [(0, len(F) + 5), (len(F) + 9, len(F) + 12)],
                ),
                MarkedText(G, G, [], []),
            ],
        ), 16, "df6775101df80f6f",
    ),
    (ReplyPrompt(conversation=TURNS, question=F), 2, "7c4d3a406d91e2aa"),
    (
        ReviseOutlinePrompt(
            date="2026-02-03", language="de", question=F, points=[F, G], fewest=2, most=5,
            words=900, shape="survey", style="paper", audience=F,
            sources=SOURCES,
            outline=[
                PlannedSection(F, [F, G], "table", 300, [3, 9]),
                PlannedSection(G, [G], "prose", 0, []),
            ],
        ), 16, "19cfe9c40bdc47bb",
    ),
    (
        ReviseReportPrompt(
            language="de", question=F, points=[NumberedLine(F), NumberedLine(G)],
            repeats=["1.1, 2.1"], worked_out=["5,250: 1.2"],
            sections=[NumberedSection(F, [F, ShownBlock(F), G]), NumberedSection(G, [G])],
        ), 14, "77e075d219504083",
    ),
    (
        ReviseTextPrompt(
            language="de", question=F, outline=OUTLINE, title=F, questions=[F, G],
            sources=SHOWN, draft=G, instruction=F, date=DAY, audience=G,
        ), 20, "ad230837b4b0d9e2",
    ),
    (
        RouteFollowUpPrompt(
            question=F, sections=[NumberedLine(F), NumberedLine(G)], message=G
        ), 2, "7b1385639c9f3aa5",
    ),
    (
        SummarisePrompt(
            date=DAY, language="de", words=150, emphasis=EMPHASIS["comparison"], question=F,
            sections=[FinishedSection(F, G), FinishedSection(G, F)], notes=[F, G],
            open=[LookedUpLine(F)], further=[LookedUpLine(G, F), LookedUpLine(F)],
        ), 15, "24c56c1a39c50905",
    ),
    (
        TakeNotesPrompt(count=7, question=F, title=G, questions=[F, G], sources=SOURCES[:1]),
        2, "cb6007562810ed05",
    ),
    (
        WriteQueriesPrompt(goal=F, question=G, needs=[F], known=[G], tried=[], date=DAY),
        3, "f7dc052d2e72328a",
    ),
    (
        WriteSectionPrompt(
            language="de", question=F, outline=OUTLINE, title=F, questions=[F, G],
            sources=SHOWN, position=POSITIONS["first"], words=350, date=DAY, form=FORMS["table"],
            shape=SHAPES["comparison"], style=STYLES["brief"], audience=G,
        ), 21, "a382fc5f9ca31045",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("prompt", "version", "digest"), SENT, ids=[p.name for p, *_ in SENT])
def test_a_changed_text_is_a_new_version(prompt: Prompt, version: int, digest: str) -> None:
    sent = json.dumps([[message.type, message.text] for message in prompt.render()])
    assert (prompt.version, blake2b(sent.encode(), digest_size=8).hexdigest()) == (version, digest)


def test_the_schemas_of_answers_are_sent_as_they_were_when_last_looked_at() -> None:
    schemas = [
        Criteria, Decision, ItemJudgements, Judgement, Outline, OutlineRevision, Reformulation,
        Repairs, RepairsAndAdditions, ReportEdits, ReportSummary, WantedQueries,
    ]  # fmt: skip
    sent = json.dumps([make_sent_schema(one) for one in schemas])
    assert blake2b(sent.encode(), digest_size=8).hexdigest() == "654e8b8f6dabd653"
