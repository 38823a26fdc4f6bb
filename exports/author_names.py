"""Names of authors, told apart: who is a person, and which part of a name is the family's.

Sources give authors as one string in many forms: "Anna Holm, Bo Li et al.", "Holm, Anna; Li, Bo",
"Holm AK", "World Health Organization". Nothing here is certain. What does not look like names of
people, in whole, is taken for one organisation.
"""

import re
from typing import NamedTuple


class AuthorName(NamedTuple):
    """A person, or an organisation, which has no `given` name."""

    family: str
    given: str = ""


class Authors(NamedTuple):
    """The authors of a source; `others` says that there are more than those named."""

    names: list[AuthorName]
    others: bool = False


_OTHERS = re.compile(r"[\s,;]*(?:\bet al\b\.?|\band others\b|\bu\. ?a\.|等)[\s.]*$")
_BEFORE_SUFFIX = re.compile(r"\s*,\s*(?=(?:jr|sr|m\.?d|ph\.?d)\b)", re.IGNORECASE)
_SEMICOLON = re.compile(r"\s*[;；|]\s*")
_AND = re.compile(r"\s+(?:and|und|et|y|&)\s+")
_COMMA_OR_AND = re.compile(r"\s*,?\s+(?:and|und|et|y|&)\s+|\s*[,，、]\s*")
_INITIALS = re.compile(r"[A-Z]{1,3}")
_FAMILY_FIRST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")  # kana, Han, Hangul
_PARTICLES = "af al av bin da de del della den der di dos du el ibn la le ten ter van von zu zur"
_SUFFIXES = "ii iii jr jr. sr sr. md m.d. phd ph.d."
_ORGANISATION = """
    academy administration agency alliance archive archives association authority bank board bureau
    center centre club collective college commission committee community company consortium
    contributors corporation council department desk editors federation for forum foundation gmbh
    government group inc inc. institut institute instituto journal lab laboratory labs library llc
    ltd ltd. magazine media ministry museum nations network news of office organisation organization
    post press project research review school science sciences service services society software
    staff systems team technologies the times today trust union universidad university università
    université universität verein
"""
_PARTICLE_WORDS = frozenset(_PARTICLES.split())
_SUFFIX_WORDS = frozenset(_SUFFIXES.split())
_ORGANISATION_WORDS = frozenset(_ORGANISATION.split())


def parse_authors(author: str) -> Authors:
    """The names in an author string, as far as they can be recognised."""
    text = " ".join(author.split()).strip(" ,;")
    named = _BEFORE_SUFFIX.sub(" ", _OTHERS.sub("", text))
    others = len(_OTHERS.sub("", text)) < len(text)
    for separator in (_SEMICOLON, _AND, _COMMA_OR_AND):
        parts = [part for part in separator.split(named) if part]
        names = [_parse_name(part) for part in parts]
        if len(names) > 1 and (separator is _SEMICOLON or all(map(_is_whole_name, parts, names))):
            return Authors(names, others)
    return Authors([_parse_name(named)] if named else [], others)


def _is_whole_name(part: str, name: AuthorName) -> bool:
    """Whether a part of a list is the name of one person, and not half of another."""
    comma = "," in part and not _is_inverted(part)
    return not comma and bool(name.given or _FAMILY_FIRST.fullmatch(name.family))


def _parse_name(text: str) -> AuthorName:
    family, comma, given = text.partition(",")
    if comma and _is_inverted(text):
        return AuthorName(family.strip(), given.strip())
    words = text.split()
    if comma or not _is_person(words):
        return AuthorName(text)
    if all(map(_FAMILY_FIRST.fullmatch, words)):
        return AuthorName(words[0], " ".join(words[1:]))
    if _INITIALS.fullmatch(words[-1]) and not _INITIALS.fullmatch(words[0]):
        return AuthorName(" ".join(words[:-1]), words[-1])
    last = max(at for at, word in enumerate(words) if word.lower() not in _SUFFIX_WORDS)
    first = last
    while first > 1 and words[first - 1].lower() in _PARTICLE_WORDS:
        first -= 1
    return AuthorName(
        " ".join(words[first : last + 1]), " ".join(words[:first] + words[last + 1 :])
    )


def _is_inverted(text: str) -> bool:
    """Whether a name is written "Holm, Anna": one comma, and a family name of one word."""
    family, _, given = text.partition(",")
    return (
        text.count(",") == 1
        and bool(given.strip())
        and not _FAMILY_FIRST.fullmatch(family.strip())
        and len([word for word in family.split() if word.lower() not in _PARTICLE_WORDS]) == 1
        and not {word.lower() for word in text.replace(",", " ").split()} & _ORGANISATION_WORDS
    )


def _is_person(words: list[str]) -> bool:
    """Whether words look like a person's name: two to five, none in lower case but particles."""
    lowered = [word.lower() for word in words]
    return (
        2 <= len([word for word in lowered if word not in _SUFFIX_WORDS]) <= 5
        and not _ORGANISATION_WORDS.intersection(lowered)
        and all(
            word in _PARTICLE_WORDS or word in _SUFFIX_WORDS or not given[0].islower()
            for word, given in zip(lowered, words, strict=True)
        )
        and lowered[-1] not in _PARTICLE_WORDS
        and all(word[0].isalpha() for word in words)
    )
