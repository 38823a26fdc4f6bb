"""Source files by their symbols, read where a grammar that breaks costs nothing else."""

from dataclasses import astuple
from typing import Any

from library.children import BrokenError, Reading, in_child
from library.prepare import LARGEST_CODE, storable
from retrieval.symbols import Code, Import, Reference, Symbol, code_language, symbols
from schema.documents import Document

CODE = Reading("code", "library.code:answer", at_once=2, seconds=10)


async def read_code(document: Document) -> Code | None:
    """The symbols of a source file; None for what is none, or what no grammar gets through."""
    language = code_language(document.uri)
    if not language or len(document.text) > LARGEST_CODE:
        return None
    try:
        found = await in_child(CODE, storable(document.text).encode(), language=language)
    except BrokenError:
        return None
    if found is None:
        return None
    definitions, calls, imports = found
    return Code(
        [Symbol(*fields) for fields in definitions],
        [Reference(*fields) for fields in calls],
        [Import(*fields) for fields in imports],
    )


def answer(data: bytes, language: str) -> tuple[Any, ...] | None:
    """What the child answers: the fields of a `Code`."""
    found = symbols(data.decode(), language)
    return astuple(found) if found else None
