"""What the library holds and what a search finds. Offsets count characters of `Document.text`."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class Document:
    """One text as a connector hands it over.

    `uri` is its identity inside a search space. `version` is whatever the source says changes
    with the content (size and time of a file, an ETag): equal versions are not read again.
    `excerpt` marks a search engine's snippet of a page that was not read itself.
    """

    uri: str
    text: str
    connector: str
    title: str = ""
    author: str = ""
    site: str = ""
    url: str = ""
    language: str = ""
    published: str = ""
    fetched: datetime | None = None
    version: str = ""
    excerpt: bool = False


@dataclass(frozen=True, kw_only=True)
class Skipped:
    """Something a connector met and could not read, with the reason in one sentence."""

    uri: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Unchanged:
    """A document that the library already holds in this version."""

    uri: str


@dataclass(frozen=True, kw_only=True)
class Gone:
    """A document that the source no longer has."""

    uri: str


Change = Document | Skipped | Unchanged | Gone


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """A contiguous piece of a document: `text == document.text[start:end]`."""

    start: int
    end: int
    text: str
    heading: str = ""


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A chunk that a search found.

    `score` lies in 0..1 and compares within one search only. `evidence` compares between
    searches: the share of the query's weight, in 0..1, that the chunk's own words hold; 1 for a
    chunk that an embedding model found, since its words need not be the query's.
    """

    chunk: int
    document: int
    score: float
    evidence: float


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A chunk with what a reader or a writer needs to know about where it stands."""

    chunk: int
    document: int
    start: int
    end: int
    text: str
    heading: str = ""


@dataclass(frozen=True, kw_only=True)
class DocumentInfo:
    """A stored document without its text."""

    id: int
    uri: str
    connector: str
    title: str
    author: str
    site: str
    url: str
    language: str
    published: str
    fetched: datetime
    excerpt: bool
