"""A document as a connector hands it over, made ready for the tables."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import PurePosixPath
from urllib.parse import SplitResult, unquote, urlsplit

from library.session import clean_text
from retrieval.code.chunks import CodeChunk, split_code
from retrieval.code.symbols import SourceCode, detect_code_language
from retrieval.passages.chunk_kinds import classify_chunks
from retrieval.passages.chunking import split_chunks
from retrieval.search.bm25 import choose_pivot
from retrieval.search.inverted_index import TermVector
from retrieval.web.links import find_links
from schema.documents import Chunk, Document
from text.language import detect_language
from text.tokens import tokenise_to_ids

TITLE_CHARACTERS = 300
NAME_CHARACTERS = 300
PATH_CHARACTERS = 1_000
LINK_CHARACTERS = 2_000
KEY_BYTES = 2_500
"""What a key of PostgreSQL's indexes takes: 2,704 bytes with all that stands beside it."""
MAX_CODE_CHARACTERS = 500_000
"""Characters of a source file that is still read as code: hostile text takes a grammar long."""
TITLE_LENGTH = 8.0
"""Pivot length of BM25 over titles, in terms."""


@dataclass(frozen=True)
class ChunkSymbol:
    """A name in code: its role in the chunk, and what it is where it is defined."""

    role: str
    name: str
    qualified_name: str
    kind: str = ""


@dataclass(frozen=True)
class PreparedChunk:
    """A chunk with its index terms; `hash` tells equal chunks of one document apart from others."""

    chunk: Chunk
    hash: str
    terms: TermVector
    symbols: tuple[ChunkSymbol, ...] = ()


@dataclass(frozen=True)
class PreparedDocument:
    """A document with its chunks. CPU work only: made in a thread."""

    document: Document
    hash: str
    title: TermVector
    names: dict[str, bool]
    """Folded name to whether it is an alias."""
    links: list[str]
    code: str
    """Programming language; empty for prose."""
    chunks: list[PreparedChunk]


def prepare_document(document: Document, code: SourceCode | None = None) -> PreparedDocument:
    """Clean, chunk and analyse a document; with its symbols it is cut as code, else as prose."""
    [prepared] = prepare_documents([document], [code])
    return prepared


def prepare_documents(
    documents: Sequence[Document], codes: Sequence[SourceCode | None]
) -> list[PreparedDocument]:
    """The same for a batch, whose terms are counted in one go, in half the time."""
    cut = [_cut_document(*one) for one in zip(documents, codes, strict=True)]
    titles = TermVector.from_many(
        [tokenise_to_ids(one.document.title, one.document.language) for one in cut],
        [TITLE_LENGTH] * len(cut),
    )
    contexts = [(one.document.language, context) for one in cut for context in one.contexts]
    vectors = iter(
        TermVector.from_many(
            [tokenise_to_ids(context, language) for language, context in contexts],
            [choose_pivot(language) for language, _ in contexts],
        )
    )
    return [
        _build_document(one, title, list(islice(vectors, len(one.chunks))))
        for one, title in zip(cut, titles, strict=True)
    ]


@dataclass(frozen=True)
class _CutDocument:
    """A cleaned document, its programming language, and its chunks with the symbols of each."""

    document: Document
    code: str
    chunks: Sequence[Chunk]
    symbols: Sequence[tuple[ChunkSymbol, ...]]

    @cached_property
    def contexts(self) -> list[str]:
        """The chunks together with their title and heading, which say what they are about."""
        return [f"{self.document.title}\n{one.heading}\n{one.text}" for one in self.chunks]


def _cut_document(document: Document, code: SourceCode | None) -> _CutDocument:
    text = clean_text(document.text)
    document = replace(
        document,
        uri=clean_text(document.uri),
        text=text,
        connector=clean_text(document.connector),
        title=clean_text(document.title)[:TITLE_CHARACTERS],
        author=clean_text(document.author)[:TITLE_CHARACTERS],
        site=clean_text(document.site),
        url=clean_text(document.url),
        language=clean_text(document.language) or detect_language(text),
        published=clean_text(document.published),
        version=clean_text(document.version),
        copy_of=clean_text(document.copy_of),
        copy_version=clean_text(document.copy_version),
        path=build_tree_path(document),
    )
    language = detect_code_language(document.uri) if len(text) <= MAX_CODE_CHARACTERS else ""
    if code:
        return _CutDocument(
            document, language, *_chunk_code(document, language, split_code(text, code))
        )
    chunks = _chunk_prose(text)
    return _CutDocument(document, language, chunks, [()] * len(chunks))


def _build_document(
    cut: _CutDocument, title: TermVector, vectors: Sequence[TermVector]
) -> PreparedDocument:
    document = cut.document
    others = [*document.aliases, *([document.url] if document.url != document.uri else [])]
    names = {name: True for alias in others if (name := fold_name(alias))}
    names |= {name: False for name in [fold_name(document.title)] if name}
    found = find_links(document.text, document.uri)
    targets = list(dict.fromkeys(map(_normalise_link, (*document.links, *found))))
    return PreparedDocument(
        document=document,
        hash=_compute_digest(
            document.language, document.title, document.text, document.path, *sorted(names),
            *targets, "superseded" if document.superseded else "",
        ),
        title=title,
        names=names,
        code=cut.code,
        links=[target for target in targets if target not in (document.uri, document.url)],
        chunks=[
            PreparedChunk(
                chunk=chunk,
                hash=_compute_digest(document.language, chunk.kind, context, *map(str, named)),
                terms=terms,
                symbols=tuple(map(_clean_symbol, named)),
            )
            for chunk, context, terms, named in zip(
                cut.chunks, cut.contexts, vectors, cut.symbols, strict=True
            )
        ],
    )  # fmt: skip


def build_tree_path(document: Document) -> str:
    """Where a document stands in the tree: connector/folder/.../name, no empty parts.

    The connector says it, or it follows from the uri: `file:///notes/a.md` of the connector
    `files` is `files/notes/a.md`, `https://host/b?c` of `web` is `web/host/b?c`.
    """
    parts = _split_uri(document.uri)
    inside = document.path or f"{parts.netloc}/{parts.path}" + (
        f"?{parts.query}" if parts.query else ""
    )
    names = [
        name for name in unquote(f"{document.connector}/{inside}").split("/") if name.strip(".")
    ]
    return _truncate_key("/".join(names)[:PATH_CHARACTERS])


def fold_name(name: str) -> str:
    """A title or alias as it is looked up: case, width, outer marks and spaces do not count."""
    folded = " ".join(unicodedata.normalize("NFKC", clean_text(name)).casefold().split())
    return folded.strip("?？!！.。:： \"'“”«»「」")[:NAME_CHARACTERS]


def _normalise_link(link: str) -> str:
    """A link as it is looked up: one to a page by its name holds the name folded."""
    scheme, _, name = link.partition("wiki:")
    if not scheme and name:
        return f"wiki:{fold_name(name)}"
    return _truncate_key(link[:LINK_CHARACTERS])


def _truncate_key(text: str) -> str:
    """As much of a text as fits a key of an index."""
    return clean_text(text).encode()[:KEY_BYTES].decode(errors="ignore")


def _split_uri(uri: str) -> SplitResult:
    """A uri taken apart; what is none, such as http://[, is all path."""
    try:
        return urlsplit(uri)
    except ValueError:
        return SplitResult("", "", uri, "", "")


def _chunk_prose(text: str) -> list[Chunk]:
    pieces = split_chunks(text)
    kinds = classify_chunks(pieces)
    return [
        piece if piece.kind == kind else replace(piece, kind=kind)
        for piece, kind in zip(pieces, kinds, strict=True)
    ]


_DOTTED_LANGUAGES = ("python", "java")  # languages in which `a.go` is a part of `a`, not a file


def _chunk_code(
    document: Document, language: str, pieces: Sequence[CodeChunk]
) -> tuple[list[Chunk], list[tuple[ChunkSymbol, ...]]]:
    """Chunks of a source file, and the symbols of each.

    The first defines the file itself, which imports then lead to.
    """
    module = PurePosixPath(_split_uri(document.uri).path).stem
    chunks: list[Chunk] = []
    symbols: list[tuple[ChunkSymbol, ...]] = []
    for piece in pieces:
        chunk = Chunk(
            start=piece.start,
            end=piece.end,
            text=document.text[piece.start : piece.end],
            heading=piece.heading,
            kind="code",
        )
        named = [
            ChunkSymbol("definition", s.name, s.qualified_name, s.kind) for s in piece.definitions
        ]
        if module and not chunks:
            named.append(ChunkSymbol("definition", module, module, "module"))
        named += [ChunkSymbol("call", name, name) for name in piece.calls]
        named += [
            ChunkSymbol("import", _find_last_name(name, language), name) for name in piece.imports
        ]
        chunks.append(chunk)
        symbols.append(tuple(dict.fromkeys(named)))
    return chunks, symbols


def _find_last_name(module: str, language: str) -> str:
    """`bm25` of `retrieval.bm25`, `./retrieval/bm25.js` or `crate::retrieval::bm25`."""
    file = language not in _DOTTED_LANGUAGES and detect_code_language(module)
    bare = module.rpartition(".")[0] if file else module
    parts = re.findall(r"[^./:\\\s]+", bare)
    return parts[-1] if parts else module


def _clean_symbol(one: ChunkSymbol) -> ChunkSymbol:
    return replace(one, name=clean_text(one.name), qualified_name=clean_text(one.qualified_name))


def _compute_digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
