"""`library_uri`: which document of the library is meant by a uri, an alias or a whole title."""

from datetime import UTC, datetime

from connectors.resolvers.protocol import Cost, Resolution, Resolver
from library.library import Library
from schema.documents import DocumentInfo
from schema.errors import ResolverError

URI, ALIAS, TITLE = 1.0, 0.9, 0.8
"""Confidence by what matched; shared out where several documents match as well."""


class LibraryUri(Resolver):
    """Looks into the run's library; it asks nobody else."""

    id = "library_uri"
    cost: Cost = "free"
    backend = "the library"

    async def resolve(self, value: str, library: Library | None = None) -> Resolution:
        """The uri of the document."""
        if library is None:
            raise ResolverError("unavailable", "No library was given: say which is meant.")
        found = await library.look_up(value)
        if not found:
            message = f"The library holds no document “{value[:200]}”: check its title or uri."
            raise ResolverError("not_found", message)
        matches = [_rate_match(value, document) for document in found]
        return Resolution(
            value=found[0].uri,
            confidence=matches[0] / matches.count(matches[0]),
            source=f"the library's space {library.space}",
            fetched_at=datetime.now(UTC),
        )


def _rate_match(value: str, document: DocumentInfo) -> float:
    if value in (document.uri, document.url):
        return URI
    return TITLE if value.casefold() == document.title.casefold() else ALIAS
