"""Write the changed sentences into the report, and save it as its next version."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from citations.additions import insert_addition
from citations.check import check_sentences
from citations.checked_sentence import CheckedSentence
from citations.edits import find_repairable_sentences
from citations.evidence_span import SourcePassages
from citations.markers import find_markers, remove_sentence
from citations.marking import apply_verdicts
from citations.summary_check import cut_outdated
from citations.updates import quote_source, update_sentence
from library.saved_reports import SectionMaterial
from nodes.common.citations import (
    build_citations,
    build_reference,
    count_totals,
    load_cited_texts,
    load_support_by_section,
    place_citation,
    sum_usage_by_role,
)
from nodes.common.origins import find_origins
from nodes.common.run import close_run, drop_duplicates, get_library, get_report
from nodes.common.watched import load_watched, number_documents
from schema.context import Context
from schema.documents import DocumentInfo
from schema.editing import RepairedSection
from schema.report import Audit, Citation, ClaimChange, ClaimOrigins, Conflict, Report, Section
from schema.summary import has_summary
from schema.watch import WatchState, WatchUpdate

NOTHING_CHANGED = "Nothing that the report says has changed in its sources."


@dataclass
class _UpdatedSection:
    """A section with its sentences of today: the text, and what became of each sentence.

    `added` are new sentences by what their source says.
    """

    text: str
    sentences: dict[str, str] = field(default_factory=dict)
    added: dict[str, str] = field(default_factory=dict)
    checked: list[CheckedSentence] = field(default_factory=list)

    def find_now(self, change: ClaimChange) -> str | None:
        """How its sentence stands now; None of a new one that was not added."""
        if change["kind"] == "new":
            return self.added.get(change["after"])
        return self.sentences[change["sentence"]]


async def save_changes(state: WatchState, runtime: Runtime[Context]) -> WatchUpdate:
    """Make and save the next version, where anything changed; every other sentence stays as it is.

    Raises:
        LibraryError: the database does not answer, or the report was revised meanwhile.
    """
    report, changes = get_report(state), state["changes"]
    if not changes:
        await close_run(state, runtime)
        return {"messages": [AIMessage(NOTHING_CHANGED)]}
    library, language = await get_library(runtime), report["language"]
    drafts, registry = await load_watched(library, report, state["citations"], changes)
    places = list(drafts)
    read = await load_support_by_section(library, list(drafts.values()), language)
    repairs = {one["draft"]["index"]: one for one in state["repairs"]}
    numbers = number_documents(report, changes)

    def update() -> dict[int, _UpdatedSection]:
        return {
            place: _update_section(
                drafts[place],
                [one for one in changes if one["section"] == place],
                repairs.get(drafts[place]["index"]),
                support,
                numbers,
                report,
            )
            for place, support in zip(places, read, strict=True)
        }

    updated = await asyncio.to_thread(update)
    if not any(one.sentences or one.added for one in updated.values()):
        await close_run(state, runtime)
        return {"changes": [], "messages": [AIMessage(NOTHING_CHANGED)]}
    texts = _put_together(report, updated)
    fresh = [
        one
        for place, support in zip(places, read, strict=True)
        for after in [*updated[place].sentences.values(), *updated[place].added.values()]
        if after
        for one in build_citations(
            place,
            after,
            language,
            registry,
            updated[place].checked,
            {registry[n].id: support[n] for n in support if n in registry},
        )
    ]
    cited_texts = await load_cited_texts(library, fresh, registry)
    fresh = [place_citation(one, cited_texts[one["document"]]) for one in fresh]
    made = _make_version(report, state, texts, updated, fresh, registry, numbers)
    origins = await find_origins(library, fresh, registry, cited_texts)
    made = _count(_keep_origins(made, origins), state)
    before = await library.load_report(report["id"], report["version"])
    material = [
        SectionMaterial(
            questions=held["questions"],
            chunks=list(dict.fromkeys([*drafts[place]["passages"], *held["chunks"]]))
            if place in drafts
            else held["chunks"],
        )
        for place, held in enumerate(before.material if before else [])
    ]
    note = _describe(updated.values())
    await library.save_version(made, material, note)
    await close_run(state, runtime)
    return {"report": made, "changes": made["changes"], "messages": [AIMessage(f"{note}.")]}


def _update_section(
    draft: Section,
    changes: Sequence[ClaimChange],
    repaired: RepairedSection | None,
    support: Mapping[int, SourcePassages],
    numbers: dict[str, int],
    report: Report,
) -> _UpdatedSection:
    """The sentences of a section as they are to stand, each checked. CPU work."""
    made, language = _UpdatedSection(draft["text"]), report["language"]
    subject = f"{report['question']} {draft['title']}"
    for before in dict.fromkeys(one["sentence"] for one in changes if one["kind"] != "new"):
        own = [one for one in changes if one["sentence"] == before]
        wanted = (
            _take_repair(before, repaired) if repaired else update_sentence(before, own, numbers)
        )
        found = check_sentences(wanted, support, language, subject) if wanted else []
        after, remaining = apply_verdicts(wanted, found)
        made.sentences[before] = after
        made.checked += remaining
        made.text = _replace(made.text, before, after, language)
    for one in changes:
        if one["kind"] == "new":
            _add_finding(made, one, support, numbers, language, subject)
    return made


def _add_finding(
    made: _UpdatedSection,
    finding: ClaimChange,
    support: Mapping[int, SourcePassages],
    numbers: dict[str, int],
    language: str,
    subject: str,
) -> None:
    """Put a new sentence beside what speaks of the same thing, if its source bears it out."""
    wanted = quote_source(finding["after"], numbers[finding["document"]])
    found = check_sentences(wanted, support, language, subject)
    if not found or not all(one.is_supported for one in found):
        return
    made.added[finding["after"]] = wanted
    made.checked += found
    made.text = insert_addition(made.text, wanted, "", language)


def _describe(updated: Iterable[_UpdatedSection]) -> str:
    """What a look changed, in a line."""
    changed, added = (
        sum(map(len, found))
        for found in zip(*((one.sentences, one.added) for one in updated), strict=True)
    )
    parts = [f"the evidence of {changed} sentence{'s' * (changed > 1)} changed"] if changed else []
    parts += [f"{added} new finding{'s' * (added > 1)}"] if added else []
    return f"watched: {', '.join(parts)}"


def _take_repair(before: str, repaired: RepairedSection) -> str:
    """What a sentence's writer put in its place: other words, itself, or nothing."""
    wording = next((r["after"] for r in repaired["replacements"] if r["before"] == before), None)
    if wording is not None:
        return wording
    return before if before in repaired["draft"]["text"] else ""


def _replace(text: str, before: str, after: str, language: str) -> str:
    if after:
        return text.replace(before, after, 1)
    for one in find_repairable_sentences(text, language):
        if text[one.start : one.end] == before:
            return remove_sentence(text, one).strip()
    return text


def _put_together(report: Report, updated: Mapping[int, _UpdatedSection]) -> list[str]:
    """The texts of all sections; of the summary goes what no section bears out any more."""
    old = [one["text"] for one in report["sections"]]
    texts = [updated[place].text if place in updated else text for place, text in enumerate(old)]
    if has_summary(report):
        texts[0], _ = cut_outdated(texts[0], old[1:], texts[1:], report["language"])
    return texts


def _make_version(
    report: Report,
    state: WatchState,
    texts: list[str],
    updated: Mapping[int, _UpdatedSection],
    fresh: Sequence[Citation],
    registry: Mapping[int, DocumentInfo],
    numbers: dict[str, int],
) -> Report:
    """The report as it stands now."""
    gone = {(place, one) for place, made in updated.items() for one in made.sentences}
    citations = [
        one
        for one in state["citations"]
        if (one["section"], one["sentence"]) not in gone
        and one["sentence"] in texts[one["section"]]
    ]
    citations = sorted([*citations, *fresh], key=lambda one: one["section"])
    cited = sorted({number for text in texts for number in find_markers(text)})
    changed = {numbers[one["document"]] for one in state["changes"]}
    listed = {one["number"]: one for one in report["references"]}
    references = [
        build_reference(number, registry[number])
        if number in registry and (number in changed or number not in listed)
        else listed[number]
        for number in cited
    ]
    remarks = [one for one in report.get("remarks", []) if one["sentence"] in texts[one["section"]]]
    conflicts = [
        one
        for one in report["conflicts"]
        if one["sentence"] in texts[one["section"]] and one["number"] in cited
    ]
    changes = [
        ClaimChange(**{**one, "now": now})
        for one in state["changes"]
        for now in [updated[one["section"]].find_now(one)]
        if now is not None
    ]
    conflicts += [
        _make_conflict(one, numbers, registry)
        for one in changes
        if one["kind"] == "contradicted" and numbers[one["document"]] in cited
    ]
    return Report(
        **{
            **report,
            "version": report["version"] + 1,
            "sections": [
                {**section, "text": text}
                for section, text in zip(report["sections"], texts, strict=True)
            ],
            "references": references,
            "citations": citations,
            "conflicts": sorted(conflicts, key=lambda one: one["section"]),
            "remarks": remarks,
            "changes": changes,
            "degraded": drop_duplicates([*report["degraded"], *state["degraded"]]),
            "usage": sum_usage_by_role(state["calls"], report["usage"]),
        }
    )


def _keep_origins(report: Report, origins: Sequence[ClaimOrigins]) -> Report:
    """The report with the origins behind its new sentences, and behind those that stay."""
    texts = [section["text"] for section in report["sections"]]
    new = {(one["section"], one["sentence"]) for one in origins}
    held = [
        one
        for one in report.get("origins", [])
        if one["sentence"] in texts[one["section"]] and (one["section"], one["sentence"]) not in new
    ]
    made = sorted([*held, *origins], key=lambda one: one["section"])
    return Report(**{**report, "origins": made})


def _count(report: Report, state: WatchState) -> Report:
    """The report with its sentences and sources counted anew, and what the watch cost added."""
    totals = count_totals(
        [section["text"] for section in report["sections"]],
        report["citations"],
        report.get("remarks", []),
        report.get("origins", []),
        report["language"],
    )
    cited = len(report["references"])
    audit = Audit(**{**report["audit"], **totals, "sources_cited": cited})
    audit["tokens"] += sum(one["input_tokens"] + one["output_tokens"] for one in state["calls"])
    return Report(**{**report, "audit": audit})


def _make_conflict(
    change: ClaimChange, numbers: dict[str, int], registry: Mapping[int, DocumentInfo]
) -> Conflict:
    number = numbers[change["document"]]
    return Conflict(
        section=change["section"],
        sentence=change["now"],
        cited=[change["number"]],
        number=number,
        published=registry[number].published,
        quote=change["after"],
    )
