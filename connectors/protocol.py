"""What a source of documents is.

A live connector is asked at question time and returns documents. An indexed connector stores
its documents in the library beforehand, and the library is asked. A class is either by having
the members below. One that inherits from a protocol here gets what most connectors say from it.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, runtime_checkable

from schema.documents import Change, Document
from schema.search import Filters, Part


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How much a source is asked. They hold over all runs of a process."""

    concurrency: int = 8
    """Searches, or requests of a sync, under way at once."""
    attempts: int = 5
    """Tries of each, the first among them."""
    request_interval: float = 0.0
    """Seconds between two requests that the provider's own server asks for; none elsewhere."""


@dataclass(frozen=True, kw_only=True)
class SyncState:
    """What a sync begins with: the location to read, and what the last syncs stored."""

    location: str
    root: str
    """Of `find_root(location)`."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """`Document.version` by uri of what the library holds at or below the root."""
    cursor: str = ""
    """Of the last `Checkpoint`; "" reads everything again."""
    acl: bool = False
    """Whether to tell who may read: `Document.readers` of what is new, `ReadersOf` all the rest."""


class _ConnectorFields(Protocol):
    name: str
    """What users call it, and the `connector` of its documents."""
    description: str
    """What it reads, in a few words."""
    document_description: str
    """What one document is: its uri, title, author, url and date, in one sentence."""
    required_variables: Sequence[str] = ()
    """Variables that must be set, each a name, or several of which one will do: `A or B`."""
    package: str = ""
    """Module that must be installed, with the extra of the connector's name; "" where none."""
    languages: Sequence[str] = ()
    """Codes of the languages that it knows, as `en`; empty for any."""
    limits: Limits = Limits()


@runtime_checkable
class LiveConnector(_ConnectorFields, Protocol):
    """Asked over the network when a report needs it."""

    kind: Literal["live"] = "live"

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Find documents for a question, best first.

        Args:
            query: what is looked for, in a user's words.
            limit: documents wanted.
            since: ISO day of the first publication wanted, or "" for any. Nothing that was
                published before it comes, where the source can tell; what has no date is returned.

        Raises:
            ConnectorError: the source did not answer; `retryable` where a retry may help.
        """
        ...


class IndexedConnector(_ConnectorFields, Protocol):
    """Searched in the library."""

    kind: Literal["indexed"] = "indexed"
    tells_readers: bool = False
    """Whether a sync can tell who may read each document."""


@runtime_checkable
class SyncingConnector(IndexedConnector, Protocol):
    """An indexed connector that can bring its documents up to date."""

    async def find_root(self, location: str) -> str:
        """The uri at or below which all documents of a location stand. May ask the source.

        Raises:
            InputError: there is no such location; says which there are, or what to write.
            ConnectorError: the source did not answer.
        """
        ...

    def sync(self, since: SyncState) -> AsyncIterator[Change]:
        """Go through what a location holds now.

        It yields every document that is new or has another version, `Unchanged` for what it met
        again, `Skipped` for what it could not read, where it is asked to `ReadersOf` for who may
        read what it met before, and, once it has seen all there is, `Gone`
        for what there no longer is. A failure is raised, never passed off as an end.

        Raises:
            ConnectorError: the source did not answer, after all tries.
        """
        ...


def name_readers(change: Change, readers: tuple[str, ...] | None) -> Change:
    """The change; a document with its readers, where they are told."""
    if readers is None or not isinstance(change, Document):
        return change
    return replace(change, readers=readers)


@runtime_checkable
class FilteringConnector(Protocol):
    """An indexed connector whose documents are not all that carry its name, or that knows paths."""

    def filters(self, paths: Sequence[str]) -> Filters:
        """What of the library belongs to it, limited to the run's paths if it knows paths."""
        ...


@runtime_checkable
class PartConnector(IndexedConnector, Protocol):
    """An indexed connector whose documents stand in a part of the space, beside its sources."""

    part: Part
    """Whose documents it searches, but for those that the space itself holds."""


Connector = LiveConnector | IndexedConnector
