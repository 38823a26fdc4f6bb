"""What the library holds and what a search finds. Offsets count characters of `Document.text`."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

ChunkKind = Literal["abstract", "overview", "body", "timeline", "code"]
Grade = Literal["exact", "strong", "moderate", "weak"]

PAGE_BREAK = "\f"
"""Parts a text into pages: the character for it, also in plain text (RFC 20)."""

CANONICAL = "canonical:"
"""Begins the link of a page to the address on another host that it says is its original's."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """One text as a connector hands it over.

    `uri` is its identity inside a search space. `version` is whatever the source says changes
    with the content (size and time of a file, an ETag): equal versions are not read again.
    `excerpt` marks a search engine's snippet of a page that was not read itself. `path` is its
    place in the library's tree, without the connector (`channel/thread`); where empty, it follows
    from the uri. `readers` are names of those who may read it, `("everyone",)` all members of its
    space; where None it stays as it was, a new one for all. `aliases` are other names it is looked
    up by, `links` uris it points to beside those that stand in its text; a `superseded` document
    has been replaced by another. A text that was read as an open copy says in `copy_of` which
    address it stands for, and in `copy_version` whether it is "published", "accepted" or
    "submitted".
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
    path: str = ""
    aliases: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    superseded: bool = False
    copy_of: str = ""
    copy_version: str = ""
    readers: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class ReadersOf:
    """Who may read the document of a uri, or, where there is none, all that stand below it."""

    uri: str
    readers: tuple[str, ...]


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


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """All before it was handed over; a later sync may go on from its cursor."""

    cursor: str


Change = Document | ReadersOf | Skipped | Unchanged | Gone | Checkpoint


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """A contiguous piece of a document: `text == document.text[start:end]`."""

    start: int
    end: int
    text: str
    heading: str = ""
    kind: ChunkKind = "body"


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A chunk that a search found.

    `score` lies in 0..1 and compares within one search only. `relevance` compares between
    searches: how much, in 0..1, speaks for the chunk being about the query; `grade` says it in a
    word. `retriever_scores` is what each retriever gave to the score, `why` what else changed it. A
    chunk whose text another document has as well names that chunk in `mirror_of`; `hop` counts the
    steps along links or symbols that led to it.
    """

    chunk: int
    document: int
    score: float
    relevance: float
    grade: Grade = "weak"
    kind: ChunkKind = "body"
    retriever_scores: dict[str, float] = field(default_factory=dict)
    why: list[str] = field(default_factory=list)
    mirror_of: int | None = None
    hop: int = 0


@dataclass(frozen=True, kw_only=True)
class Passage(Chunk):
    """A stored chunk, by its number and that of its document."""

    chunk: int
    document: int


@dataclass(frozen=True, kw_only=True)
class ChunkPlace:
    """Where a stored chunk stands in its document, without its text."""

    chunk: int
    start: int
    end: int
    heading: str


@dataclass(frozen=True, kw_only=True)
class DocumentInfo:
    """A stored document without its text; `space` is the name of its space, or of a part of one."""

    id: int
    space: str
    uri: str
    path: str
    connector: str
    title: str
    author: str
    site: str
    url: str
    language: str
    published: str
    fetched: datetime
    excerpt: bool
    copy_of: str = ""
    copy_version: str = ""
