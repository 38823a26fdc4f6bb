"""Headings and notes that Quire sets itself, by language of the report.

The words are in `languages/`, one file each. A new file there is a new language.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from schema.report import UNSUPPORTED_FLAG, Audit, Citation, ClaimOrigin, ClaimOrigins, Report

LANGUAGES = files("exports") / "languages"

_SHARES = ("coverage", "precision")
_MISSING = frozenset({"number", "date", "unit", "name", "acronym", "words"})
_OTHERWISE = frozenset({"negation", "opposite"})


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
    open_copy: str
    version_published: str
    version_accepted: str
    version_submitted: str
    version_unknown: str
    retracted: str
    concern: str
    retraction_notice: str
    page_gone: str
    site_gone: str
    degraded: str
    counts: str
    extractive: str
    contents: str
    skip: str
    conflicts: str
    disagreement: str
    independent: str
    position: str
    origin: str
    origins: str
    copies: str
    copied: str
    of_agency: str
    same_origin: dict[str, str]
    """Why a source is a copy, by `schema.report.CopyReason`."""
    values: str
    table: str
    markers: str
    supported: str
    partial: str
    contradicted: str
    absent: str
    unjudged: str
    by_words: str
    by_checker: str
    by_model: str
    unsupported: str
    missing: str
    otherwise: str
    foreign: str
    no_quote: str
    open_source: str
    read_passage: str
    on_page: str
    to_reference: str
    cited_at: str
    close: str
    bundle: str
    audit: dict[str, str]
    """The words for each count of `schema.report.Audit`, in the order of the table."""


@lru_cache
def load_labels(language: str) -> Labels:
    """The labels in a language, or in English."""
    path = LANGUAGES / f"{language}.toml"
    if not (re.fullmatch("[a-z]{2,3}", language) and path.is_file()):
        return load_labels("en")
    return Labels(**tomllib.loads(path.read_text(encoding="utf-8")))


def format_audit_rows(audit: Audit, words: Labels) -> list[tuple[str, str, str]]:
    """The table of a report's counts: (key of the audit, what it is, the count)."""
    counts = dict(audit)
    return [
        (key, label, _format_count(key, counts[key]))
        for key, label in words.audit.items()
        if key in counts  # reports of earlier versions lack some
    ]


def _format_count(key: str, count: object) -> str:
    if not isinstance(count, int | float):
        return ""
    return f"{count:.0%}" if key in _SHARES else f"{count:.0f}"


def tell_verdict(citation: Citation, words: Labels) -> str:
    """The verdict on a citation, and who gave it where that is known."""
    verdict = str(getattr(words, citation["verdict"]))
    step = citation.get("step")
    return f"{verdict} ({getattr(words, f'by_{step}')})" if step else verdict


def tell_origins(origins: Sequence[ClaimOrigin], words: Labels) -> str:
    """How many independent origins stand behind a sentence, and how many copies of them."""
    copies = sum(len(one["copies"]) for one in origins)
    count = words.origin if len(origins) == 1 else words.origins.format(count=len(origins))
    return f"{count} ({words.copies.format(count=copies)})" if copies else count


def explain_copies(
    origins: Sequence[ClaimOrigin], words: Labels, marker: Callable[[int], str] = "[{}]".format
) -> Iterator[str]:
    """Which sources are no origins of their own, and why, a sentence each.

    Args:
        origins: behind one sentence.
        words: the labels in the report's language.
        marker: how a number of the reference list is written.
    """
    for origin in origins:
        agency = words.of_agency.format(agency=origin["name"]) if origin["name"] else ""
        for copy in origin["copies"]:
            yield words.copied.format(
                copy=marker(copy["number"]),
                why=words.same_origin[copy["reason"]],
                origin=marker(origin["number"]),
                agency=agency,
            )


def list_shared_claims(report: Report) -> list[ClaimOrigins]:
    """The sentences of which one source at least is no origin of its own."""
    return [
        one
        for one in report.get("origins", [])
        if any(origin["copies"] for origin in one["origins"])
    ]


def explain_flag(report: Report, words: Labels) -> str:
    """What the flag in a report's text means; "" where there is none."""
    flagged = any(UNSUPPORTED_FLAG in section["text"] for section in report["sections"])
    return f"{UNSUPPORTED_FLAG} {words.unsupported}" if flagged else ""


def explain_reasons(reasons: Iterable[str], words: Labels) -> Iterator[str]:
    """The reasons of a citation, as sentences.

    Args:
        reasons: each a code of `citations.verdict`, a colon and the words concerned.
        words: the labels in the report's language.
    """
    found: dict[str, list[str]] = {}
    for reason in reasons:
        code, _, detail = reason.partition(": ")
        if code in _MISSING:
            found.setdefault(words.missing, []).append(detail)
        elif code in _OTHERWISE:
            found.setdefault(words.otherwise, []).append(detail)
        elif code == "language":
            found.setdefault(words.foreign, []).append(detail)
        else:
            found.setdefault("{words}", []).append(reason)
    for sentence, concerned in found.items():
        yield sentence.replace("{words}", ", ".join(concerned))
