"""Facts about what a search found: each resolver is asked for each document, all at once."""

from collections.abc import Sequence

from connectors.resolvers.protocol import Resolution
from connectors.resolvers.registry import resolve, resolver
from library.library import Library
from schema.documents import DocumentInfo
from schema.errors import ResolverError
from schema.limits import slots
from schema.together import together

AT_ONCE = 8

_TAKES = {"library_uri": "title", "x_handle": "author"}
"""What of a document a resolver is given; the url, where it is not named here."""

Facts = dict[str, Resolution | ResolverError]


def _given(document: DocumentInfo, wanted: str) -> str:
    value = str(getattr(document, _TAKES.get(wanted, "url")))
    return "" if wanted == "url_reachable" and value.startswith("file:") else value


async def enriched(
    documents: Sequence[DocumentInfo], wanted: Sequence[str], library: Library
) -> dict[int, Facts]:
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
        resolver(one)  # refused before anything is asked

    async def ask(document: DocumentInfo, one: str, value: str) -> tuple[int, Facts]:
        try:
            async with slots(f"resolver {one}", AT_ONCE):
                return document.id, {one: await resolve(one, value, library)}
        except ResolverError as error:
            return document.id, {one: error}

    pairs = [
        (document, one, value)
        for document in documents
        for one in wanted
        if (value := _given(document, one))
    ]
    facts: dict[int, Facts] = {}
    for document, fact in await together(ask(*pair) for pair in pairs):
        facts.setdefault(document, {}).update(fact)
    return facts
