"""Headings and notes that Quire sets itself, by language of the report.

The words are in `languages/`, one file each. A new file there is a new language.
"""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

_PLACE = files("exports") / "languages"


class Labels(NamedTuple):
    """The words around a report. `{...}` stands for what the one who writes puts in."""

    references: str
    further: str
    about: str
    accessed: str
    excerpt: str
    gone: str
    no_host: str
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


@lru_cache
def labels(language: str) -> Labels:
    """The labels in a language, or in English."""
    place = _PLACE / f"{language}.toml"
    if not (language.isalpha() and place.is_file()):
        return labels("en")
    return Labels(**tomllib.loads(place.read_text(encoding="utf-8")))
