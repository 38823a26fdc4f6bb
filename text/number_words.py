"""Numbers written as words or in Chinese numerals, and the words of their scales."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

NUMBER_WORD_LANGUAGES = {"da", "de", "en", "es", "fr", "it", "nl", "pt"}
"""Languages whose number words are known."""

_INDEFINITE_NUMBERS = {
    "da": {"hundreder", "tusinder", "millioner", "milliarder"},
    "de": {"millionen", "milliarden", "billionen"},
    "en": {"hundred", "hundreds", "thousand", "thousands", "million", "millions", "billion",
           "billions", "trillion", "trillions"},
    "es": {"miles", "millones"},
    "fr": {"millions", "milliards"},
    "it": {"milioni", "miliardi"},
    "nl": {"miljoenen", "miljarden"},
    "pt": {"milhões", "bilhões"},
}  # fmt: skip
"""What counts nothing by itself, as in "thousands of people" and "several hundred"."""

_POWERS = {
    2: "hundred hundert cien ciento cento honderd",
    3: "thousand thousands tausend mille mil mila duizend тысяч тысячи",
    5: "lakh",
    6: "million millions millionen mio millón millones milione milioni miljoen milhão milhões "
    "млн миллион миллиона миллионов",
    7: "crore",
    9: "billion billions bn milliarde milliarden mrd milliard milliards miliardo miliardi miljard "
    "bilhão bilhões млрд миллиард миллиарда миллиардов",
    12: "trillion trillions billionen billón billones bilioni",
}
_SCALES = {word: power for power, words in _POWERS.items() for word in words.split()}
_LONG_SCALE = {"de", "es", "fr", "it", "nl"}

CJK_SCALES = {
    character: power
    for characters, power in (("百", 2), ("千", 3), ("万萬만", 4), ("亿億억", 8), ("兆조", 12))
    for character in characters
}
"""Powers of ten of the characters for large numbers."""

_CJK_SMALL_SCALES = {"十": 10, "百": 100, "千": 1000}
_CJK_DIGITS = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {
    "零": 0, "两": 2, "兩": 2,
}  # fmt: skip
CJK_NUMERAL = re.compile("[〇零一二两兩三四五六七八九十百千万萬亿億]+")
"""A run of Chinese numerals; see `parse_cjk_numeral`."""

_TOKEN = re.compile(r"\w+|\W+")
_LONG_TEXT = 2_000  # characters from which on replacing numbers would cost a square
_LONGEST_NUMERAL = 24  # more than any number has: a longer run is none


def parse_scale(word: str, language: str) -> int | None:
    """The power of ten that a word like "million" or "Mrd" stands for; None for any other word.

    "Billion" is 9 in English and 12 in the languages of the long scale; "cent" is French.
    """
    if word in ("billion", "billions") and language in _LONG_SCALE:
        return 12
    if word in ("cent", "cents"):
        return 2 if language == "fr" else None
    return _SCALES.get(word)


@dataclass(frozen=True, slots=True)
class SpokenNumber:
    """A number in words, at `text[start:end]`; an `is_ordinal` says which one, not how many."""

    start: int
    end: int
    value: Decimal
    is_ordinal: bool


class _Token:
    """A word or what stands between two, as text_to_num asks for them."""

    def __init__(self, match: re.Match[str]) -> None:
        self.start, self.end = match.span()
        self._text = match[0]

    def text(self) -> str:
        return self._text

    def text_lowercase(self) -> str:
        return self._text.lower()

    def nt_separated(self, _previous: "_Token") -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return len(self._text) == 1 and self._text in "oO"  # o'clock


def find_spoken_numbers(text: str, language: str) -> Iterator[SpokenNumber]:
    """Find the numbers in words of a text: "two hundred and fifty thousand", "the twelfth".

    "First" and "second" are left out, they mostly count nothing, and so is "thousands" alone.

    Args:
        text: any.
        language: one of `NUMBER_WORD_LANGUAGES`; another has no number words.
    """
    if language not in NUMBER_WORD_LANGUAGES:
        return
    from text_to_num import alpha2digit, find_numbers  # noqa: PLC0415  (where it is needed)

    if len(text) < _LONG_TEXT:  # a fourth of the time
        plain = text.replace("-", " ")
        if alpha2digit(plain, language, 0) == plain:
            return
    words = [_Token(match) for match in _TOKEN.finditer(text)]
    for found in find_numbers(words, language, 0):
        first, last = words[found.start], words[found.end - 1]
        alone = first is last and first.text_lowercase() in _INDEFINITE_NUMBERS.get(language, ())
        counted = not alone or text[max(0, first.start - 2) : first.start] in ("a ", "A ")
        if counted and not (found.is_ordinal and found.value < 3):
            value = Decimal(repr(found.value)).normalize()
            yield SpokenNumber(first.start, last.end, value, found.is_ordinal)


def parse_integer(written: str | None) -> int | None:
    """The value of plain digits or Chinese numerals; None of nothing."""
    if not written:
        return None
    return int(written) if written.isdecimal() else parse_cjk_numeral(written)


def parse_cjk_numeral(numeral: str) -> int | None:
    """The value of a run of Chinese numerals (三百五十万, 二〇二四); None where it has none."""
    if len(numeral) > _LONGEST_NUMERAL:
        return None
    if all(character in _CJK_DIGITS for character in numeral):
        return int("".join(str(_CJK_DIGITS[character]) for character in numeral))
    whole = section = digit = 0
    counted = False
    for character in numeral:
        if character in _CJK_DIGITS:
            digit, counted = _CJK_DIGITS[character], True
        elif character in _CJK_SMALL_SCALES:
            if not digit and not counted and character != "十":
                return None  # 百 and 千 count nothing by themselves
            section, digit, counted = section + (digit or 1) * _CJK_SMALL_SCALES[character], 0, True
        elif not counted:
            return None
        else:
            power = 10 ** CJK_SCALES[character]
            section, digit = section + digit, 0
            # 一万亿 multiplies what stands before, 一亿三千万 adds to it
            whole = (whole + section) * power if whole < power else whole + section * power
            section = 0
    return whole + section + digit
