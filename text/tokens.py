"""Text to index terms, the same way for documents and queries, in every language.

Words are folded (NFKC, case) and stemmed by Snowball where it knows the language. Scripts that
write without spaces (Chinese, Japanese, Korean, Thai, ...) become overlapping character bigrams.
A name like `readFile` is a term, and so are its parts: people ask for both.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain
from zlib import crc32

import Stemmer

from text.stopwords import get_stop_characters, load_stopwords

SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "es": "spanish", "eu": "basque", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish",
}  # fmt: skip
"""Languages with a Snowball stemmer, by ISO 639-1 code."""

TERM_SPACE = 999_999_937
"""Term ids lie in 0..TERM_SPACE-1: the largest prime under the dimension limit of a sparsevec."""

KANA_OR_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
"""A character of Japanese or Chinese, which put no spaces between words."""

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"  # Jamo, kana
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"  # Han, Hangul
)
# Vowel signs and accents: inside a word, though Python's \w has none of them.
_COMBINING_CHARACTERS = "".join(
    sign for sign in map(chr, range(0x300, 0xFE00)) if unicodedata.category(sign) in ("Mn", "Mc")
)
_WORD = re.compile(
    rf"([{_UNSPACED}]+)|([^\W_](?:[^\W{_UNSPACED}_]|[{_COMBINING_CHARACTERS}]|(?<=\w)['’](?=[^\W_]))*)"
)
# the same where no script without spaces and no such character occurs, in a fifth of the time
_UNSPACED_OR_COMBINING = re.compile(rf"[{_UNSPACED}{_COMBINING_CHARACTERS}]")
_SPACED_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789'")
_ASCII_SEPARATORS = bytes(byte if byte in _KEPT else ord(" ") for byte in range(256))
_CASE_CHANGE = re.compile(r"[a-z][A-Z]")
_CAMEL_CASE_WORD = re.compile(r"(?<![^\W_])[^\W_]*[a-z][A-Z][^\W_]*")  # camelCase, whole words only
_CAMEL_CASE_BOUNDARY = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DOTTED_I = "i\u0307"  # what casefold makes of the Turkish capital; its small letter is a plain i
_LONGEST_WORD = 64
_LONGEST_NAME = 200
_MAX_CACHED_IDS = 200_000
_MAX_CACHED_RUNS = 100_000
_LONGEST_CACHED_RUN = 40  # longer ones are sentences of scripts without spaces, and addresses


def tokenise(text: str, language: str = "") -> list[str]:
    """Split `text` into index terms, in order, with repeats.

    Args:
        text: any text.
        language: ISO 639-1 code of a stemmer; words of other languages stay unstemmed.

    Returns:
        Terms of at most 64 characters, the parts of joined names last; empty for text without a
        letter or digit.
    """
    return [_stem(language, word) for word in _split_words(text)]


def tokenise_to_ids(text: str, language: str) -> list[int]:
    """The terms of a text as numbers, with repeats; see `tokenise` and `hash_term`.

    The parts of a joined name stand behind it, not at the end of the text. No word spans white
    space, so the text is taken apart there, and most of what stands between was seen before.
    """
    return list(chain.from_iterable(map(_run_cache(language).__getitem__, text.split())))


def _split_words(text: str) -> list[str]:
    """Folded words and bigrams in order, then the parts of joined names."""
    words = _split_ascii_words(text) if text.isascii() else _split_folded_words(text)
    if max(map(len, words), default=0) > _LONGEST_WORD:
        words = [word[:_LONGEST_WORD] for word in words]
    if _CASE_CHANGE.search(text):
        for name in _CAMEL_CASE_WORD.findall(text):
            parts = _CAMEL_CASE_BOUNDARY.split(name[:_LONGEST_NAME])
            words += [part.casefold()[:_LONGEST_WORD] for part in parts]
    return words


def _split_ascii_words(text: str) -> list[str]:
    """The matches of `_ASCII_WORD`, in a quarter of the time: few words have an apostrophe."""
    words = text.lower().encode().translate(_ASCII_SEPARATORS).decode().split()
    if "'" not in text:
        return words
    return [
        one for word in words for one in (_ASCII_WORD.findall(word) if "'" in word else (word,))
    ]


def _split_folded_words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold().replace(_DOTTED_I, "i")
    if not _UNSPACED_OR_COMBINING.search(folded):
        return _SPACED_WORD.findall(folded)
    pairs = _WORD.findall(folded)
    return [one for run, word in pairs for one in (_split_bigrams(run) if run else [word])]


def tokenise_query(text: str, languages: Iterable[str]) -> list[frozenset[str]]:
    """Terms of a query against documents in several languages.

    A short query's own language is a guess, so each word is stemmed in every language that the
    documents have.

    Returns:
        For each word of the query, in order and with repeats, the terms it may be indexed as.
    """
    stemmers = sorted(set(languages)) or [""]
    return [
        frozenset(variants)
        for variants in zip(*(tokenise(text, language) for language in stemmers), strict=True)
    ]


STOPWORD_WEIGHT = 0.1
STOP_CHARACTER_WEIGHT = 0.5
"""What a function word ("the", "what") counts against 1 for any other word, and what a Chinese or
Japanese bigram with a function character in it ("茶和") counts, which mostly spans two words."""


def content_weight(term: str, language: str) -> float:
    """How much of a text's subject a term carries: 1, or less for function words.

    In a large collection idf says the same; in a small one "what" is as rare as a name.
    """
    if term in _stopword_terms(language):
        return STOPWORD_WEIGHT
    characters = get_stop_characters(language)
    inside = any(character in characters for character in term)
    return STOP_CHARACTER_WEIGHT if inside else 1.0


def hash_term(term: str) -> int:
    """A stable number in 0..TERM_SPACE-1 for a term, the same in every process."""
    return crc32(term.encode("utf-8", "replace")) % TERM_SPACE


@cache
def _stopword_terms(language: str) -> frozenset[str]:
    return frozenset(term for word in load_stopwords(language) for term in tokenise(word, language))


def _split_bigrams(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


class _TermIds(dict[str, int]):
    """Term ids by word, in one language: looking up is quicker than stemming and hashing."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, word: str) -> int:
        if len(self) >= _MAX_CACHED_IDS:
            self.clear()
        self[word] = identity = hash_term(_stem_uncached(self._language, word))
        return identity


class _RunIds(dict[str, tuple[int, ...]]):
    """Term ids by what stands between white space, marks and capitals included, in one language."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._terms = _TermIds(language)

    def __missing__(self, run: str) -> tuple[int, ...]:
        ids = tuple(map(self._terms.__getitem__, _split_words(run)))
        if len(run) <= _LONGEST_CACHED_RUN:
            if len(self) >= _MAX_CACHED_RUNS:
                self.clear()
            self[run] = ids
        return ids


@cache
def _run_cache(language: str) -> _RunIds:
    return _RunIds(language)


@lru_cache(maxsize=10_000)
def _stem(language: str, word: str) -> str:
    return _stem_uncached(language, word)


def _stem_uncached(language: str, word: str) -> str:
    name = SNOWBALL.get(language)
    return str(_load_stemmer(name).stemWord(word)) if name else word


@cache
def _load_stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name, 0)
