"""What the nodes that bind citations have in common: sources as references, spans as proof."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from library.library import Library
from retrieval.citations import without_marks
from retrieval.sentences import Sentence
from retrieval.support import Support
from schema.deep_search import Evidence
from schema.documents import DocumentInfo, Passage
from schema.report import Citation, ModelCall, Reference, RoleUsage


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


def citations_of(
    section: int,
    text: str,
    tied: Sequence[tuple[Sentence, list[int]]],
    registry: Mapping[int, DocumentInfo],
    support: Mapping[int, Support],
) -> Iterator[Citation]:
    """A citation for each mark of each sentence.

    Args:
        section: its index in the report.
        text: of the section, its marks numbered as in the reference list.
        tied: the sentences with their numbers; see `retrieval.citations.cited_sentences`.
        registry: the document of each number.
        support: what was read of each document, by its id.
    """
    for sentence, numbers in tied:
        said = text[sentence.start : sentence.end]
        for number in numbers:
            document = registry[number]
            seen = support.get(document.id)
            if span := seen and seen.best_span(without_marks(said)):
                yield Citation(
                    section=section,
                    sentence=said,
                    number=number,
                    document=document.uri,
                    start=span.start,
                    end=span.end,
                    quote=span.quote,
                )


async def supports(
    library: Library, evidence: Sequence[Evidence], language: str
) -> dict[int, Support]:
    """What was read of each source, by its number in the run."""
    texts = await library.spans([(one["document"], one["start"], one["end"]) for one in evidence])
    seen: defaultdict[int, list[Passage]] = defaultdict(list)
    for one, text in zip(evidence, texts, strict=True):
        seen[one["number"]].append(
            Passage(
                chunk=0, document=one["document"], start=one["start"], end=one["end"], text=text
            )
        )
    return {number: Support(found, language) for number, found in seen.items()}


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
