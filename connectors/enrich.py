"""Facts about what a search found: each resolver is asked for each document, all at once."""

from collections.abc import Sequence

from connectors.resolvers.protocol import Resolution
from connectors.resolvers.registry import make_resolver, resolve
from library.library import Library
from schema.concurrency import get_semaphore
from schema.documents import DocumentInfo
from schema.errors import ResolverError
from schema.gather import run_concurrently

CONCURRENCY = 8

_INPUT_FIELDS = {"library_uri": "title", "x_handle": "author"}
"""What of a document a resolver is given; the url, where it is not named here."""

ResolvedFacts = dict[str, Resolution | ResolverError]


def _select_input(document: DocumentInfo, wanted: str) -> str:
    value = str(getattr(document, _INPUT_FIELDS.get(wanted, "url")))
    return "" if wanted == "url_reachable" and value.startswith("file:") else value


async def resolve_facts(
    documents: Sequence[DocumentInfo], wanted: Sequence[str], library: Library
) -> dict[int, ResolvedFacts]:
    """Ask resolvers about documents.

    Args:
        documents: what was found.
        wanted: ids of resolvers.
        library: the search's.

    Returns:
        By the number of the document and the resolver's id, the fact, or why there is none. A
        document without the value that a resolver takes, such as a url, is passed over.

    Raises:
        InputError: there is no such resolver.
    """
    for one in wanted:
        make_resolver(one)  # refused before anything is asked

    async def ask(document: DocumentInfo, one: str, value: str) -> tuple[int, ResolvedFacts]:
        try:
            async with get_semaphore(f"resolver {one}", CONCURRENCY):
                return document.id, {one: await resolve(one, value, library)}
        except ResolverError as error:
            return document.id, {one: error}

    pairs = [
        (document, one, value)
        for document in documents
        for one in wanted
        if (value := _select_input(document, one))
    ]
    facts: dict[int, ResolvedFacts] = {}
    for document, fact in await run_concurrently(ask(*pair) for pair in pairs):
        facts.setdefault(document, {}).update(fact)
    return facts
