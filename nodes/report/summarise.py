"""Write the head of the report, out of its sections: the answer before the details."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from langgraph.runtime import Runtime

from citations.chart_check import replace_chart_blocks
from citations.check import check_sentences
from citations.checked_sentence import CheckedSentence
from citations.edits import replace_sentences
from citations.evidence_span import SourcePassages
from citations.gap_phrases import find_missing_subject
from citations.grounds import NO_GROUNDS, Grounds, read_grounds
from citations.markers import find_markers, strip_markers
from citations.marking import flag_unsupported
from citations.open_points import list_untold, merge_open_points
from citations.summary_check import LineKind, SectionFacts, clean_line, keep_founded
from exports.labels import load_labels
from library.library import Library
from models.calls import Role
from models.extractive.chat_model import EXTRACTIVE
from models.structured import ask_structured
from nodes.common.citations import apply_judgements, load_support_by_section
from nodes.common.run import (
    get_context,
    get_library,
    is_extractive,
    make_degradation,
    make_role,
)
from nodes.common.search_events import make_request
from nodes.common.stored_excerpts import find_stored_excerpts
from prompts.summarise import EMPHASIS, FinishedSection, LookedUpLine, SummarisePrompt
from schema.context import Context
from schema.editing import CitationJudgement
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.plan import Shape
from schema.report import Degradation, ModelCall, OpenPoint, Section
from schema.state import ReportState, ReportUpdate
from schema.summary import SUMMARY_INDEX, ReportSummary
from text.tokens import KANA_OR_HAN

MIN_WORDS = 250
"""Words of a report of one section from which on it has a summary."""

SHORTEST, LONGEST, SHARE = 120, 300, 0.125
"""Words of a summary, and their share of the report's between these."""

EXTRA_WORDS: dict[Shape, int] = {"how-to": 180, "decision": 60, "comparison": 60}
"""Words on top where a summary has steps or verdicts besides position and findings."""

MAX_FINDINGS = 7

NOTED_CODES = ("section_failed", "not_answered", "deep_search_failed", "pages_not_read")
"""Codes of what readers have to know that a report lacks."""

_WORD = re.compile(r"[^\W\u3040-\u30ff\u3400-\u9fff]+")


@dataclass(frozen=True)
class _Finished:
    """The sections as they will stand, what was read of their sources, and what judges said.

    `left_open` is what they leave open, as the model is shown it: it names these points by number.
    """

    drafts: list[Section]
    left_open: list[OpenPoint]
    support: dict[int, SourcePassages]
    judgements: list[CitationJudgement]
    language: str
    question: str

    def check(self, text: str, grounds: Grounds = NO_GROUNDS) -> list[CheckedSentence]:
        found = check_sentences(text, self.support, self.language, self.question, grounds)
        return apply_judgements(found, self.judgements)


async def summarise(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Put a summary before the drafts, whose every fact stands in one of them and in its source.

    It also says what the sections leave open, and further questions that they or passages of the
    library answer are dropped. A short report of one section has none, nor has one whose sections
    support nothing. Where the model gives no usable one, the sections' own sentences stand in, and
    a code says so.
    """
    drafts, library = state["drafts"], await get_library(runtime)
    if len(drafts) == 1 and count_words(drafts[0]["text"]) < MIN_WORDS:
        return {}
    finished = await _load_finished(state, library)
    sections, said = await asyncio.to_thread(_mark_unsupported, finished)
    numbers = {number for text in said for number in find_markers(text)}
    if not numbers:
        return {}
    notes = await _collect_notes(state, library, numbers)
    role = make_role(state, runtime, "editor", get_context(runtime).writer_model)
    left_open, further = await _look_up(finished, state, runtime, role)
    prompt = _build_prompt(state, sections, notes, left_open, further)
    facts = await asyncio.to_thread(
        SectionFacts,
        said,
        [prompt.question, *prompt.notes, *(one.text for one in prompt.open)],
        prompt.language,
    )
    made, text, calls, problems = await _write(role, prompt, finished, facts)
    asked = state.get("further_questions") or []
    left = [one for number, one in enumerate(asked, start=1) if number not in made.answered]
    if not text:
        return {"further_questions": left, "calls": calls, "degraded": problems}
    told = await asyncio.to_thread(_list_told, text, finished, facts)
    head = await _make_draft(text, told, drafts, library, prompt.language)
    closed = [Section(**{**draft, "open": []}) for draft in drafts]
    return {
        "drafts": [head, *closed],
        "further_questions": left,
        "calls": calls,
        "degraded": problems,
    }


def count_words(text: str) -> int:
    """The words of a text; two characters count as one in scripts without spaces."""
    return len(_WORD.findall(text)) + len(KANA_OR_HAN.findall(text)) // 2


async def _load_finished(state: ReportState, library: Library) -> _Finished:
    """Every source with the passages that any section read of it."""
    drafts, language = state["drafts"], state["question"]["language"]
    [support] = await load_support_by_section(library, [_join_drafts(drafts)], language)
    left_open = _list_open(drafts, language)
    question = state["question"]["text"]
    return _Finished(drafts, left_open, support, state["judgements"], language, question)


def _join_drafts(drafts: Sequence[Section]) -> Section:
    """A section without text before the first, with the sources and passages of all."""
    sources = {one["number"]: one for draft in drafts for one in draft["sources"]}
    chunks = dict.fromkeys(chunk for draft in drafts for chunk in draft["passages"])
    return Section(
        index=SUMMARY_INDEX, title="", text="", sources=[*sources.values()], passages=[*chunks]
    )


def _mark_unsupported(finished: _Finished) -> tuple[list[FinishedSection], list[str]]:
    """The sections without charts, and what of them a summary may say.

    What their sources do not support is marked, for other sentences refer to it, and not to be
    said: the texts are without it.
    """
    sections, said = [], []
    for draft in finished.drafts:
        text = replace_chart_blocks(draft["text"], {}, 0)[0]
        failing = [
            one
            for one in finished.check(text, read_grounds(draft))
            if one.verdicts and not one.is_supported and one.sentence.kind != "table"
        ]
        marked = [(one.sentence, flag_unsupported(strip_markers(one.text))) for one in failing]
        sections.append(FinishedSection(draft["title"], replace_sentences(text, marked)))
        said.append(replace_sentences(text, [(one.sentence, "") for one in failing]))
    return sections, said


async def _collect_notes(state: ReportState, library: Library, numbers: set[int]) -> list[str]:
    """The sources, those with a date with it, and what the report lacks."""
    documents = {one["document"]: one["number"] for one in _join_drafts(state["drafts"])["sources"]}
    described = await library.load_documents(list(documents))
    dated = [
        f"[{documents[document]}] {info.title}{f': {info.published}' if info.published else ''}"
        for document, info in described.items()
        if documents[document] in numbers
    ]
    lost = [one["detail"] for one in state["degraded"] if one["code"] in NOTED_CODES]
    return [*dated, *lost]


def _list_open(drafts: Sequence[Section], language: str) -> list[OpenPoint]:
    """What the sections leave open, each once."""
    points = [one for draft in drafts for one in draft.get("open", [])]
    return merge_open_points(points, [], language)


async def _look_up(
    finished: _Finished, state: ReportState, runtime: Runtime[Context], role: Role
) -> tuple[list[LookedUpLine], list[LookedUpLine]]:
    """What is open and the further questions, with what the library says of each.

    The extractive model, which drops none, is shown nothing of it.
    """
    language = finished.language
    left_open = [one["sentence"] for one in finished.left_open]
    lines = [*left_open, *(state.get("further_questions") or [])]
    asked = [find_missing_subject(one, language) or one for one in left_open]
    asked += lines[len(left_open) :]
    if not asked or is_extractive(role.model):
        found = [""] * len(asked)
    else:
        request = make_request(state, runtime, await get_library(runtime))
        found = await find_stored_excerpts(
            asked, finished.question, language, request, get_context(runtime)
        )
    looked_up = [LookedUpLine(*one) for one in zip(lines, found, strict=True)]
    return looked_up[: len(left_open)], looked_up[len(left_open) :]


def _build_prompt(
    state: ReportState,
    sections: list[FinishedSection],
    notes: list[str],
    left_open: Sequence[LookedUpLine],
    further: Sequence[LookedUpLine],
) -> SummarisePrompt:
    words = sum(count_words(one.text) for one in sections)
    shape = state["outline"].get("shape", "survey")
    extra = EXTRA_WORDS.get(shape, 0)
    return SummarisePrompt(
        date=datetime.now(UTC).date().isoformat(),
        language=state["question"]["language"],
        words=round(min(LONGEST, max(SHORTEST, SHARE * words))) + extra,
        emphasis=EMPHASIS[shape],
        question=state["question"]["text"],
        sections=sections,
        notes=notes,
        open=left_open,
        further=further,
    )


async def _write(
    role: Role, prompt: SummarisePrompt, finished: _Finished, said: SectionFacts
) -> tuple[ReportSummary, str, list[ModelCall], list[Degradation]]:
    """What a model answered, and the text made of it; "" where the sections bear none."""

    async def write_once(writer: Role) -> tuple[ReportSummary, str, list[ModelCall]]:
        made, calls = await ask_structured(writer, prompt, ReportSummary)
        return made, await asyncio.to_thread(_lay_out, made, finished, said), calls

    try:
        made, text, calls = await write_once(role)
        why = "no sentence of the model's that answers is borne out by them"
    except (ModelOutputError, ModelUnavailableError) as error:
        made, text = ReportSummary(position=""), ""
        calls, why = get_error_calls(error), str(error)
    if text or is_extractive(role.model):
        return made, text, calls, []
    _, text, more = await write_once(Role("editor", EXTRACTIVE))
    detail = f"The summary is made of sentences of the sections: {why}"
    return made, text, [*calls, *more], [make_degradation("summary_quoted", detail)]


def _lay_out(made: ReportSummary, finished: _Finished, said: SectionFacts) -> str:
    """What is borne out of a summary, as Markdown; "" where nothing answers, or nothing cites.

    Where its position is not borne out, its last verdict, which is on the whole, stands in for it,
    or its first finding.
    """

    def keep(text: str, kind: LineKind) -> str:
        line = clean_line(text)
        return keep_founded(line, finished.check(line), said, kind)

    def keep_all(lines: Sequence[str], kind: LineKind) -> list[str]:
        return [kept for one in lines if (kept := keep(one, kind))]

    position, labels = keep(made.position, "position"), load_labels(finished.language)
    verdicts = keep_all(made.verdicts, "conclusion")
    findings = keep_all(made.findings, "fact")[:MAX_FINDINGS]
    if not position and (verdicts or findings):
        position = verdicts.pop() if verdicts else findings.pop(0)
    certainty = keep(made.certainty, "remark")
    left_open = [
        one for number, one in enumerate(finished.left_open, start=1) if number not in made.closed
    ]
    untold = list_untold(left_open, certainty, finished.language)
    certainty = " ".join([certainty, *(one["sentence"] for one in untold)]).strip()
    parts = [
        ("", "\n".join(f"- {one}" for one in verdicts)),
        (labels.findings, _number_lines(findings)),
        (labels.steps, _number_lines(keep_all(made.steps, "conclusion"))),
        (labels.certainty, certainty),
    ]
    blocks = [f"### {heading}\n\n{text}" if heading else text for heading, text in parts if text]
    text = "\n\n".join([position, *blocks])
    return text if position and find_markers(text) else ""


def _number_lines(lines: Sequence[str]) -> str:
    return "\n".join(f"{number}. {one}" for number, one in enumerate(lines, start=1))


def _list_told(text: str, finished: _Finished, said: SectionFacts) -> list[str]:
    """The sentences of a summary that stand on what the sections say of their sources."""
    found = finished.check(text)
    return [
        one.text for one in found if one.verdicts and not one.is_supported and said.tells(one.claim)
    ]


async def _make_draft(
    text: str, told: list[str], drafts: Sequence[Section], library: Library, language: str
) -> Section:
    """The summary as a section that was written from the passages of the sources it cites."""
    cited, whole = set(find_markers(text)), _join_drafts(drafts)
    sources = [one for one in whole["sources"] if one["number"] in cited]
    documents = {one["document"] for one in sources}
    passages = await library.load_passages(whole["passages"])
    chunks = [c for c in whole["passages"] if c in passages and passages[c].document in documents]
    title = load_labels(language).summary
    return Section(
        index=SUMMARY_INDEX, title=title, text=text, sources=sources, passages=chunks, told=told
    )
