"""What a source of documents is.

A live connector is asked at question time and hands over documents. An indexed connector brings
its documents into the library beforehand, and the library is asked. A class is either by having
the methods below; it inherits nothing.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Literal, Protocol, runtime_checkable

from schema.documents import Change, Document
from schema.search import Filters


class _Named(Protocol):
    name: str
    """What users call it, and the `connector` of its documents."""

    def missing(self) -> str:
        """What keeps it from being used, as a sentence that says what to set; "" if nothing."""
        ...


@runtime_checkable
class LiveConnector(_Named, Protocol):
    """Asked over the network when a report needs it."""

    kind: Literal["live"]
    concurrency: int
    """Searches under way at once."""
    attempts: int
    """Tries per search, the first among them."""

    async def search(self, query: str, *, limit: int) -> list[Document]:
        """Find documents for a question, best first.

        Raises:
            ConnectorError: the source did not answer; `passing` where a retry may help.
        """
        ...


@runtime_checkable
class IndexedConnector(_Named, Protocol):
    """Searched in the library."""

    kind: Literal["indexed"]

    def filters(self, paths: Sequence[str]) -> Filters:
        """What of the library belongs to it, kept to the run's paths if it knows paths."""
        ...


@runtime_checkable
class SyncingConnector(IndexedConnector, Protocol):
    """An indexed connector that can bring its documents up to date."""

    def roots(self, places: Sequence[str]) -> list[str]:
        """The uris that the places stand for.

        Raises:
            InputError: a place does not exist or may not be read.
        """
        ...

    def sync(self, roots: Sequence[str], known: Mapping[str, str]) -> AsyncIterator[Change]:
        """Go through all that lies at or below the roots.

        Args:
            roots: uris from `roots()`.
            known: version by uri of what the library already holds there.
        """
        ...


Connector = LiveConnector | IndexedConnector
