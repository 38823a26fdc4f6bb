"""Preparing many documents in children, so that every core chunks and counts."""

import asyncio
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from library.index.prepare import (
    PreparedChunk,
    PreparedDocument,
    prepare_document,
)
from library.sandbox import SandboxedReader, SandboxError, run_in_sandbox
from library.session import clean_text
from retrieval.code.symbols import SourceCode
from retrieval.search.inverted_index import TermVector
from schema.documents import Chunk, Document

Pair = tuple[Document, SourceCode | None]

PREPARER = SandboxedReader(
    "preparation",
    "library.index.prepare_many:prepare_part",
    concurrency=os.cpu_count() or 1,
    seconds=60,
)
PART_CHARACTERS = 100_000
"""A part of a batch that a child gets has at least as many: some 30 ms of work."""


async def prepare_here(pairs: Sequence[Pair]) -> list[PreparedDocument]:
    """Prepare documents in a thread: what a few of them take is less than a child's start."""
    return await asyncio.to_thread(lambda: [prepare_document(*pair) for pair in pairs])


async def prepare_apart(pairs: Sequence[Pair]) -> list[PreparedDocument]:
    """Prepare documents in children, as many as there are cores; in order.

    Source code, which comes with its symbols, is prepared here, and so is a part that breaks its
    child or takes it too long: the fault of one document costs the others nothing but time.
    """
    prose = [document for document, code in pairs if code is None]
    parts = await asyncio.gather(*map(_prepare_part, _split(prose)))
    made = iter([one for part in parts for one in part])
    coded = iter(await prepare_here([pair for pair in pairs if pair[1] is not None]))
    return [next(made if code is None else coded) for _, code in pairs]


def prepare_part(data: bytes) -> list[dict[str, Any]]:
    """What the child answers: documents as they were prepared, without their texts."""
    return [_encode(prepare_document(Document(**told))) for told in json.loads(data)]


def _split(documents: Sequence[Document]) -> Iterator[Sequence[Document]]:
    """Cut a batch into parts of about the same length, one a core where it is long enough."""
    total = sum(len(document.text) for document in documents)
    wanted = max(PART_CHARACTERS, total // PREPARER.concurrency + 1)
    part: list[Document] = []
    length = 0
    for document in documents:
        part.append(document)
        length += len(document.text)
        if length >= wanted:
            yield part
            part, length = [], 0
    if part:
        yield part


async def _prepare_part(documents: Sequence[Document]) -> list[PreparedDocument]:
    documents = [replace(one, text=clean_text(one.text)) for one in documents]
    data = await asyncio.to_thread(_serialise, documents)
    try:
        told = await run_in_sandbox(PREPARER, data)
    except SandboxError:
        return await prepare_here([(document, None) for document in documents])
    return await asyncio.to_thread(lambda: list(map(_decode, documents, told)))


def _serialise(documents: Sequence[Document]) -> bytes:
    """Documents as JSON; `fetched` stays behind, which preparing does not read."""
    return json.dumps([asdict(replace(one, fetched=None)) for one in documents]).encode()


def _encode(prepared: PreparedDocument) -> dict[str, Any]:
    """A prepared document as JSON can hold it; a text follows from where it stands."""
    chunks = prepared.chunks
    return {
        "document": asdict(replace(prepared.document, text="")),
        "hash": prepared.hash,
        "title": _encode_terms([prepared.title]),
        "names": prepared.names,
        "links": prepared.links,
        "code": prepared.code,
        "chunks": [
            [one.chunk.start, one.chunk.end, one.chunk.heading, one.chunk.kind, one.hash]
            for one in chunks
        ],
        "terms": _encode_terms([one.terms for one in chunks]),
    }


def _decode(document: Document, told: dict[str, Any]) -> PreparedDocument:
    [title] = _decode_terms(*told["title"])
    fields = told["document"] | {"text": document.text, "fetched": document.fetched}
    fields |= {"aliases": document.aliases, "links": document.links}
    vectors = _decode_terms(*told["terms"])
    return PreparedDocument(
        document=Document(**fields),
        hash=told["hash"],
        title=title,
        names=told["names"],
        links=told["links"],
        code=told["code"],
        chunks=[
            PreparedChunk(
                Chunk(start=start, end=end, text=document.text[start:end], heading=at, kind=kind),
                digest,
                terms,
            )
            for (start, end, at, kind, digest), terms in zip(told["chunks"], vectors, strict=True)
        ],
    )


def _encode_terms(vectors: Sequence[TermVector]) -> tuple[list[int], str, str]:
    """How many terms each has, and the ids and weights of all, in base 64."""
    ids = b"".join(one.ids.tobytes() for one in vectors)
    weights = b"".join(one.weights.tobytes() for one in vectors)
    return [len(one.ids) for one in vectors], b64encode(ids).decode(), b64encode(weights).decode()


def _decode_terms(lengths: list[int], ids: str, weights: str) -> list[TermVector]:
    every, heavy = np.frombuffer(b64decode(ids), "<i4"), np.frombuffer(b64decode(weights), "<f2")
    ends = np.cumsum(lengths).tolist()
    starts = [end - length for end, length in zip(ends, lengths, strict=True)]
    return [
        TermVector(every[start:end], heavy[start:end])
        for start, end in zip(starts, ends, strict=True)
    ]
