"""Source files by their symbols, read where a grammar that breaks costs nothing else."""

from dataclasses import astuple
from typing import Any

from library.index.prepare import MAX_CODE_CHARACTERS
from library.sandbox import SandboxedReader, SandboxError, run_in_sandbox
from library.session import clean_text
from retrieval.code.symbols import (
    CallSite,
    Import,
    SourceCode,
    Symbol,
    detect_code_language,
    extract_symbols,
)
from schema.documents import Document

CODE_READER = SandboxedReader(
    "code", "library.index.read_code:parse_code", concurrency=2, seconds=10
)


async def read_code(document: Document) -> SourceCode | None:
    """The symbols of a source file; None for what is none, or what no grammar gets through."""
    language = detect_code_language(document.uri)
    if not language or len(document.text) > MAX_CODE_CHARACTERS:
        return None
    try:
        found = await run_in_sandbox(
            CODE_READER, clean_text(document.text).encode(), language=language
        )
    except SandboxError:
        return None
    if found is None:
        return None
    definitions, calls, imports = found
    return SourceCode(
        [Symbol(*fields) for fields in definitions],
        [CallSite(*fields) for fields in calls],
        [Import(*fields) for fields in imports],
    )


def parse_code(data: bytes, language: str) -> tuple[Any, ...] | None:
    """What the child answers: the fields of a `SourceCode`."""
    found = extract_symbols(data.decode(), language)
    return astuple(found) if found else None
