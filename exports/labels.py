"""Headings and notes that Quire sets itself, by language of the report.

The words are in `languages/`, one file each. A new file there is a new language.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

_PLACE = files("exports") / "languages"
_LANGUAGES = frozenset(
    one.name.removesuffix(".toml") for one in _PLACE.iterdir() if one.name.endswith(".toml")
)


class Labels(NamedTuple):
    """The words around a report. `{...}` stands for what the one who writes puts in."""

    references: str
    further: str
    about: str
    accessed: str
    excerpt: str
    dead: str
    degraded: str
    counted: str
    extractive: str
    contents: str
    skip: str
    conflicts: str
    but: str
    values: str
    table: str
    marks: str
    supported: str
    partial: str
    contradicted: str
    absent: str
    unjudged: str
    missing: str
    otherwise: str
    foreign: str
    no_quote: str
    open_source: str
    to_reference: str
    cited_at: str
    close: str
    audit: dict[str, str]
    """The words for each count of `schema.report.Audit`, in the order of the table."""


@cache
def labels(language: str) -> Labels:
    """The labels in a language, or in English."""
    name = language if language in _LANGUAGES else "en"
    return Labels(**tomllib.loads((_PLACE / f"{name}.toml").read_text(encoding="utf-8")))
