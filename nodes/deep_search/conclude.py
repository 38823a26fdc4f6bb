"""Bind the answer: numbers in order of appearance, references and quotes from data."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from nodes.citing import citations_of, reference, supports, usage_by_role, with_context
from nodes.run import close_run, degraded, distinct, is_outermost, library_of
from retrieval.citations import order_of_appearance, renumber
from schema.context import Context
from schema.deep_search import DeepAnswer, DeepSearchState, FoundPassage
from schema.faults import joined
from schema.report import Citation


async def conclude(state: DeepSearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The draft that was judged last, word for word, as the answer."""
    library, draft = await library_of(runtime), state["draft"]
    assert draft is not None  # noqa: S101  (`answer` wrote it)
    language, evidence = state["language"], state["evidence"]
    documents = {source["number"]: source["document"] for source in state["sources"]}
    final = order_of_appearance([draft["text"]])
    described = await library.documents([documents[old] for old in final])
    registry = {new: described[documents[old]] for old, new in final.items()}
    text = renumber(draft["text"], final)
    read = await supports(library, [one for one in evidence if one["number"] in final], language)
    by_document = {documents[number]: support for number, support in read.items()}

    def bound() -> list[Citation]:
        return list(citations_of(0, text, language, registry, [], by_document))

    citations = await with_context(library, await asyncio.to_thread(bound), registry)
    answered = draft["found"] and all(one["passed"] for one in state["verdicts"])
    short = [] if answered else [degraded("not_answered", _short_of(state))]
    pages = {kind: [p["url"] for p in state["pages"] if p["status"] == kind] for kind in _KINDS}
    answer = DeepAnswer(
        question=state["question"],
        language=language,
        text=text,
        found=draft["found"],
        answered=answered,
        references=[reference(number, document) for number, document in registry.items()],
        citations=citations,
        verdicts=state["verdicts"],
        diary=state["diary"],
        queries=state["queries"],
        pages_read=pages["read"],
        pages_failed=pages["failed"],
        spent=state["spent"],
        usage=usage_by_role(state["calls"]),
        degraded=distinct([*state["degraded"], *short]),
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
        for chunk, document in (await library.chunks_over(spans)).items()
    ]
    if is_outermost(runtime):
        await close_run(state, runtime)
    return {"answer": answer, "found": found, "degraded": short}


_KINDS = ("read", "failed")


def _short_of(state: DeepSearchState) -> str:
    question = state["question"][:200]
    failed = [one for one in state["verdicts"] if not one["passed"]]
    if not failed:
        return f"The sources do not answer “{question}”."
    reasons = joined(f"{one['criterion']}: {one['reason']}" for one in failed)
    return f"The answer to “{question}” falls short ({reasons})."
