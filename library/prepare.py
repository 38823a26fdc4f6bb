"""A document as a connector hands it over, made ready for the tables."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from retrieval.analysis import detect_language, term_id, terms
from retrieval.bm25 import weights
from retrieval.chunking import chunks
from schema.documents import Chunk, Document

TITLE_CHARACTERS = 300


@dataclass(frozen=True)
class PreparedChunk:
    """A chunk with its index terms; `hash` tells equal chunks of one document apart from others."""

    chunk: Chunk
    hash: str
    weights: dict[int, float]


@dataclass(frozen=True)
class Prepared:
    """A document with its chunks. CPU work only: made in a thread."""

    document: Document
    hash: str
    chunks: list[PreparedChunk]


def prepare(document: Document) -> Prepared:
    """Clean, chunk and analyse a document."""
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
    )
    return Prepared(
        document=document,
        # a chunk is indexed under its title, in its language: a new one makes the rows anew
        hash=_digest("\0".join((document.language, document.title, text))),
        chunks=[_prepare_chunk(document, chunk) for chunk in chunks(text)],
    )


def storable(text: str) -> str:
    """Replace what PostgreSQL cannot keep (NUL, lone surrogates), one character for one."""
    return (
        text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


def clean(texts: Iterable[str]) -> list[str]:
    """Texts as the tables hold them; see `storable`."""
    return [storable(text) for text in texts]


def document_frequencies(chunk_terms: Iterable[Iterable[int]]) -> Counter[int]:
    """In how many of the chunks each term occurs."""
    return Counter(term for terms_ in chunk_terms for term in set(terms_))


def _prepare_chunk(document: Document, chunk: Chunk) -> PreparedChunk:
    """Analyse a chunk together with its title and heading, which say what it is about."""
    context = f"{document.title}\n{chunk.heading}\n{chunk.text}"
    hash_ = _digest(f"{document.language}\0{context}")
    weighted = weights(terms(context, document.language))
    by_id: dict[int, float] = {}
    for term, weight in weighted.items():
        identity = term_id(term)
        by_id[identity] = max(weight, by_id.get(identity, 0.0))
    return PreparedChunk(chunk=chunk, hash=hash_, weights=by_id)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
