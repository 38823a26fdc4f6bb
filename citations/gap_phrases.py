"""Sentences that say what the sources do not say, by the phrases of nine languages."""

import re
from functools import cache

from citations.absence_phrases import ABSENCE_PHRASES
from citations.gap_pointers import has_own_subject, split_pointer

_ANY = r"[^.;:!?。；：！？]"
"""A character inside a clause."""

_BETWEEN = re.compile(r"\{any\}(\{\{\d+,\d+\}\}\?)")
"""What stands between the words of a phrase, which is no part of it: a group of the pattern."""

_INSET = re.compile(r", which\b(?P<said>[^;—]*),(?=\s*(?:(?:is|are|was|were)\s+)?$)", re.IGNORECASE)
"""A clause that stands between a subject and, behind it, what says that it is missing."""

_ARTICLES = "the|these|those|this|die|der|das|les|las|los|la|le|el|il|gli|i|as|os|o|a|de|het"


@cache
def _load_absence(language: str) -> re.Pattern[str] | None:
    words = ABSENCE_PHRASES.get(language)
    if words is None:
        return None
    fields = {name: str(words[name]) for name in ("source", "say", "said")}
    patterns = [_BETWEEN.sub(r"({any}\1)", one) for one in words["patterns"]]
    parts = [one.format(any=_ANY, word=r"[\w-]+", **fields) for one in patterns]
    return re.compile(rf"(?:\b(?:{_ARTICLES})\s+)?(?:{'|'.join(parts)})", re.IGNORECASE)


@cache
def _load_contrast(language: str) -> re.Pattern[str]:
    words = str(ABSENCE_PHRASES[language]["but"])
    if language in ("zh", "ja"):
        return re.compile(rf"[;；—]|[，,、]?(?:{words})")
    return re.compile(rf"[;—]|, which\b|[,:(–]?\s(?:{words})\b", re.IGNORECASE)


def speaks_of_absence(sentence: str, language: str) -> bool:
    """Whether a sentence says that sources do not say something; False in other languages.

    One that says where a missing thing may stand says so, too.
    """
    absence = _load_absence(language)
    if absence is None:
        return False
    before, pointer, behind = split_pointer(sentence, language, _load_contrast(language))
    return bool(pointer or absence.search(before) or absence.search(behind))


def find_pointer(sentence: str, language: str) -> str:
    """Where a sentence says that what is missing may stand: its words and titles; "" if nowhere."""
    if language not in ABSENCE_PHRASES:
        return ""
    return split_pointer(sentence, language, _load_contrast(language))[1]


def find_other_clauses(sentence: str, language: str) -> list[str]:
    """The clauses of a sentence of absence that state something of their own."""
    return _split_clauses(sentence, language)[1]


def find_missing_subject(sentence: str, language: str) -> str:
    """What a sentence of absence says is missing: its words without the phrase of absence."""
    absence = _load_absence(language)
    if absence is None:
        return ""
    kept = " ".join(_split_clauses(sentence, language)[0])
    left = absence.sub(lambda found: f" {' '.join(filter(None, found.groups()))} ", kept)
    return " ".join(left.split()).strip(" .,;:。，、")


def _split_clauses(sentence: str, language: str) -> tuple[list[str], list[str]]:
    """The clauses that tell what is missing, and the others; where it may stand is in neither."""
    absence = _load_absence(language)
    if absence is None:
        return [], []
    contrast = _load_contrast(language)
    sentence, insets = _cut_insets(sentence, language)
    before, pointer, behind = split_pointer(sentence, language, contrast)
    clauses = [one for one in contrast.split(before) if one.strip(" ,.")]
    # "The price may stand under ...": what the pointer begins with is its subject
    alone = not pointer or has_own_subject(pointer) or before.rstrip().endswith((";", "；"))
    leads = [] if alone else clauses[-1:]
    clauses += [one for one in contrast.split(behind) if one.strip(" ,.")]
    others = [
        one
        for one in clauses
        if not absence.search(one) and (one not in leads or any(map(str.isdigit, one)))
    ]
    missing = [one for one in clauses if one not in others]
    return missing, [one.strip(" ,") for one in (*others, *insets)]


def _cut_insets(sentence: str, language: str) -> tuple[str, list[str]]:
    """A sentence of absence without the clause inside its subject, and that clause.

    "The price, which rose twice, remains open": what is missing is the price.
    """
    absence = _load_absence(language)
    for found in absence.finditer(sentence) if absence else ():
        if inset := _INSET.search(sentence, 0, found.start()):
            left = sentence[: inset.start()] + " " + sentence[found.start() :]
            return left, [inset["said"].strip(" ,")]
    return sentence, []
