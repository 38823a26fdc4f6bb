"""What a space remembers beside its sources: earlier reports and preferences, report templates.

Each part is a space of its own, `NAME~memory` and `NAME~skill`, so that what Quire wrote itself is
never taken for a source, and costs a search of the sources nothing.
"""

from collections.abc import Sequence

from library.library import Library
from schema.gather import run_concurrently
from schema.search import Part, SearchOptions

MAX_DOCUMENTS = 3
"""Remembered documents that one look brings."""


async def recall(
    library: Library, part: Part, queries: Sequence[str], characters: int
) -> list[str]:
    """The best of what a part holds on some queries; nothing where all of it is weak.

    Args:
        library: of the sources.
        part: memory or skill.
        queries: what is looked for.
        characters: of each document that are returned, its title before them.

    Returns:
        Texts, best first.
    """
    kept = library.open_part(part)
    options = SearchOptions(limit=MAX_DOCUMENTS, mode="documents")
    found = await run_concurrently(kept.search(query, options) for query in queries)
    best: dict[int, float] = {}
    for hit in (hit for one in found for hit in one.hits if hit.grade != "weak"):
        best[hit.document] = max(hit.relevance, best.get(hit.document, 0.0))
    chosen = sorted(best, key=lambda document: (-best[document], document))[:MAX_DOCUMENTS]
    described = await kept.load_documents(chosen)
    texts = [(described[one].title, await kept.load_text(described[one].uri)) for one in chosen]
    return [f"{title}\n{(text or '')[:characters]}" for title, text in texts]
