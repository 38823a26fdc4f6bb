"""Fractions in a text: 1/3, ½, 2½, two thirds, half of it, 三分之一."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache
from typing import NamedTuple
from unicodedata import normalize

from text.number_words import CJK_NUMERAL, NUMBER_WORD_LANGUAGES, SpokenNumber, parse_integer

_DENOMINATORS = {
    "de": {"drittel": 3, "viertel": 4, "fünftel": 5, "sechstel": 6, "siebtel": 7, "achtel": 8,
           "neuntel": 9, "zehntel": 10, "hundertstel": 100},
    "en": {"half": 2, "halves": 2, "quarter": 4, "quarters": 4},
    "es": {"tercio": 3, "tercios": 3},
    "fr": {"tiers": 3, "quart": 4, "quarts": 4},
    "nl": {"kwart": 4},
    "pt": {"terço": 3, "terços": 3},
}  # fmt: skip
"""Of those that are no ordinals."""

_FRACTION_WORDS = {
    "de": {"hälfte": "0.5", "dreiviertel": "0.75", "anderthalb": "1.5", "eineinhalb": "1.5",
           "zweieinhalb": "2.5", "dreieinhalb": "3.5", "viereinhalb": "4.5"},
    "es": {"mitad": "0.5"}, "fr": {"moitié": "0.5"}, "it": {"metà": "0.5"},
    "nl": {"helft": "0.5", "driekwart": "0.75", "anderhalf": "1.5", "anderhalve": "1.5",
           "tweeënhalf": "2.5", "drieënhalf": "3.5"},
    "pt": {"metade": "0.5"},
}  # fmt: skip
"""Words that are a fraction by themselves."""

_AND_A_HALF = {
    "en": "and a half", "es": "y medi[ao]", "fr": "et demie?", "it": "e mezz[ao]",
    "nl": "en een hal(?:f|ve)", "pt": "e mei[ao]",
}  # fmt: skip
_PART = "(?:third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth|half)"
_ENGLISH = re.compile(
    r"(?<!first )(?<!second )(?<!latter )(?<!other )(?<![\w-])"
    r"(?:half(?= (?:of|the|a|an|its|their|his|her|our|all|as)\b)"
    rf"|a {_PART}(?= (?:of|more|less|fewer|higher|lower|larger|smaller)\b|\s*[.,;:)!?]|\s*$)"
    r"|(?:(?<=at least )|(?<=at most )|(?<=nearly )|(?<=almost )|(?<=roughly )|(?<=than ))"
    rf"a {_PART}(?= (?:is|are|was|were|has|have|had|will|would|goes|went|comes|came)\b))",
    re.IGNORECASE,
)
_ENGLISH_DENOMINATORS = dict(
    zip("half third quarter fourth fifth sixth seventh eighth ninth tenth".split(),  # noqa: SIM905
        (2, 3, 4, 4, 5, 6, 7, 8, 9, 10), strict=True)
)  # fmt: skip
_WRITTEN = re.compile(
    r"(?<![\w/.,-])(?:(?P<whole>\d{1,3})(?: ?(?=[¼-¾⅐-⅞])| (?=\d)))?"
    r"(?:(?P<glyph>[¼-¾⅐-⅞])|(?P<over>[1-9]) ?[/⁄] ?(?P<under>[2-9]|10)(?!\w|[/⁄,.-]\d))"
)
_CJK_NUMBER = rf"(?:\d{{1,3}}|{CJK_NUMERAL.pattern[:-1]}{{1,4}})"
_CJK = re.compile(
    rf"(?P<under>{_CJK_NUMBER}) ?(?:分之|分の|분의) ?(?P<over>{_CJK_NUMBER})"
    "|(?P<half>一半|半分|半数|절반)"
)


class Fraction(NamedTuple):
    """A fraction, at `text[start:end]`."""

    start: int
    end: int
    value: Decimal


def find_fractions(text: str, language: str, words: Sequence[SpokenNumber]) -> Iterator[Fraction]:
    """Find the fractions of a text, also those of more than one: two and a half.

    Args:
        text: full-width digits already made plain.
        language: says which words are fractions.
        words: its numbers in words.
    """
    for found in _WRITTEN.finditer(text):
        glyph = normalize("NFKC", found["glyph"] or "").split("⁄")
        over, under = map(Decimal, glyph if found["glyph"] else (found["over"], found["under"]))
        if over < under:
            value = Decimal(found["whole"] or 0) + over / under
            yield Fraction(found.start(), found.end(), value)
    if not text.isascii():
        yield from _find_cjk(text)
    if language in NUMBER_WORD_LANGUAGES:
        yield from _find_spoken(text, language, words)


def _find_spoken(text: str, language: str, words: Sequence[SpokenNumber]) -> Iterator[Fraction]:
    pattern, values = _compile_fraction_words(language)
    under = [(one.start, one.end, int(one.value)) for one in words if one.is_ordinal]
    for found in pattern.finditer(text) if pattern else ():
        value = values[found[0].casefold()]
        if isinstance(value, Decimal):
            yield Fraction(found.start(), found.end(), value)
        else:
            under.append((found.start(), found.end(), value))
    counted = {one.end: one for one in words if not one.is_ordinal}
    for start, end, value in under:
        over = counted.get(start - 1)
        if over and over.value < value <= 100 and text[start - 1] in " -":
            several = text[end - 1] == "s"
            if language != "en" or several == (over.value > 1):  # not two third graders
                yield Fraction(over.start, end, over.value / value)
    if half := _compile_and_a_half(language):
        for one in words:
            if not one.is_ordinal and (more := half.match(text, one.end)):
                yield Fraction(one.start, more.end(), one.value + Decimal("0.5"))
    if language == "en":
        for found in _ENGLISH.finditer(text):
            part = _ENGLISH_DENOMINATORS[found[0].split()[-1].casefold()]
            yield Fraction(found.start(), found.end(), Decimal(1) / part)


def _find_cjk(text: str) -> Iterator[Fraction]:
    for found in _CJK.finditer(text):
        over, under = (
            (1, 2) if found["half"] else (parse_integer(found[n]) for n in ("over", "under"))
        )
        if over and under and over < under and under != 100:  # 百分之三 is 3 percent
            yield Fraction(found.start(), found.end(), Decimal(over) / Decimal(under))


@cache
def _compile_fraction_words(
    language: str,
) -> tuple[re.Pattern[str] | None, dict[str, Decimal | int]]:
    """The words of a language that are fractions or their denominators, and what they stand for."""
    values: dict[str, Decimal | int] = dict(_DENOMINATORS.get(language, {}))
    values |= {word: Decimal(value) for word, value in _FRACTION_WORDS.get(language, {}).items()}
    if not values:
        return None, {}
    return re.compile(rf"\b(?:{'|'.join(values)})\b", re.IGNORECASE), values


@cache
def _compile_and_a_half(language: str) -> re.Pattern[str] | None:
    phrase = _AND_A_HALF.get(language)
    return re.compile(rf" {phrase}\b", re.IGNORECASE) if phrase else None
