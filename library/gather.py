"""The arms at work: every chunk that any of them finds, scored by all of them.

An arm is asked for its best chunks; then it also scores those of the others. So no chunk is
punished for standing just behind the end of a list, and averages compare like with like.
"""

from dataclasses import dataclass, field

from library.arms import (
    EXACT_DOCUMENTS,
    TITLE_DOCUMENTS,
    Held,
    Meaning,
    Titles,
    Words,
    chunks_of,
    documents_of,
    named,
)
from library.asked import Asked
from library.database import Connection
from library.vectors import MixedLengths
from retrieval.fusion import min_max
from schema.report import Degraded
from schema.search import Arm, Step


@dataclass(frozen=True)
class Gathered:
    """What the arms found.

    Attributes:
        found: by arm, the chunks that it found, best first.
        scores: by arm, the score in 0..1 of every chunk that any arm found.
        exact: chunks of documents that were looked up by name.
        held: what the chunks hold of the query's words.
        cosines: of chunks that have a vector.
        documents: of each chunk its document.
        trace: how many chunks each arm found.
        degraded: arms that could not be used.
    """

    found: dict[Arm, list[int]]
    scores: dict[Arm, dict[int, float]]
    exact: list[int]
    held: Held
    cosines: dict[int, float]
    documents: dict[int, int]
    trace: list[Step]
    degraded: list[Degraded] = field(default_factory=list)


async def gather(connection: Connection, asked: Asked, meaning: Meaning | None) -> Gathered:
    """Ask the arms that are on.

    Args:
        connection: a session of the space's owner.
        asked: the query.
        meaning: its vectors, where the space has some of the same model.
    """
    arms, space, filters = asked.options.arms, asked.space, asked.filters
    degraded: list[Degraded] = []
    found: dict[Arm, list[int]] = {}
    words = await Words.read(connection, space, asked.queries)
    titles = await Titles.read(connection, space, asked.queries[0]) if "title" in arms else None
    if "words" in arms:
        found["words"] = await words.find(connection, space, filters, asked.depth)
    if "exact" in arms:
        most = None if filters else EXACT_DOCUMENTS
        called = await named(connection, space, asked.queries[0].text, most)
        found["exact"] = (await _one_each(connection, asked, called, words))[:EXACT_DOCUMENTS]
    if titles:
        found["title"] = await _titled(connection, asked, titles, words)
    if meaning and "meaning" in arms:
        try:
            async with connection.transaction():  # a savepoint: the session stays usable
                found["meaning"] = await meaning.find(connection, space, filters, asked.depth)
        except MixedLengths:
            meaning = None
            degraded.append(_other_length(space.embedding_model))
    chunks = list(dict.fromkeys(chunk for arm in found.values() for chunk in arm))
    cosines = await meaning.cosines(connection, space, chunks) if meaning else {}
    if "meaning" in found:  # a vector of zeros is near to nothing, and has no cosine
        found["meaning"] = [chunk for chunk in found["meaning"] if chunk in cosines]
    documents = await documents_of(connection, space, chunks)
    scores: dict[Arm, dict[int, float]] = {}
    if "words" in found:
        scores["words"] = words.of(chunks)
    if titles:
        scores["title"] = titles.of(documents)
    if "meaning" in found:
        scores["meaning"] = min_max(cosines)
    trace = [Step(f"arm {name}", {"found": len(ids)}) for name, ids in found.items()]
    held = words.held(chunks)
    return Gathered(
        found, scores, found.get("exact", []), held, cosines, documents, trace, degraded
    )


async def _titled(connection: Connection, asked: Asked, titles: Titles, words: Words) -> list[int]:
    """A chunk of each document with one of the best titles, of those that pass the filters."""
    length = TITLE_DOCUMENTS
    while True:
        documents = titles.documents(length)
        chunks = await _one_each(connection, asked, documents, words)
        if not asked.filters or len(chunks) >= TITLE_DOCUMENTS or len(documents) < length:
            return chunks[:TITLE_DOCUMENTS]
        length *= 8


async def _one_each(
    connection: Connection, asked: Asked, documents: list[int], words: Words
) -> list[int]:
    """The chunk of each document that holds most of the query's words; else its first."""
    if not documents:
        return []
    chunks = await chunks_of(connection, asked.space, documents, asked.filters)
    score = words.of([chunk for held in chunks.values() for chunk in held])
    return [max(held, key=lambda one: score[one]) for held in chunks.values() if held]


def _other_length(model: str | None) -> Degraded:
    detail = (
        f"{model} makes vectors of another length than the library's: only words were searched. "
        "Remove the documents and ingest them again."
    )
    return Degraded(code="embedding_model_changed", detail=detail)
