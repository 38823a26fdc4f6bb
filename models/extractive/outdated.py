"""Figures that a newer source of the same section gives otherwise."""

import re
from collections.abc import Mapping, Sequence

from models.extractive.candidates import CandidateSentence
from models.extractive.question_type import find_told_kinds
from prompts.template import SourceText
from text.dates import find_dates

SHARED_TERMS, SHARED_SHARE = 4, 0.8
"""Terms beside their figures that two sentences share which speak of the same thing."""

_FIGURE = re.compile(r"(?<![^\W_])\d+(?:[.,]\d+)*")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?![\d.,]\d)")
_BYGONE = re.compile(
    r"\b(?:refers? to the (?:state|time)|no longer|out of date|outdated|superseded|formerly|"
    r"used to be|nicht mehr|überholt|veraltet|früher|bisherige\w*|n'est plus|périmée?s?|ya no)\b|"
    r"\b(?:lowered|raised|reduced|increased|cut|changed|fell|rose|went)\b[^.;]{0,40}?\bfrom\b|"
    r"\b(?:von|de)\b(?=[^.;]{1,40}\b(?:gesenkt|erhöht|abaissée?s?|relevée?s?|reducid[oa]s?)\b)|不再",
    re.IGNORECASE,
)
"""Says that a figure in its sentence has been replaced; of "from A to B" it is A."""

_REPLACED = re.compile(
    r"\b(?:replaced by|(?:wird|werden) (?:durch|ersetzt)|ersetzt durch|remplacée?s? par|"
    r"sustitu(?:id[oa]s?|ye[n]?) por|sostituit[oaei] da|substituíd[oa]s? por|vervangen door)\b|"
    r"替换为",
    re.IGNORECASE,
)
"""The same of the figure before it."""

_IN_FORCE = re.compile(
    r"\b(?:appl(?:y|ies|ied)|in force|valid|gilt|gelten|in kraft|en vigueur|vigentes?|vigor)\b"
    r"(?=[^.;]*\b(?:since|from|as of|seit|ab|depuis|desde)\b)|"
    r"\b(?:since|from|as of|seit|ab|depuis|desde)\b(?=[^.;]*\b(?:appl(?:y|ies|ied)|in force|valid|"
    r"gilt|gelten|in kraft|en vigueur|vigentes?)\b)|起(?:施行|生效|实行)",
    re.IGNORECASE,
)
"""Says since when something holds."""


def drop_outdated(
    pool: Sequence[CandidateSentence], sources: Sequence[SourceText], language: str
) -> list[CandidateSentence]:
    """The sentences without those whose figure a newer source says to be past, or gives otherwise.

    A sentence that names its year stays: it is true of its time. What several sources say word for
    word is as old as the first of them; a source without a date is older than any that has one.
    """
    published = {one.number: one.published for one in sources}
    first: dict[str, str] = {}
    for one in pool:
        date = published.get(one.source, "")
        first[one.text] = min(first.get(one.text, date), date)
    telling = [one for one in pool if _FIGURE.search(one.text)]
    return [
        one
        for one in pool
        if one not in telling
        or _YEAR.search(one.text)
        or not any(_replaces(new, one, first, language) for new in telling)
    ]


def _replaces(
    new: CandidateSentence, old: CandidateSentence, published: Mapping[str, str], language: str
) -> bool:
    """Whether the figures of a sentence are past by what another of a newer source says."""
    date = published[old.text]
    if new.source == old.source or published[new.text] <= date:
        return False
    figures, newer = set(_FIGURE.findall(old.text)), set(_FIGURE.findall(new.text))
    shared = {term for term in old.terms & new.terms if not _FIGURE.search(term)}
    if shared and figures & _find_bygone(new.text):
        return True
    subject = (old.terms | old.context) & (new.terms | new.context)
    if figures & _find_replaced(new.text) and not all(map(_FIGURE.search, subject)):
        return True
    if find_told_kinds(new.text) and _IN_FORCE.search(new.text):
        since = [f"{one.year:04d}" for one in find_dates(new.text, language) if one.year]
        is_later = any(year >= date[:4] for year in since) and bool(date)
        if is_later and {one for one in new.terms | new.context if one in old.terms}:
            return True
    whole = {term for term in old.terms | new.terms if not _FIGURE.search(term)}
    is_same = len(shared) >= SHARED_TERMS and len(shared) >= SHARED_SHARE * len(whole)
    return is_same and not figures & newer


def _find_replaced(text: str) -> set[str]:
    """The figures of at least three digits for which a sentence, as of a law, puts others."""
    figures: set[str] = set()
    for found in _REPLACED.finditer(text):
        before = [one[0] for one in _FIGURE.finditer(text, 0, found.start())][-1:]
        figures |= {one for one in before if sum(map(str.isdigit, one)) >= 3}
    return figures


def _find_bygone(text: str) -> set[str]:
    """The figures of at least three digits that a sentence says to be past; no years."""
    found = _BYGONE.search(text)
    if not found:
        return set()
    figures = [one for one in _FIGURE.finditer(text) if not _YEAR.fullmatch(one[0])]
    told = [one for one in figures if sum(map(str.isdigit, one[0])) >= 3]
    if found[0].casefold().endswith("from"):
        told = [one for one in told if one.start() >= found.end()][:1]
    return {one[0] for one in told}
