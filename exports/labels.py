"""Headings and notes that Quire sets itself, by language of the report.

The words are in `languages/`, one file each. A new file there is a new language.
"""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

LANGUAGES = files("exports") / "languages"


class Labels(NamedTuple):
    """The words around a report. `{...}` stands for what a writer puts in."""

    summary: str
    findings: str
    steps: str
    certainty: str
    references: str
    further: str
    about: str
    accessed: str
    excerpt: str
    page_gone: str
    site_gone: str
    degraded: str
    counts: str
    extractive: str
    contents: str
    skip: str
    conflicts: str
    disagreement: str
    values: str
    table: str
    markers: str
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
def load_labels(language: str) -> Labels:
    """The labels in a language, or in English."""
    path = LANGUAGES / f"{language}.toml"
    if not (re.fullmatch("[a-z]{2,3}", language) and path.is_file()):
        return load_labels("en")
    return Labels(**tomllib.loads(path.read_text(encoding="utf-8")))
