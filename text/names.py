"""Names in a sentence, by how they are written: with capitals inside it or with digits."""

import re
import unicodedata
from collections.abc import Container, Iterator
from dataclasses import dataclass

from text.stopwords import load_stopwords
from text.tokens import content_weight, tokenise

_SPACED = r"[^\W_\u1100-\u11ff\u3040-\ud7ff]"
_WORD = re.compile(rf"{_SPACED}+(?:[-‐.'’&]{_SPACED}+)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;。！？：\n])[\s\"'“”‘’„«»(\[*#-]*$")
_LOOKBEHIND = 10
_LONGEST_NAME = 100  # characters: what is longer is no name, and no pattern is made of it
_CAPITALISED_NOUN_LANGUAGES = {"de", "lb"}


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name as it is written; a `is_code` has digits among its letters."""

    text: str
    is_code: bool = False


def find_names(text: str, language: str) -> list[NameMention]:
    """Find the names of a sentence: those of several words, too ("Marie Curie").

    Acronyms, words with a capital inside (iPhone) and codes (COVID-19) are names wherever they
    stand. Another capitalised word is one where it does not open a sentence, and in German, whose
    nouns have capitals, only beside another one. Where all is in capitals only codes show.

    Args:
        text: with blanks in place of its dates and numbers.
        language: its function words open sentences and no names.
    """
    if text.isupper():
        return [NameMention(word, is_code=True) for word in _WORD.findall(text) if _has_digit(word)]
    found: list[NameMention] = []
    for run in _find_runs(text):
        words = [word[0] for word in run]
        if _is_sentence_start(text, run[0].start()) and (
            _is_plain_word(words) or words[0].casefold() in load_stopwords(language)
        ):
            words = words[1:]
        noun = language in _CAPITALISED_NOUN_LANGUAGES and _is_plain_word(words)
        if words and not noun and words != ["I"]:
            found.append(NameMention(" ".join(map(_extract_name, words)), _has_digit(words[0])))
    return found


def _extract_name(word: str) -> str:
    """The part of a word joined by hyphens that is the name: HIV of "HIV-positive"."""
    parts = word.split("-")
    named = [
        place
        for place, part in enumerate(parts)
        if part[0].isupper()
        or _is_acronym_or_code(part)
        or _has_digit("".join(parts[place + 1 : place + 2]))
    ]
    return "-".join(parts[named[0] : named[-1] + 1]) if named else word


def _find_runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Words with capitals or digits, those side by side together; codes by themselves."""
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        if len(word[0]) == 1 and "/" in text[max(0, word.start() - 1) : word.end() + 1]:
            continue  # I/O
        gap = text[run[-1].end() : word.start()] if run else ""
        beside = gap == " " or (gap == ". " and len(run[-1][0]) <= 2)  # Thomas K. Arnold
        if run and not (beside and word[0][0].isupper() and not _has_digit(word[0])):
            yield run
            run = []
        if word[0][0].isupper() or _is_acronym_or_code(word[0]):
            run.append(word)
            if _has_digit(word[0]):
                yield run
                run = []
    if run:
        yield run


def _is_sentence_start(text: str, at: int) -> bool:
    return at == 0 or bool(_SENTENCE_START.search(" " + text[max(0, at - _LOOKBEHIND) : at]))


def is_acronym(word: str) -> bool:
    """Whether a word is written like NASA, mRNA or iPhone: with a capital inside, no digits."""
    return any(character.isupper() for character in word[1:]) and not _has_digit(word)


def _is_acronym_or_code(word: str) -> bool:
    return is_acronym(word) or _has_digit(word)


def _is_plain_word(words: list[str]) -> bool:
    """Whether there is one word, which only a capital could make a name."""
    return len(words) == 1 and not _is_acronym_or_code(words[0])


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)


def find_missing_words(
    name: NameMention, known: Container[str], text: str, language: str
) -> list[str]:
    """The words of a name that a text does not have.

    Args:
        name: of another text.
        known: the terms of the text.
        text: for codes, whose parts must stand together there: IL-6 is IL6 and "IL 6".
        language: of the terms.
    """
    if len(name.text) > _LONGEST_NAME:
        return [] if name.text.casefold() in text.casefold() else [name.text]
    if name.is_code:
        parts = re.findall(r"[^\W\d_]+|\d+", name.text)
        written = r"[-‐. ]?".join(map(re.escape, parts))
        found = re.search(rf"(?<!{_SPACED}){written}(?!{_SPACED})", text, re.IGNORECASE)
        return [] if found else [name.text]
    return [
        word
        for word in name.text.split()
        if not all(_is_known(term, known, language) for term in tokenise(word, language))
        and not _is_known(word.replace(".", "").casefold(), known, language)  # U.S. is US
    ]


def _is_known(term: str, known: Container[str], language: str) -> bool:
    forms = (term, _strip_accents(term), term.removesuffix("s"))  # no stemmer cuts the s of PCRs
    return any(form in known for form in forms) or content_weight(term, language) < 1


def _strip_accents(term: str) -> str:
    """A term without accents: pages write Whangarei for Whangārei."""
    parts = unicodedata.normalize("NFD", term)
    return "".join(character for character in parts if not unicodedata.combining(character))
