"""Take up a kept report: the section to write anew, and what it can be written from."""

import time
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from connectors.ask import Search, ask_all
from connectors.registry import chosen
from library.library import Library
from library.reports import KeptReport
from nodes.run import brief, context_of, library_of
from nodes.searching import announce, lost, searched
from retrieval.proof import UNPROVEN
from retrieval.rebinding import without_charts
from schema.context import Context
from schema.documents import DocumentInfo
from schema.errors import InputError
from schema.report import Report
from schema.state import PoolEntry, Question, RevisionState, SectionInput, Wish

LONGEST_WISH = 2_000


async def take(state: RevisionState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Give the section's writer what it had, and what the library holds on the wish.

    The web is not asked: what a run found there is kept, for a term. Sources of the reference
    list keep their numbers, the others get numbers after the last.

    Raises:
        InputError: there is no such report or section, or no wish.
    """
    context, library = context_of(runtime), await library_of(runtime)
    kept = await library.report(state["report_id"])
    report, place = _checked(state, kept, context), state["section"] - 1
    assert kept is not None  # noqa: S101  (checked)
    title, instruction = report["sections"][place]["title"], state["instruction"].strip()
    connectors = chosen(context.connectors, paths=bool(context.paths), fresh=context.fresh)
    answers = await ask_all(
        [one for one in connectors if one.kind == "indexed"],
        [f"{title}: {instruction}"],
        Search(library, context.passages_per_question, paths=tuple(context.paths)),
        lambda answered: announce(runtime, answered),
    )
    found = {hit.chunk: hit.score for answered in answers for hit in answered.hits}
    chunks = list(dict.fromkeys([*kept.material[place]["chunks"], *found]))
    documents, described = await _documents(library, chunks)
    numbers = _numbers(report, list(described.values()))
    language, run = report["language"], uuid4().hex
    plan = [
        {"title": section["title"], "questions": held["questions"]}
        for section, held in zip(report["sections"], kept.material, strict=True)
    ]
    return {
        "messages": [HumanMessage(f"Section {place + 1}, “{title}”: {instruction}")],
        "question": Question(
            text=report["question"], asked=report["question"], language=language, queries=[]
        ),
        "run": run,
        "report": report,
        "sources": [],
        "sections": Overwrite([]),
        "repairs": Overwrite([]),
        "started": time.time(),
        "spent": Overwrite(searched(answers)),
        "calls": Overwrite([]),
        "degraded": Overwrite(lost(answers)),
        "task": SectionInput(
            run=run,
            index=place,
            title=title,
            questions=kept.material[place]["questions"],
            report_question=report["question"],
            language=language,
            plan=plan,
            pool=[
                PoolEntry(chunk=c, number=numbers[documents[c]], score=found.get(c, 0.0))
                for c in chunks
                if c in documents
            ],
            sources=[brief(numbers[document], info) for document, info in described.items()],
            wish=Wish(instruction=instruction, text=_draft(report["sections"][place]["text"])),
        ),
    }


def _draft(text: str) -> str:
    """A section as its writer takes it up: without charts, and without marks of what failed."""
    return without_charts(text)[0].replace(f" {UNPROVEN}", "")


def _checked(state: RevisionState, kept: KeptReport | None, context: Context) -> Report:
    """The report, if its section can be revised."""
    identity = state["report_id"]
    if kept is None:
        raise InputError(
            f"There is no report {identity}: quire reports list shows those there are."
        )
    if kept.report is None:
        raise InputError(
            f"The report {identity} is not finished: quire report --resume {identity}."
        )
    if kept.space != context.space:
        raise InputError(
            f"The report {identity} stands in the space “{kept.space}”: revise it there."
        )
    sections = len(kept.report["sections"])
    if not 1 <= state["section"] <= sections:
        raise InputError(
            f"The report {identity} has the sections 1 to {sections}: name one of them."
        )
    instruction = state["instruction"]
    if not any(character.isalnum() for character in instruction):
        raise InputError("There is no wish: say in a few words what is to change in the section.")
    if len(instruction) > LONGEST_WISH:
        raise InputError(
            f"The wish has {len(instruction):,} characters, more than {LONGEST_WISH:,}: say it "
            "shortly."
        )
    return kept.report


async def _documents(
    library: Library, chunks: Sequence[int]
) -> tuple[dict[int, int], dict[int, DocumentInfo]]:
    """The document of each chunk that is still there, and what is known of each document."""
    passages = await library.passages(chunks)
    documents = {chunk: passages[chunk].document for chunk in chunks if chunk in passages}
    described = await library.documents(list(dict.fromkeys(documents.values())))
    return documents, {one: described[one] for one in dict.fromkeys(documents.values())}


def _numbers(report: Report, documents: Sequence[DocumentInfo]) -> dict[int, int]:
    """A number for each document: that of the reference list, or one after the last."""
    listed = {citation["document"]: citation["number"] for citation in report["citations"]}
    last = max((reference["number"] for reference in report["references"]), default=0)
    new = [document.id for document in documents if document.uri not in listed]
    fresh = {document: last + step for step, document in enumerate(new, start=1)}
    return {one.id: fresh[one.id] if one.id in fresh else listed[one.uri] for one in documents}
