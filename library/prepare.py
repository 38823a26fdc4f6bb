"""A document as a connector hands it over, made ready for the tables."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from urllib.parse import SplitResult, unquote, urlsplit

from retrieval.analysis import term_ids
from retrieval.chunking import chunks
from retrieval.code_chunks import CodeChunk, code_chunks
from retrieval.inverted import Terms
from retrieval.kinds import kinds
from retrieval.language import detect_language
from retrieval.links import links
from retrieval.symbols import Code, code_language
from schema.documents import Chunk, Document

TITLE_CHARACTERS = 300
NAME_CHARACTERS = 300
PATH_CHARACTERS = 1_000
LINK_CHARACTERS = 2_000
KEY_BYTES = 2_500
"""What a key of PostgreSQL's indexes takes: 2,704 bytes with all that stands beside it."""
LARGEST_CODE = 500_000
"""Characters of a source file that is still read as code: hostile text takes a grammar long."""
TITLE_LENGTH = 8.0
"""Pivot length of BM25 over titles, in terms."""


@dataclass(frozen=True)
class Symbol:
    """A name in code: its role in the chunk, and what it is where it is defined."""

    role: str
    name: str
    symbol: str
    kind: str = ""


@dataclass(frozen=True)
class PreparedChunk:
    """A chunk with its index terms; `hash` tells equal chunks of one document apart from others."""

    chunk: Chunk
    hash: str
    terms: Terms
    symbols: tuple[Symbol, ...] = ()


@dataclass(frozen=True)
class Prepared:
    """A document with its chunks. CPU work only: made in a thread."""

    document: Document
    hash: str
    title: Terms
    names: dict[str, bool]
    """Folded name to whether it is an alias."""
    links: list[str]
    code: str
    """Programming language; empty for prose."""
    chunks: list[PreparedChunk]


def prepare(document: Document, code: Code | None = None) -> Prepared:
    """Clean, chunk and analyse a document; with its symbols it is cut as code, else as prose."""
    text = storable(document.text)
    document = replace(
        document,
        uri=storable(document.uri),
        text=text,
        connector=storable(document.connector),
        title=storable(document.title)[:TITLE_CHARACTERS],
        author=storable(document.author)[:TITLE_CHARACTERS],
        site=storable(document.site),
        url=storable(document.url),
        language=storable(document.language) or detect_language(text),
        published=storable(document.published),
        version=storable(document.version),
        path=tree_path(document),
    )
    others = [*document.aliases, *([document.url] if document.url != document.uri else [])]
    names = {name: True for alias in others if (name := folded_name(alias))}
    names |= {name: False for name in [folded_name(document.title)] if name}
    targets = list(dict.fromkeys(map(_target, (*document.links, *links(text, document.uri)))))
    language = code_language(document.uri) if len(text) <= LARGEST_CODE else ""
    return Prepared(
        document=document,
        hash=_digest(
            document.language, document.title, text, document.path, *sorted(names), *targets,
            "superseded" if document.superseded else "",
        ),
        title=Terms.of(term_ids(document.title, document.language), TITLE_LENGTH),
        names=names,
        code=language,
        links=[target for target in targets if target not in (document.uri, document.url)],
        chunks=_code(document, language, code_chunks(text, code)) if code else _prose(document),
    )  # fmt: skip


def tree_path(document: Document) -> str:
    """Where a document stands in the tree: connector/folder/.../name, no empty parts.

    The connector says it, or it follows from the uri: `file:///notes/a.md` of the connector
    `files` is `files/notes/a.md`, `https://host/b?c` of `web` is `web/host/b?c`.
    """
    parts = _parts(document.uri)
    inside = document.path or f"{parts.netloc}/{parts.path}" + (
        f"?{parts.query}" if parts.query else ""
    )
    names = [
        name for name in unquote(f"{document.connector}/{inside}").split("/") if name.strip(".")
    ]
    return _key("/".join(names)[:PATH_CHARACTERS])


def folded_name(name: str) -> str:
    """A title or alias as it is looked up: case, width, outer marks and spaces do not count."""
    folded = " ".join(unicodedata.normalize("NFKC", storable(name)).casefold().split())
    return folded.strip("?？!！.。:： \"'“”«»「」")[:NAME_CHARACTERS]


def _target(link: str) -> str:
    """A link as it is looked up: one to a page by its name holds the name folded."""
    scheme, _, name = link.partition("wiki:")
    if not scheme and name:
        return f"wiki:{folded_name(name)}"
    return _key(link[:LINK_CHARACTERS])


def _key(text: str) -> str:
    """As much of a text as fits a key of an index."""
    return storable(text).encode()[:KEY_BYTES].decode(errors="ignore")


def _parts(uri: str) -> SplitResult:
    """A uri taken apart; what is none, such as http://[, is all path."""
    try:
        return urlsplit(uri)
    except ValueError:
        return SplitResult("", "", uri, "", "")


def storable(text: str) -> str:
    """Replace what PostgreSQL cannot keep (NUL, lone surrogates), one character for one."""
    return (
        text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


def clean(texts: Iterable[str]) -> list[str]:
    """Texts as the tables hold them; see `storable`."""
    return [storable(text) for text in texts]


def _prose(document: Document) -> list[PreparedChunk]:
    pieces = chunks(document.text)
    return [
        _prepared(document, replace(piece, kind=kind))
        for piece, kind in zip(pieces, kinds(pieces), strict=True)
    ]


_DOTTED = ("python", "java")  # languages in which `a.go` is a part of `a`, not a file


def _code(document: Document, language: str, pieces: Sequence[CodeChunk]) -> list[PreparedChunk]:
    """Chunks of a source file; the first defines the file itself, which imports then lead to."""
    module = PurePosixPath(_parts(document.uri).path).stem
    prepared: list[PreparedChunk] = []
    for piece in pieces:
        chunk = Chunk(
            start=piece.start,
            end=piece.end,
            text=document.text[piece.start : piece.end],
            heading=piece.heading,
            kind="code",
        )
        named = [Symbol("definition", s.name, s.qualified, s.kind) for s in piece.definitions]
        if module and not prepared:
            named.append(Symbol("definition", module, module, "module"))
        named += [Symbol("call", name, name) for name in piece.calls]
        named += [Symbol("import", _last_name(name, language), name) for name in piece.imports]
        prepared.append(_prepared(document, chunk, tuple(dict.fromkeys(named))))
    return prepared


def _last_name(module: str, language: str) -> str:
    """`bm25` of `retrieval.bm25`, `./retrieval/bm25.js` or `crate::retrieval::bm25`."""
    file = language not in _DOTTED and code_language(module)
    bare = module.rpartition(".")[0] if file else module
    parts = re.findall(r"[^./:\\\s]+", bare)
    return parts[-1] if parts else module


def _prepared(document: Document, chunk: Chunk, symbols: tuple[Symbol, ...] = ()) -> PreparedChunk:
    """Analyse a chunk together with its title and heading, which say what it is about."""
    context = f"{document.title}\n{chunk.heading}\n{chunk.text}"
    return PreparedChunk(
        chunk=chunk,
        hash=_digest(document.language, chunk.kind, context, *map(str, symbols)),
        terms=Terms.of(term_ids(context, document.language)),
        symbols=tuple(
            replace(one, name=storable(one.name), symbol=storable(one.symbol)) for one in symbols
        ),
    )


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
