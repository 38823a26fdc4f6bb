"""What the nodes that bind citations have in common: sources as references, spans as evidence."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from types import MappingProxyType

from citations.checked_sentence import NUMBER_REASONS, CheckedSentence, extract_claim
from citations.evidence_span import SourcePassages
from citations.markers import find_cited_sentences, renumber_markers
from citations.positions import find_positions
from citations.verdict import CitationVerdict, judge_claim
from library.document_texts import LONGEST_TEXT
from library.library import Library
from schema.deep_search import Evidence
from schema.documents import PAGE_BREAK, DocumentInfo, Passage
from schema.editing import CitationJudgement
from schema.report import (
    UNSUPPORTED_FLAG,
    Citation,
    ClaimOrigins,
    Conflict,
    CopyNote,
    ModelCall,
    Position,
    Reference,
    Remark,
    RoleUsage,
    Section,
    Source,
    Totals,
)
from schema.state import ReportState
from text.relative_years import list_meant_years

CONTEXT_CHARACTERS = 200
"""Characters of the stored text that a citation shows before and after its quote."""


def map_documents(sources: Iterable[Source], sections: Iterable[Section]) -> dict[int, int]:
    """The document of each number: those of the run, and those that sections found themselves."""
    every = [*sources, *(source for section in sections for source in section["sources"])]
    return {source["number"]: source["document"] for source in every}


def name_subject(state: ReportState, draft: Section) -> str:
    """What a section is about, for the check of what it says."""
    return "\n".join([state["question"]["text"], state.get("audience", ""), draft["title"]])


async def load_support_by_section(
    library: Library, drafts: Sequence[Section], language: str
) -> list[dict[int, SourcePassages]]:
    """For each section, what its writer read of each source, by number."""
    passages = await library.load_passages(sorted({c for one in drafts for c in one["passages"]}))
    described = await library.load_documents(list({one.document for one in passages.values()}))

    def read(draft: Section) -> dict[int, SourcePassages]:
        numbers = {source["document"]: source["number"] for source in draft["sources"]}
        seen: defaultdict[int, list[Passage]] = defaultdict(list)
        for chunk in draft["passages"]:
            if chunk in passages:
                seen[numbers[passages[chunk].document]].append(passages[chunk])
        return {
            number: SourcePassages(
                found, language, _tell_about(described.get(found[0].document), found)
            )
            for number, found in seen.items()
        }

    return await asyncio.to_thread(lambda: [read(draft) for draft in drafts])


def _tell_about(document: DocumentInfo | None, found: Sequence[Passage]) -> Sequence[str]:
    """What a writer is told of a source beside its text, and the years that follow from that."""
    if document is None:
        return ()
    told = (document.title, document.author, document.site, document.published)
    meant = list_meant_years("\n".join(one.text for one in found), document.published)
    return *told, *meant


async def load_support(
    library: Library, evidence: Sequence[Evidence], language: str
) -> dict[int, SourcePassages]:
    """What a deep search read of each source, by its number in the run."""
    texts = await library.load_spans(
        [(one["document"], one["start"], one["end"]) for one in evidence]
    )
    seen: defaultdict[int, list[Passage]] = defaultdict(list)
    for one, text in zip(evidence, texts, strict=True):
        seen[one["number"]].append(
            Passage(
                chunk=0, document=one["document"], start=one["start"], end=one["end"], text=text
            )
        )
    return {number: SourcePassages(found, language) for number, found in seen.items()}


def hash_claim(claim: str) -> str:
    """Stands for a sentence without its citation markers."""
    return blake2b(" ".join(claim.split()).encode(), digest_size=8).hexdigest()


def apply_judgements(
    found: Sequence[CheckedSentence], judged: Iterable[CitationJudgement]
) -> list[CheckedSentence]:
    """The sentences with the verdicts of a checker or a language model on their citations.

    Neither can make supported a sentence with a number that its source lacks.
    """
    judgements = {(one["key"], one["number"]): one for one in judged}

    def revised(one: CheckedSentence, number: int, before: CitationVerdict) -> CitationVerdict:
        judgement = judgements.get((hash_claim(one.claim), number))
        if judgement is None:
            return before
        kind = judgement["verdict"]
        if kind == "supported" and any(reason[0] in NUMBER_REASONS for reason in before.reasons):
            kind = "partial"
        reasons = before.reasons if kind != "supported" else ()
        return replace(
            before,
            kind=kind,
            confidence=judgement["confidence"],
            reasons=reasons,
            step=judgement["step"],
        )

    return [
        replace(one, verdicts={n: revised(one, n, v) for n, v in one.verdicts.items()})
        for one in found
    ]


def build_citations(
    section: int,
    text: str,
    language: str,
    registry: Mapping[int, DocumentInfo],
    found: Sequence[CheckedSentence],
    sources: Mapping[int, SourcePassages],
) -> Iterator[Citation]:
    """A citation for each marker of each sentence, without what stands around its quote.

    Args:
        section: its index in the report.
        text: of the section, its markers numbered as in the reference list.
        language: of the text.
        registry: the document of each number.
        found: the sentences as they were checked.
        sources: what was read of each document, by its id; for sentences that were not.
    """
    known = {
        (one.claim, v.span.document): v for one in found for v in one.verdicts.values() if v.span
    }
    for sentence, numbers in find_cited_sentences(text, language):
        cited_text = text[sentence.start : sentence.end]
        claim = extract_claim(cited_text)
        for number in numbers:
            document = registry[number]
            if document.id not in sources:
                continue
            verdict = known.get((claim, document.id)) or judge_claim(claim, sources[document.id])
            if verdict.span:
                yield Citation(
                    section=section,
                    sentence=cited_text,
                    number=number,
                    document=document.uri,
                    start=verdict.span.start,
                    end=verdict.span.end,
                    quote=verdict.span.quote,
                    before="",
                    after="",
                    verdict=verdict.kind,
                    confidence=round(verdict.confidence, 3),
                    reasons=[f"{code}: {words}" for code, words in verdict.reasons],
                    step=verdict.step,
                )


async def load_cited_texts(
    library: Library, citations: Iterable[Citation], registry: Mapping[int, DocumentInfo]
) -> dict[str, str]:
    """The full texts of the documents that are cited, by uri."""
    cited = {one["document"] for one in citations}
    ids = {document.uri: document.id for document in registry.values() if document.uri in cited}
    texts = await library.load_spans([(number, 0, LONGEST_TEXT) for number in ids.values()])
    return dict(zip(ids, texts, strict=True))


def place_citation(citation: Citation, text: str) -> Citation:
    """A citation with what stands around its quote in a text, and the page that it begins on."""
    start, end = citation["start"], citation["end"]
    placed = citation.copy()
    placed["before"] = text[max(0, start - CONTEXT_CHARACTERS) : start]
    placed["after"] = text[end : end + CONTEXT_CHARACTERS]
    placed.pop("page", None)
    if PAGE_BREAK in text:
        placed["page"] = text.count(PAGE_BREAK, 0, start) + 1
    return placed


def build_conflicts(
    section: int,
    found: Sequence[CheckedSentence],
    read: Mapping[int, SourcePassages],
    final: dict[int, int],
    registry: Mapping[int, DocumentInfo],
) -> list[Conflict]:
    """Sources of the reference list that may speak against sentences of a section.

    Args:
        section: its index in the report.
        found: its sentences as they were checked.
        read: what its writer read of each source, by number.
        final: number in the reference list by the writer's number.
        registry: the document of each number in the reference list.
    """
    listed = {number: source for number, source in read.items() if number in final}
    return [
        Conflict(
            section=section,
            sentence=renumber_markers(found[one.place].text, final),
            cited=[final[n] for n in found[one.place].verdicts],
            number=final[one.number],
            published=registry[final[one.number]].published,
            quote=one.quote,
            kind=one.kind,
            held=Position(
                number=final[one.held],
                published=registry[final[one.held]].published,
                quote=one.held_quote,
            ),
        )
        for one in find_positions(found, listed)
    ]


def drop_mirrored(conflicts: Iterable[Conflict]) -> list[Conflict]:
    """Each pair of positions once, whichever of both the report takes, the first time."""

    def key(one: Conflict) -> frozenset[tuple[int, str]]:
        told = [one["held"]] if "held" in one else []
        return frozenset((side["number"], side["quote"]) for side in (one, *told))

    return list({key(one): one for one in reversed([*conflicts])}.values())[::-1]


def build_remarks(
    section: int, text: str, found: Sequence[CheckedSentence], final: Mapping[int, int]
) -> list[Remark]:
    """The sentences of a section that bring no fact.

    Args:
        section: its index in the report.
        text: of the section as it is given.
        found: its sentences as they were checked.
        final: number in the reference list by the number in the run.
    """
    return [
        Remark(
            section=section,
            sentence=one.text,
            kind=one.kind,
            numbers=[final[number] for number in one.near if number in final],
        )
        for one in found
        if one.kind != "fact" and one.text in text
    ]


def count_totals(
    texts: Sequence[str],
    citations: Sequence[Citation],
    remarks: Sequence[Remark],
    origins: Sequence[ClaimOrigins],
    language: str,
) -> Totals:
    """What an audit counts of a report's sentences and of their citations."""
    behind = [len(one["origins"]) for one in origins]
    kinds = [one["verdict"] for one in citations]
    steps = [one.get("step") for one in citations]
    does = [one["kind"] for one in remarks]
    found = [
        (text[sentence.start : sentence.end], numbers)
        for text in texts
        for sentence, numbers in find_cited_sentences(text, language)
    ]
    facts, cited = len(found) - len(does), sum(bool(numbers) for _, numbers in found)
    return Totals(
        sentences=len(found),
        sentences_cited=cited,
        facts=facts,
        facts_unsupported=sum(UNSUPPORTED_FLAG in said for said, _ in found),
        synthesis=does.count("synthesis"),
        gaps=does.count("gap"),
        structure=does.count("structure"),
        citations=len(kinds),
        citations_supported=kinds.count("supported"),
        citations_partial=kinds.count("partial"),
        citations_contradicted=kinds.count("contradicted"),
        citations_absent=kinds.count("absent"),
        citations_by_words=steps.count("words"),
        citations_by_checker=steps.count("checker"),
        citations_by_model=steps.count("model"),
        claims_one_origin=behind.count(1),
        claims_several_origins=len(behind) - behind.count(1),
        precision=round(kinds.count("supported") / max(1, len(kinds)), 3),
        coverage=round(cited / max(1, facts), 3),
    )


def build_reference(number: int, document: DocumentInfo) -> Reference:
    """The entry of a source in the reference list."""
    made = Reference(
        number=number,
        title=document.title,
        author=document.author,
        site=document.site,
        url=document.url,
        published=document.published,
        accessed=document.fetched.date().isoformat(),
        excerpt=document.excerpt,
        reachable=None,
        checked="",
    )
    if document.copy_of:
        made["copy"] = CopyNote(of=document.copy_of, version=document.copy_version)
    return made


def sum_usage_by_role(
    calls: Iterable[ModelCall], before: Mapping[str, RoleUsage] = MappingProxyType({})
) -> dict[str, RoleUsage]:
    """Calls added up by role; a role that used two models has a line for each.

    Args:
        calls: of this run.
        before: what earlier runs used; it stays as it is.
    """
    usage = {role: RoleUsage(**used) for role, used in before.items()}
    for call in calls:
        key = call["role"]
        if key in usage and usage[key]["model"] != call["model"]:
            key = f"{call['role']} ({call['model']})"
        total = usage.setdefault(
            key,
            RoleUsage(model=call["model"], calls=0, input_tokens=0, output_tokens=0, seconds=0.0),
        )
        total["calls"] += 1
        total["input_tokens"] += call["input_tokens"]
        total["output_tokens"] += call["output_tokens"]
        total["seconds"] = round(total["seconds"] + call["seconds"], 3)
    return usage
