"""Names in a sentence, by how they are written: with capitals inside it or with figures."""

import re
import unicodedata
from collections.abc import Container, Iterator
from dataclasses import dataclass

from retrieval.analysis import content_weight, terms
from retrieval.function_words import function_words

_SPACED = r"[^\W_\u1100-\u11ff\u3040-\ud7ff]"
_WORD = re.compile(rf"{_SPACED}+(?:[-‐.'’&]{_SPACED}+)*")
_OPENS = re.compile(r"(?:^|[.!?:;。！？：\n])[\s\"'“”‘’„«»(\[*#-]*$")
_BEFORE = 10
_LONGEST = 100  # characters: what is longer is no name, and no pattern is made of it
_NOUNS_HAVE_CAPITALS = {"de", "lb"}


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it is written; a `code` has figures among its letters."""

    text: str
    code: bool = False


def names(text: str, language: str) -> list[Name]:
    """Find the names of a sentence: those of several words, too ("Marie Curie").

    Acronyms, words with a capital inside (iPhone) and codes (COVID-19) are names wherever they
    stand. Another capitalised word is one where it does not open a sentence, and in German, whose
    nouns have capitals, only beside another one. Where all is in capitals only codes show.

    Args:
        text: with blanks in place of its dates and numbers.
        language: its function words open sentences and no names.
    """
    if text.isupper():
        return [Name(word, code=True) for word in _WORD.findall(text) if _code(word)]
    found: list[Name] = []
    for run in _runs(text):
        words = [word[0] for word in run]
        if _opens(text, run[0].start()):
            first = words[0].casefold() in function_words(language)
            words = words[1:] if first or (len(words) == 1 and not _marked(words[0])) else words
        single = len(words) == 1 and language in _NOUNS_HAVE_CAPITALS and not _marked(words[0])
        if words and not single and words != ["I"]:
            found.append(Name(" ".join(map(_named, words)), _code(words[0])))
    return found


def _named(word: str) -> str:
    """The part of a word joined by hyphens that is the name: HIV of "HIV-positive"."""
    parts = word.split("-")
    named = [
        place
        for place, part in enumerate(parts)
        if part[0].isupper() or _marked(part) or _code("".join(parts[place + 1 : place + 2]))
    ]
    return "-".join(parts[named[0] : named[-1] + 1]) if named else word


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Words with capitals or figures, those side by side together; codes by themselves."""
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        gap = text[run[-1].end() : word.start()] if run else ""
        beside = gap == " " or (gap == ". " and len(run[-1][0]) <= 2)  # Thomas K. Arnold
        if run and not (beside and word[0][0].isupper() and not _code(word[0])):
            yield run
            run = []
        if word[0][0].isupper() or _marked(word[0]):
            run.append(word)
            if _code(word[0]):
                yield run
                run = []
    if run:
        yield run


def _opens(text: str, at: int) -> bool:
    return at == 0 or bool(_OPENS.search(" " + text[max(0, at - _BEFORE) : at]))


def acronym(word: str) -> bool:
    """Whether a word is written like NASA, mRNA or iPhone: with a capital inside, no figures."""
    return any(sign.isupper() for sign in word[1:]) and not _code(word)


def _marked(word: str) -> bool:
    return acronym(word) or _code(word)


def _code(word: str) -> bool:
    return any(sign.isdigit() for sign in word)


def missing_words(name: Name, known: Container[str], text: str, language: str) -> list[str]:
    """The words of a name that a text does not have.

    Args:
        name: of another text.
        known: the terms of the text.
        text: for codes, whose parts must stand together there: IL-6 is IL6 and "IL 6".
        language: of the terms.
    """
    if len(name.text) > _LONGEST:
        return [] if name.text.casefold() in text.casefold() else [name.text]
    if name.code:
        parts = re.findall(r"[^\W\d_]+|\d+", name.text)
        written = r"[-‐. ]?".join(map(re.escape, parts))
        found = re.search(rf"(?<!{_SPACED}){written}(?!{_SPACED})", text, re.IGNORECASE)
        return [] if found else [name.text]
    return [
        word
        for word in name.text.split()
        if not all(_known(term, known, language) for term in terms(word, language))
        and not _known(word.replace(".", "").casefold(), known, language)  # U.S. is US
    ]


def _known(term: str, known: Container[str], language: str) -> bool:
    forms = (term, _plain(term), term.removesuffix("s"))  # no stemmer cuts the s of PCRs
    return any(form in known for form in forms) or content_weight(term, language) < 1


def _plain(term: str) -> str:
    """A term without accents: pages write Whangarei for Whangārei."""
    parts = unicodedata.normalize("NFD", term)
    return "".join(sign for sign in parts if not unicodedata.combining(sign))
