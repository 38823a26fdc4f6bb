"""Bind the answer: numbers in order of appearance, references and quotes from data."""

import asyncio

from langgraph.runtime import Runtime

from citations.markers import number_by_appearance, renumber_markers
from nodes.common.citations import (
    build_citations,
    build_reference,
    load_cited_texts,
    load_support,
    place_citation,
    sum_usage_by_role,
)
from nodes.common.run import close_run, drop_duplicates, get_library, is_outermost, make_degradation
from nodes.common.windows import describe_small_windows
from schema.context import Context
from schema.deep_search import DeepAnswer, DeepSearchState, DeepSearchUpdate, FoundPassage
from schema.error_text import join_sentences
from schema.report import Citation


async def conclude(state: DeepSearchState, runtime: Runtime[Context]) -> DeepSearchUpdate:
    """The draft that was judged last, word for word, as the answer."""
    library, draft = await get_library(runtime), state["draft"]
    language, evidence = state["language"], state["evidence"]
    documents = {source["number"]: source["document"] for source in state["sources"]}
    final = number_by_appearance([draft["text"]])
    described = await library.load_documents([documents[old] for old in final])
    registry = {new: described[documents[old]] for old, new in final.items()}
    text = renumber_markers(draft["text"], final)
    read = await load_support(
        library, [one for one in evidence if one["number"] in final], language
    )
    by_document = {documents[number]: support for number, support in read.items()}

    def bound() -> list[Citation]:
        return list(build_citations(0, text, language, registry, [], by_document))

    cited = await asyncio.to_thread(bound)
    texts = await load_cited_texts(library, cited, registry)
    citations = [place_citation(one, texts[one["document"]]) for one in cited]
    answered = draft["found"] and all(one["passed"] for one in state["verdicts"])
    short = [] if answered else [make_degradation("not_answered", _explain_failure(state))]
    pages = {kind: [p["url"] for p in state["pages"] if p["status"] == kind] for kind in _STATUSES}
    answer = DeepAnswer(
        question=state["question"],
        language=language,
        text=text,
        found=draft["found"],
        answered=answered,
        references=[build_reference(number, document) for number, document in registry.items()],
        citations=citations,
        verdicts=state["verdicts"],
        diary=state["diary"],
        queries=state["queries"],
        pages_read=pages["read"],
        pages_failed=pages["failed"],
        spent=state["spent"],
        usage=sum_usage_by_role(state["calls"]),
        degraded=drop_duplicates(
            [*state["degraded"], *short, *describe_small_windows(state["calls"])]
        ),
    )
    spans = [(one["document"], one["start"], one["end"]) for one in evidence]
    titles = {source["document"]: source for source in state["sources"]}
    found = [
        FoundPassage(
            chunk=chunk,
            document=document,
            title=titles[document]["title"],
            url=titles[document]["url"],
        )
        for chunk, document in (await library.find_chunks_over(spans)).items()
    ]
    if is_outermost(runtime):
        await close_run(state, runtime)
    return {"answer": answer, "found": found, "degraded": short}


_STATUSES = ("read", "failed")


def _explain_failure(state: DeepSearchState) -> str:
    question = state["question"][:200]
    failed = [one for one in state["verdicts"] if not one["passed"]]
    if not failed:
        return f"The sources do not answer “{question}”."
    reasons = join_sentences(f"{one['criterion']}: {one['reason']}" for one in failed)
    return f"The answer to “{question}” falls short ({reasons})."
