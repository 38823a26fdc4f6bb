"""Numbers in a text: their values, whatever their form, and their units.

1,200, 1200, 1_200, 1.2 thousand, twelve hundred, 1.200 (in German) and 一千二百 are one number; so
are a half, 1/2, ½ and 50 %.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

from text.dates import DateMention
from text.fractions import Fraction, find_fractions
from text.number_words import (
    CJK_NUMERAL,
    CJK_SCALES,
    SpokenNumber,
    find_spoken_numbers,
    parse_cjk_numeral,
    parse_scale,
)
from text.stopwords import load_stopwords
from text.units import MILLISECONDS, TIME, find_unit_after, find_unit_before

ORDINAL = "nth"
"""The unit of an ordinal: the third is not three of anything."""

_LETTER = r"[^\W\d_\u0e00-\u0eff\u1100-\u11ff\u3040-\ud7ff]"  # of scripts that write with spaces
_DIGIT_NUMBER = re.compile(
    rf"(?<!{_LETTER})(?<!{_LETTER}[-‐])(?<!\d)(?<!\d[.,])"  # IL6, COVID-19 are names
    r"(?:(?<![^\s(（])[-−])?(?:(?<![\w.])\.)?\d+(?:[.,'’\u00a0\u202f\u2009]\d+|_\d{3}(?!\d))*"
    r"(?:[eE][-+]?\d{1,2}(?!\w))?"  # 3.3e-05
)
_DIGIT = re.compile(r"\d")
_ENUMERATION = re.compile(r"\s*\(?\d{1,2}\)\s")  # (1) the first of several
_SPACED_GROUPS = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?!\d)")
_SPACED_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:(?: \d{3})+ \d{3}| 000)(?!\d)")
_GROUP = re.compile(r"['’\s_]")
_ATTACHED_LETTERS = re.compile(rf"['’]?({_LETTER}{{1,30}})(\d?)")
_ORDINAL_ENDINGS = {"st", "nd", "rd", "th", "er", "ère", "ème", "e", "º", "ª"}
_ATTACHED_UNITS = {"d": "day", "w": "week"}
"""Of settings and logs, as in 14d; apart from a number they are letters."""

_ENDINGS = _ORDINAL_ENDINGS | {"o", "a", "s", "x", "fold"}
_SCALE_LETTERS = {"k": 3, "K": 3, "M": 6, "bn": 9}
_MONEY_SCALE_LETTERS = {"m": 6, "b": 9, "B": 9, "T": 12}
_NEXT_WORD = re.compile(rf"(?:[ \u00a0\u202f]| ?[-‐] ?)({_LETTER}{{1,30}})")
_SPACED_SCALE_LETTER = re.compile(rf"[ \u00a0\u202f]([kKM]) ({_LETTER}{{3,30}})")
_RANGE_SEPARATOR = re.compile(r" ?(?:[-–—~～至到]|to|bis|à|a|and|und|et|y) ?")
_UNIT_CONNECTOR = re.compile(r"\. |\.? ?(?:of |de |d['’])")
_ARTICLE = re.compile(r" (?:of )?an?(?= )")  # half a mile, a quarter of an hour
_CJK_POWER = re.compile(rf"(?!千[米克瓦])[{''.join(CJK_SCALES)}]")  # 千米 is a kilometre
_MAX_SCALES = 3  # as in "thousand million million"
_COUNTERS = (
    "个個年月日岁歲次倍人名位家种種项項条條座所公千米克吨噸元美円时時小秒周週天世届屆层層号號度"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text, at `text[start:end]` with its unit.

    `unit` is a symbol, a currency's code or empty; `power` the power of ten of a scale written in
    words, which is in the value; `is_year` says that it may be one. A `is_loose` number is a word
    like "one", which mostly counts nothing. A `is_fraction` is a fraction of something: a third of
    it.
    """

    start: int
    end: int
    value: Decimal
    unit: str
    power: int = 0
    is_year: bool = False
    is_loose: bool = False
    is_fraction: bool = False

    def equivalents(self) -> Iterator[tuple[Decimal, str]]:
        """The number and its unit; a part as a percentage, a time in milliseconds as well."""
        yield self.value, self.unit
        if self.unit in MILLISECONDS:
            yield self.value * MILLISECONDS[self.unit], TIME
        if self.is_fraction:
            yield 100 * self.value, "%"


def find_quantities(text: str, language: str) -> list[Quantity]:
    """Find the numbers of a text.

    Args:
        text: full-width digits already made plain.
        language: says which words are numbers and whether a comma is a decimal point.

    Returns:
        In order. Numbers inside names (COVID-19, 5G, 1.2.3) are none. In a range both ends have the
        unit and the scale of the last; plain digits from 1500 to 2100 without a unit are
        `is_year`.
    """
    words = list(find_spoken_numbers(text, language))
    parts = list(find_fractions(text, language, words))
    found = [_read_fraction(text, one, language) for one in parts]
    text = blank_out(text, found)
    found += [*_find_digit_numbers(text, language), *_find_cjk_numbers(text)]
    found += _read_number_words(blank_out(text, found), words, language)
    found.sort(key=lambda quantity: quantity.start)
    return _complete_ranges(text, found)


def blank_out(text: str, found: Iterable[Quantity | DateMention]) -> str:
    """The text with blanks in place of what was found in it; offsets stay."""
    pieces, end = [], 0
    for one in sorted(found, key=lambda one: one.start):
        if one.start >= end:
            pieces += [text[end : one.start], " " * (one.end - one.start)]
            end = one.end
    return "".join([*pieces, text[end:]])


def _read_fraction(text: str, found: Fraction, language: str) -> Quantity:
    """A fraction with the scale and the unit behind it: half a million dollars."""
    article = _ARTICLE.match(text, found.end)
    behind = article.end() if article else found.end
    power, after = _read_scale(text, behind, language, money=False)
    unit, end = _read_unit(text, found.start, after)
    if not (power or unit):
        end = found.end
    return Quantity(
        found.start, end, found.value.scaleb(power), unit, power,
        is_fraction=found.value < 1 and not (power or unit),
    )  # fmt: skip


def _find_digit_numbers(text: str, language: str) -> Iterator[Quantity]:
    if not _DIGIT.search(text):
        return
    comma = _has_decimal_comma(language)
    spaced = _SPACED_GROUPS if comma else _SPACED_THOUSANDS
    groups = {m.start(): m.end() for m in spaced.finditer(text)}
    opening = _ENUMERATION.match(text)
    done = opening.end() if opening else 0
    for match in _DIGIT_NUMBER.finditer(text):
        if match.start() < done:
            continue
        start, end = match.start(), groups.get(match.start(), match.end())
        written = text[start:end]
        value = _parse_value(written, comma=comma)
        if value is None:  # a list of numbers, or of the parts of a version
            yield from _split_list(written, start)
            continue
        unit, start = find_unit_before(text, start)
        power, end = _read_scale(text, end, language, money=bool(unit))
        attached = _ATTACHED_LETTERS.match(text, end)
        year = _is_year(written) and not (power or unit)
        if not unit and not (attached and attached[1] == "s"):  # the 1980s
            unit, end = _read_unit(text, match.start(), end)
        if attached and not (unit or attached[2]) and attached[1] in _ATTACHED_UNITS:
            unit, end = _ATTACHED_UNITS[attached[1]], attached.end()
        if attached and end < attached.end():
            ending = attached[1].casefold()
            if ending not in _ENDINGS or attached[2]:
                continue  # 5G, 0x1F
            unit = ORDINAL if ending in _ORDINAL_ENDINGS else unit
        if year and unit == "year" and text[end - 1] == "年":
            unit = ""
        value = value.scaleb(power) if power else value  # scaleb cuts it to 28 digits
        yield Quantity(start, end, value, unit, power, year and not unit)
        done = end


def _parse_value(written: str, *, comma: bool) -> Decimal | None:
    """The value of a number; None where its separators are those of no number."""
    negative = written[0] in "-−"
    digits, _, power = _GROUP.sub("", written.lstrip("-−")).lower().partition("e")
    separators = [character for character in digits if character in ".,"]
    parts = re.split(r"[.,]", digits)
    if len(set(separators)) == 2 and separators.count(separators[-1]) == 1:
        digits = "".join(parts[:-1]) + "." + parts[-1]
    elif len(separators) > 1:
        if len(parts[-1]) != 3 or not all(2 <= len(part) <= 3 for part in parts[1:]):
            return None
        digits = "".join(parts)
    elif separators:
        before, after = parts
        if separators[0] != (",." if comma else ".,")[0] and len(after) == 3 and before.strip("0"):
            digits = before + after
        elif len(before) == 4 == len(after):
            return None
        else:
            digits = f"{before or '0'}.{after}"
    value = Decimal(digits).scaleb(int(power)) if power else Decimal(digits)
    return value.copy_negate() if negative else value


def _split_list(written: str, start: int) -> Iterator[Quantity]:
    if "." not in written:
        for part in re.finditer(r"\d+", written):
            at = start + part.start()
            value = Decimal(part[0])
            yield Quantity(at, start + part.end(), value, "", is_year=_is_year(part[0]))


def _is_year(written: str) -> bool:
    return len(written) == 4 and written.isdecimal() and 1500 <= int(written) <= 2100


def _read_scale(text: str, end: int, language: str, *, money: bool) -> tuple[int, int]:
    """The power of ten written behind a number, and where it ends."""
    power = 0
    for _ in range(_MAX_SCALES):
        if character := _CJK_POWER.match(text, end):
            power, end = power + CJK_SCALES[character[0]], end + 1
    attached = _ATTACHED_LETTERS.match(text, end)
    if attached and not attached[2]:
        found = _SCALE_LETTERS.get(attached[1]) or (
            _MONEY_SCALE_LETTERS.get(attached[1]) if money else None
        )
        if found:
            return found, attached.end()
    apart = _SPACED_SCALE_LETTER.match(text, end)
    if apart and apart[2].casefold() not in load_stopwords(language):  # 100 K users
        return _SCALE_LETTERS[apart[1]], apart.end(1)
    for _ in range(_MAX_SCALES):
        following = attached or _NEXT_WORD.match(text, end)
        found = (parse_scale(following[1].casefold(), language) if following else None) or 0
        if not following or found < 3:  # twelve hundred is spoken
            break
        power, end, attached = power + found, following.end(), None
    return power, end


def _read_unit(text: str, start: int, end: int) -> tuple[str, int]:
    if text[max(0, start - 3) : start] == "百分之":
        return "%", end
    unit, unit_end = find_unit_after(text, end)
    if not unit and (link := _UNIT_CONNECTOR.match(text, end)):  # 2 Mio. Euro, 3 millions d'euros
        unit, unit_end = find_unit_after(text, link.end())
    return (unit, unit_end) if unit else ("", end)


def _find_cjk_numbers(text: str) -> Iterator[Quantity]:
    """Chinese numerals that are long or beside a counting word."""
    if text.isascii():
        return
    for match in CJK_NUMERAL.finditer(text):
        numeral, start, end = match[0], match.start(), match.end()
        if text[start - 1 : start].isdigit() or (value := parse_cjk_numeral(numeral)) is None:
            continue
        counts = text[end : end + 1] in _COUNTERS and end < len(text)
        tens = any(character in "十百千万萬亿億" for character in numeral)
        if counts or text[start - 1 : start] == "第" or (len(numeral) > 1 and tens):
            unit, end = _read_unit(text, start, end)
            year = not tens and unit in ("", "year") and _is_year(str(value))
            unit = "" if year else unit
            loose = numeral == "一"
            yield Quantity(start, end, Decimal(value), unit, is_year=year, is_loose=loose)


def _read_number_words(
    text: str, words: Sequence[SpokenNumber], language: str
) -> Iterator[Quantity]:
    for one in words:
        if text[one.start] == " ":  # of a fraction, or the scale of a number
            continue
        if one.is_ordinal:
            if not (one.start == 0 and text[one.end : one.end + 1] == ","):  # Third, ...
                yield Quantity(one.start, one.end, one.value, ORDINAL)
            continue
        power, end = _read_scale(text, one.end, language, money=False)
        unit, end = _read_unit(text, one.start, end)
        yield Quantity(
            one.start, end, one.value.scaleb(power), unit, power, is_loose=one.value == 1
        )


def _complete_ranges(text: str, found: Sequence[Quantity]) -> list[Quantity]:
    """Complete ranges: 10–20 % and 3 to 5 million are of one unit and scale, 2010–15 of years.

    A year and the next, as of a winter, stand as 2024/25.
    """
    whole = list(found)
    for place in range(len(whole) - 1):
        first, last = whole[place : place + 2]
        between = text[first.end : last.start]
        if first.is_year and between == "/" and last.value == first.value % 100 + 1:
            whole[place + 1] = replace(last, value=first.value + 1, is_year=True)
            continue
        if len(between) > 5 or not _RANGE_SEPARATOR.fullmatch(between):
            continue
        if first.is_year and between in "-–" and last.value < 100 and not last.unit:
            century = first.value - first.value % 100
            whole[place + 1] = replace(last, value=century + last.value, is_year=True)
        elif not first.unit and not first.is_year:
            power = last.power if first.value < 1000 and not first.power else 0
            value = first.value.scaleb(power)
            whole[place] = replace(first, unit=last.unit, value=value, power=first.power + power)
    return whole


@cache
def _has_decimal_comma(language: str) -> bool:
    """Whether a language writes 3,5 for three and a half, by CLDR."""
    if language == "en":
        return False  # else Babel would be loaded: 0.06 s, 6 MiB
    from babel import UnknownLocaleError  # noqa: PLC0415
    from babel.numbers import get_decimal_symbol  # noqa: PLC0415

    try:
        return get_decimal_symbol(language) == ","
    except (UnknownLocaleError, ValueError):
        return False
