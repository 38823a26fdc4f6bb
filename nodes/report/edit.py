"""One pass over all sections, so that the report reads as one text."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from langgraph.runtime import Runtime

from citations.conclusions import Conclusion, add_conclusions
from citations.edits import Edit, apply_edits, list_parts
from citations.evidence_span import SourcePassages
from citations.figures_before_marks import find_worked_out
from citations.statements import Statement, find_repeats
from models.structured import ask_structured
from nodes.common.citations import load_support_by_section
from nodes.common.cited_sources import add_cited_sources
from nodes.common.run import get_context, get_library, is_extractive, make_degradation, make_role
from prompts.revise_report import NumberedSection, ReviseReportPrompt, ShownBlock
from prompts.template import NumberedLine
from schema.context import Context
from schema.editing import ReportEdits
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.report import Section
from schema.state import ReportState, ReportUpdate


async def edit(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Have the sections edited; what would change a citation or add a fact is not applied.

    The same call names the expected points that the sections do not answer. A report of one
    section, and the extractive model, which cannot rephrase, are left as they are.
    """
    drafts, language = state["drafts"], state["question"]["language"]
    points = state["question"].get("points", [])
    role = make_role(state, runtime, "editor", get_context(runtime).writer_model)
    if len(drafts) < 2 or is_extractive(role.model):
        return {}
    sections = [
        NumberedSection(
            draft["title"],
            [
                text if editable else ShownBlock(text)
                for text, editable in list_parts(draft["text"], language)
            ],
        )
        for draft in drafts
    ]
    library, question = await get_library(runtime), state["question"]["text"]
    support = await load_support_by_section(library, drafts, language)
    prompt = ReviseReportPrompt(
        language=language,
        question=question,
        points=[NumberedLine(one) for one in points],
        repeats=await asyncio.to_thread(_list_repeats, sections, question, language),
        worked_out=await asyncio.to_thread(_list_worked_out, sections, drafts, support, language),
        sections=sections,
    )
    try:
        made, calls = await ask_structured(role, prompt, ReportEdits)
    except (ModelOutputError, ModelUnavailableError) as error:
        detail = f"The sections were not revised as one text: {error}"
        return {
            "calls": get_error_calls(error),
            "degraded": [make_degradation("not_revised", detail)],
        }
    before = [draft["text"] for draft in drafts]
    edits = [Edit(one.section - 1, one.sentence, one.text) for one in made.edits]
    conclusions = [
        Conclusion(one.section - 1, one.sentence, one.text, one.sums) for one in made.conclusions
    ]
    texts, count, _ = await asyncio.to_thread(apply_edits, before, edits, language)
    texts, added = await asyncio.to_thread(
        add_conclusions, before, texts, edits, conclusions, language
    )
    edited = [
        Section(**{**d, "text": text, "sums": [*d.get("sums", []), *_list_sums(made, place)]})
        for place, (d, text) in enumerate(zip(drafts, texts, strict=True), start=1)
    ]
    uncovered = sorted({number for number in made.uncovered if 0 < number <= len(points)})
    return {
        "drafts": await add_cited_sources(edited, drafts, library),
        "uncovered": uncovered,
        "counts": {
            **state["counts"],
            "sentences_revised": count + added,
            "points_expected": len(points),
            "points_covered": len(points) - len(uncovered),
        },
        "calls": calls,
    }


def _list_sums(made: ReportEdits, section: int) -> list[str]:
    """How the figures of the conclusions of a section are worked out."""
    return [one for added in made.conclusions if added.section == section for one in added.sums]


def _number_sentences(section: NumberedSection) -> Iterable[tuple[int, str]]:
    """The sentences of a section as the editor counts them."""
    return enumerate((one for one in section.parts if isinstance(one, str)), start=1)


def _list_worked_out(
    sections: Sequence[NumberedSection],
    drafts: Sequence[Section],
    support: Sequence[Mapping[int, SourcePassages]],
    language: str,
) -> list[str]:
    """The figures that no cited source gives and a mark stands behind: "390: 2.4"."""
    return [
        f"{', '.join(figures)}: {place}.{number}"
        for place, (one, draft, read) in enumerate(
            zip(sections, drafts, support, strict=True), start=1
        )
        for number, text in _number_sentences(one)
        if (figures := find_worked_out(text, draft.get("sums", []), read, language))
    ]


def _list_repeats(sections: Sequence[NumberedSection], question: str, language: str) -> list[str]:
    """The sentences that tell the same, as the editor counts them: "780: 1.2, 3.4"."""
    said = [
        (f"{place}.{number}", Statement.read(text, language))
        for place, one in enumerate(sections, start=1)
        for number, text in _number_sentences(one)
    ]
    given = Statement.read(question, language)
    found = find_repeats([statement for _, statement in said], given)
    return [
        f"{'; '.join(filter(None, figures)) or 'the same words'}: "
        + ", ".join(said[at][0] for at in places)
        for figures, places in found
    ]
