"""Days, months and years named in a text, in the forms of any language that CLDR knows.

2024-05-01, May 1, 2024, 1 May 2024, 1. Mai 2024 and 2024年5月1日 are one day.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from text.number_words import parse_integer

_NUMERIC = re.compile(
    r"(?<![\d.,/-])(?:(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})"
    r"|(?P<one>\d{1,2})([-/.])(?P<two>\d{1,2})\6(?P<last>\d{4}))(?![\d/-])"
)
_CJK_NUMBER = "[0-9〇零一二三四五六七八九十]"
_CJK = re.compile(
    rf"(?:(?<!{_CJK_NUMBER})(?P<year>{_CJK_NUMBER}{{4}})\s?[年년]\s?)?"
    rf"(?P<month>{_CJK_NUMBER}{{1,3}})\s?[月월]\s?(?:(?P<day>{_CJK_NUMBER}{{1,3}})\s?[日号號일])?"
)
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")

_ENGLISH_MONTHS = [
    (number, form)
    for number, name in enumerate(
        [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ],
        start=1,
    )
    for form in (name, name[:3])
]
"""As CLDR has them."""


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date in a text, at `text[start:end]`: what it names of day, month and year.

    `swapped_reading` is the other reading of a form like 05/01/2024.
    """

    start: int
    end: int
    year: int | None
    month: int
    day: int | None
    swapped_reading: tuple[int, int] | None = None

    def agrees_with(self, other: "DateMention") -> bool:
        """Whether the other date names all that this one does and is the same day or month.

        A year that only one of them names does not part them.
        """
        if self.year and other.year and self.year != other.year:
            return False
        return any(
            mine[0] == theirs[0] and mine[1] in (None, theirs[1])
            for mine in self.readings()
            for theirs in other.readings()
        )

    def readings(self) -> Iterator[tuple[int, int | None]]:
        """Month and day, of both readings where there are two."""
        yield self.month, self.day
        if self.swapped_reading:
            yield self.swapped_reading


def find_dates(text: str, language: str) -> list[DateMention]:
    """Find the dates of a text that name at least a month beside a number, in order.

    Args:
        text: full-width digits already made plain.
        language: its months are known, and those of English.
    """
    if not _DIGIT.search(text) and text.isascii():
        return []
    found = [*_find_numeric(text), *_find_with_month_name(text, language)]
    if not text.isascii():
        found += _find_cjk(text)
    found.sort(key=lambda day: (day.start, -day.end))
    chosen: list[DateMention] = []
    for day in found:
        last = chosen[-1] if chosen else None
        if not last or day.start >= last.end or (day.start, day.end) == (last.start, last.end):
            chosen.append(day)
    return chosen


def _find_numeric(text: str) -> Iterator[DateMention]:
    for match in _NUMERIC.finditer(text):
        if match["year"]:
            year, month, day = (int(match[name]) for name in ("year", "month", "day"))
            swapped = None
        else:
            day, month, year = (int(match[name]) for name in ("one", "two", "last"))
            swapped = (day, month) if "/" in match[0] and max(day, month) <= 12 else None
            if month > 12:
                day, month = month, day
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield DateMention(match.start(), match.end(), year, month, day, swapped)


def _find_cjk(text: str) -> Iterator[DateMention]:
    for match in _CJK.finditer(text):
        year, month, day = (parse_integer(match[name]) for name in ("year", "month", "day"))
        if month and month <= 12 and (year or day):
            yield DateMention(match.start(), match.end(), year, month, day)


def _find_with_month_name(text: str, language: str) -> Iterator[DateMention]:
    """Dates with the name of a month; a range of days is two dates."""
    names = load_month_names(language)
    if names.keys().isdisjoint(_WORD.findall(text)):
        return
    for pattern in _compile_patterns(language):
        for match in pattern.finditer(text):
            year = int(match["year"]) if match["year"] else None
            month = names[match["month"]]
            named = [int(day) for day in match.group("day", "last") if day]
            for day in named:
                if 1 <= day <= 31:
                    yield DateMention(match.start(), match.end(), year, month, day)
            if year and not named:
                yield DateMention(match.start(), match.end(), year, month, None)


@cache
def _compile_patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Dates with the day before the month, and with the month first."""
    names = "|".join(sorted(map(re.escape, load_month_names(language)), key=len, reverse=True))
    month, year = rf"(?P<month>{names})(?![^\W_])\.?", r"(?P<year>\d{4})(?!\d)"
    ending = "(?:st|nd|rd|th|er|[.º])?"
    day = rf"(?<!\d)(?P<day>\d{{1,2}}){ending}(?: ?[-–—/] ?(?P<last>\d{{1,2}}){ending})?(?!\d)"
    return (
        re.compile(rf"{day} ?(?:de |of )?{month}(?:,? (?:de |of )?{year})?"),
        re.compile(rf"(?<![^\W_]){month}(?: {day})?(?:,? (?:de |of )?{year})?"),
    )


@cache
def load_month_names(language: str) -> dict[str, int]:
    """Number of the month by its names, in the forms that stand beside a number."""
    found = {"Sept": 9}
    for number, written in [*_ENGLISH_MONTHS, *_list_months(language)]:
        name = written.removeprefix("de ").rstrip(".")  # Catalan has "de gener"
        if _WORD.fullmatch(name):
            found |= {name: number, name.title(): number, name.upper(): number}
    return found


def _list_months(language: str) -> list[tuple[int, str]]:
    """Numbers and names of the months beside English, by CLDR."""
    if language == "en":
        return []  # else Babel would be loaded: 0.06 s, 6 MiB
    from babel import UnknownLocaleError  # noqa: PLC0415
    from babel.dates import get_month_names  # noqa: PLC0415

    try:
        forms = [get_month_names(width, locale=language) for width in ("wide", "abbreviated")]
    except (UnknownLocaleError, ValueError):
        return []
    return [(number, name) for form in forms for number, name in form.items()]
