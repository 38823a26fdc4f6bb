"""What the nodes that bind citations have in common: sources as references, spans as proof."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b

from library.library import Library
from retrieval.citations import cited_sentences, renumber
from retrieval.proof import FIGURES, Proven, claim_of, conflicting
from retrieval.support import Support
from retrieval.verdicts import Verdict, verdict
from schema.deep_search import Evidence
from schema.documents import DocumentInfo, Passage
from schema.report import (
    Citation,
    Conflict,
    ModelCall,
    Reference,
    RoleUsage,
    Section,
    Source,
    Totals,
)
from schema.revising import Judged

AROUND = 200
"""Characters of the stored text that a citation shows before and after its quote."""


def numbers_of(sources: Iterable[Source], sections: Iterable[Section]) -> dict[int, int]:
    """The document of each number: those of the run, and those that sections found themselves."""
    every = [*sources, *(source for section in sections for source in section["sources"])]
    return {source["number"]: source["document"] for source in every}


async def read_by_section(
    library: Library, drafts: Sequence[Section], language: str
) -> list[dict[int, Support]]:
    """For each section, what its writer read of each source, by number."""
    passages = await library.passages(sorted({c for one in drafts for c in one["passages"]}))

    def read(draft: Section) -> dict[int, Support]:
        numbers = {source["document"]: source["number"] for source in draft["sources"]}
        seen: defaultdict[int, list[Passage]] = defaultdict(list)
        for chunk in draft["passages"]:
            if chunk in passages:
                seen[numbers[passages[chunk].document]].append(passages[chunk])
        return {number: Support(found, language) for number, found in seen.items()}

    return await asyncio.to_thread(lambda: [read(draft) for draft in drafts])


async def supports(
    library: Library, evidence: Sequence[Evidence], language: str
) -> dict[int, Support]:
    """What a deep search read of each source, by its number in the run."""
    texts = await library.spans([(one["document"], one["start"], one["end"]) for one in evidence])
    seen: defaultdict[int, list[Passage]] = defaultdict(list)
    for one, text in zip(evidence, texts, strict=True):
        seen[one["number"]].append(
            Passage(
                chunk=0, document=one["document"], start=one["start"], end=one["end"], text=text
            )
        )
    return {number: Support(found, language) for number, found in seen.items()}


def claim_key(claim: str) -> str:
    """Stands for a sentence without its marks."""
    return blake2b(" ".join(claim.split()).encode(), digest_size=8).hexdigest()


def with_judgements(found: Sequence[Proven], judged: Iterable[Judged]) -> list[Proven]:
    """The sentences with what a judge said of their citations.

    A judge cannot make supported what has a figure that its source has not.
    """
    said = {(one["key"], one["number"]): one for one in judged}

    def revised(one: Proven, number: int, before: Verdict) -> Verdict:
        judgement = said.get((claim_key(one.claim), number))
        if judgement is None:
            return before
        kind = judgement["verdict"]
        if kind == "supported" and any(reason[0] in FIGURES for reason in before.reasons):
            kind = "partial"
        reasons = before.reasons if kind != "supported" else ()
        return replace(before, kind=kind, confidence=judgement["confidence"], reasons=reasons)

    return [
        replace(one, verdicts={n: revised(one, n, v) for n, v in one.verdicts.items()})
        for one in found
    ]


def citations_of(
    section: int,
    text: str,
    language: str,
    registry: Mapping[int, DocumentInfo],
    found: Sequence[Proven],
    sources: Mapping[int, Support],
) -> Iterator[Citation]:
    """A citation for each mark of each sentence, without what stands around its quote.

    Args:
        section: its index in the report.
        text: of the section, its marks numbered as in the reference list.
        language: of the text.
        registry: the document of each number.
        found: the sentences as they were proven.
        sources: what was read of each document, by its id; for sentences that were not.
    """
    known = {
        (one.claim, v.span.document): v for one in found for v in one.verdicts.values() if v.span
    }
    for sentence, numbers in cited_sentences(text, language):
        said = text[sentence.start : sentence.end]
        claim = claim_of(said)
        for number in numbers:
            document = registry[number]
            if document.id not in sources:
                continue
            proof = known.get((claim, document.id)) or verdict(claim, sources[document.id])
            if proof.span:
                yield Citation(
                    section=section,
                    sentence=said,
                    number=number,
                    document=document.uri,
                    start=proof.span.start,
                    end=proof.span.end,
                    quote=proof.span.quote,
                    before="",
                    after="",
                    verdict=proof.kind,
                    confidence=round(proof.confidence, 3),
                    reasons=[f"{code}: {words}" for code, words in proof.reasons],
                )


async def with_context(
    library: Library, citations: Sequence[Citation], registry: Mapping[int, DocumentInfo]
) -> list[Citation]:
    """The citations with the stored text around their quotes."""
    ids = {document.uri: document.id for document in registry.values()}
    before = [
        (ids[one["document"]], max(0, one["start"] - AROUND), one["start"]) for one in citations
    ]
    after = [(ids[one["document"]], one["end"], one["end"] + AROUND) for one in citations]
    texts = await library.spans([*before, *after])
    return [
        Citation(**{**one, "before": texts[place], "after": texts[len(citations) + place]})
        for place, one in enumerate(citations)
    ]


def conflicts_of(
    section: int,
    found: Sequence[Proven],
    read: Mapping[int, Support],
    final: dict[int, int],
    registry: Mapping[int, DocumentInfo],
) -> list[Conflict]:
    """Sources of the reference list that speak against sentences of a section.

    Args:
        section: its index in the report.
        found: its sentences as they were proven.
        read: what its writer read of each source, by number.
        final: number in the reference list by the writer's number.
        registry: the document of each number in the reference list.
    """
    listed = {number: source for number, source in read.items() if number in final}
    return [
        Conflict(
            section=section,
            sentence=renumber(found[place].text, final),
            cited=[final[n] for n in found[place].verdicts],
            number=final[number],
            published=registry[final[number]].published,
            quote=quote,
        )
        for place, number, quote in conflicting(found, listed)
    ]


def totals(citations: Sequence[Citation], sentences: int, cited: int) -> Totals:
    """What an audit counts of the sentences that state something, and of their citations."""
    kinds = [one["verdict"] for one in citations]
    return Totals(
        sentences=sentences,
        sentences_cited=cited,
        citations=len(kinds),
        citations_supported=kinds.count("supported"),
        citations_partial=kinds.count("partial"),
        citations_contradicted=kinds.count("contradicted"),
        citations_absent=kinds.count("absent"),
        precision=round(kinds.count("supported") / max(1, len(kinds)), 3),
        coverage=round(cited / max(1, sentences), 3),
    )


def reference(number: int, document: DocumentInfo) -> Reference:
    """The entry of a source in the reference list."""
    return Reference(
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


def usage_by_role(calls: Iterable[ModelCall]) -> dict[str, RoleUsage]:
    """Calls summed up by role; a role that used two models has a line for each."""
    usage: dict[str, RoleUsage] = {}
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
