"""Numbers that a cited sentence may have without a source: totals, next days, what was asked.

A total of a column stands in no source where the column does not; "the day before" a date of a
source is another date; and "at 2,000 jobs a minute" repeats what the reader said of themselves.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate

from citations.cited_parts import split_cells
from citations.claim_facts import SentenceFacts
from citations.formulas import find_formulas
from citations.markers import strip_markers
from text.dates import DateMention
from text.numbers import Quantity

_DAY_BEFORE: Mapping[str, str] = {
    "en": r"day before|previous day|eve of",
    "de": r"Tag(?:e|es)? (?:vor|zuvor|davor)|Vortag\w*|Vorabend",
    "fr": r"veille|jour (?:d['’])?(?:avant|précédent)",
    "es": r"día (?:antes|anterior)|víspera",
    "it": r"giorno (?:prima|precedente)|vigilia",
    "pt": r"dia (?:antes|anterior)|véspera",
    "nl": r"dag (?:er)?voor|dag eerder|vooravond",
    "zh": r"前一[天日]",
    "ja": r"前日|前の日",
}
_DAY_AFTER: Mapping[str, str] = {
    "en": r"day after|next day|following day",
    "de": r"Tag(?:e|es)? (?:nach|danach|darauf)|Folgetag\w*|nächsten Tag",
    "fr": r"lendemain|jour (?:d['’])?(?:après|suivant)",
    "es": r"día (?:después|siguiente)",
    "it": r"giorno (?:dopo|seguente|successivo)",
    "pt": r"dia (?:depois|seguinte)",
    "nl": r"dag (?:er)?na|volgende dag",
    "zh": r"次日|第二天|翌日|后一[天日]",
    "ja": r"翌日|次の日",
}
_CONDITION: Mapping[str, str] = {
    "en": r"(?:at|with|for|if|given|assuming|under|on)\b",
    "de": r"(?:bei|mit|für|wenn|falls|unter|angenommen)\b",
    "fr": r"(?:à|avec|pour|si|sous|en supposant)\b",
    "es": r"(?:a|con|para|si|bajo|suponiendo)\b",
    "it": r"(?:a|con|per|se|sotto|supponendo)\b",
    "pt": r"(?:a|com|para|se|sob|supondo)\b",
    "nl": r"(?:bij|met|voor|als|onder|stel)\b",
    "zh": r"如果|若|假设|按|在|以|对于",
}  # fmt: skip
_WOULD: Mapping[str, str] = {
    "en": r"would",
    "de": r"würden?|wären?|hätten?",
    "fr": r"(?:ser|aur|dur|suffir|faudr)ai(?:t|ent)",
    "es": r"(?:ser|tendr|durar|bastar)ían?",
    "it": r"(?:sar|avr|durer|baster)ebbe(?:ro)?",
    "pt": r"(?:ser|ter|durar|bastar)iam?",
    "nl": r"zou(?:den)?",
}
_ASSUMED: Mapping[str, str] = {
    "en": r"assumed|assuming|supposed|supposing",
    "de": r"angenommen\w*",
    "fr": r"supposée?s?|supposant",
    "es": r"supuest[oa]s?|suponiendo",
    "it": r"ipotizzat[oaie]|supponendo",
    "pt": r"supost[oa]s?|supondo",
    "nl": r"veronderstelde?|aangenomen",
}
_CONDITION_BEHIND_JA = re.compile(r"[^、。]*?(?:の場合|なら|とすると|であれば|では)")
_ANY_OF_CLAUSE = r"[^,;:.!?()，；：。！？（）|]*$"

LEAST_TOTAL = 10
"""Many numbers come to a smaller one."""

_LEAP_YEAR = 2_000


def list_totals(rows: Sequence[tuple[str, str]], language: str) -> set[Decimal]:
    """The sums of the columns of a table, or of the items of a list, down to each row.

    Args:
        rows: the kind and the text of each row or item, in order, those alone whose numbers are
            borne out; of a cell the first number counts.
        language: of the texts.
    """
    cells = [split_cells(text) if kind == "table" else [text] for kind, text in rows]
    columns = _list_numbers(cells, language).values()
    sums = {total for column in columns for total in [*accumulate(q.value for q in column)][1:]}
    return {total for total in sums if abs(total) >= LEAST_TOTAL}


@lru_cache(maxsize=64)  # asked for each sentence behind a table
def list_columns(rows: tuple[str, ...], language: str) -> list[list[Quantity]]:
    """The numbers of each column of a table that has several: a text compares them.

    Args:
        rows: those alone whose numbers are borne out; of a cell the first number counts.
        language: of the rows.
    """
    columns = _list_numbers([split_cells(row) for row in rows], language).values()
    return [column for column in columns if len(column) > 1]


def _list_numbers(rows: Sequence[Sequence[str]], language: str) -> dict[int, list[Quantity]]:
    """The first number of each cell, by the place of the cell in its row."""
    columns: dict[int, list[Quantity]] = {}
    for cells in rows:
        for place, cell in enumerate(cells):
            numbers = SentenceFacts(strip_markers(cell), language).quantities
            counted = [one for one in numbers if not one.is_loose and not one.is_year]
            if counted:
                columns.setdefault(place, []).append(counted[0])
    return columns


def find_next_days(text: str, when: DateMention, language: str) -> Iterator[DateMention]:
    """The dates beside a date that a sentence says to be the day before or after another one."""
    if when.day is None:
        return
    for days in _find_shifts(text, language):
        try:
            day = date(when.year or _LEAP_YEAR, when.month, when.day) + timedelta(days)
        except (ValueError, OverflowError):
            continue
        year = day.year if when.year else None
        yield DateMention(when.start, when.end, year, day.month, day.day)


@lru_cache(maxsize=64)  # asked for each date of a text
def _find_shifts(text: str, language: str) -> tuple[int, ...]:
    """How many days a date of the source may lie behind one that the text names."""
    return tuple(
        days
        for phrases, days in ((_DAY_BEFORE, 1), (_DAY_AFTER, -1))
        if language in phrases and re.search(phrases[language], text, re.IGNORECASE)
    )


def find_assumed(claim: SentenceFacts, asked: SentenceFacts) -> list[Quantity]:
    """The numbers of a sentence that are a condition of what it says.

    "At 2,000 jobs a minute begin with ..." repeats its reader's number; "the limit is 2,000" claims
    it. "At 1,000 a second it would ..." supposes one: a round number, or none at all. "At 0.8 s it
    takes 33 × 0.8" supposes one, too, and reckons with it, and "an assumed 0.8 s" says so.

    Args:
        claim: the sentence.
        asked: the question, and who asks.
    """
    known = {(one.value, one.unit) for one in asked.quantities if not one.is_loose}
    reckoned = {x for one in find_formulas(claim.text, claim.quantities) for x in one.operands}
    would = _WOULD.get(claim.language)
    supposes = bool(would and re.search(rf"\b(?:{would})\b", claim.text, re.IGNORECASE))
    return [
        one
        for one in claim.quantities
        if (
            _is_condition(claim.text, one, claim.language)
            and (
                (one.value, one.unit) in known
                or (supposes and _is_round(one))
                or one.value in reckoned
            )
        )
        or (supposes and not one.value)
        or _is_called_assumed(claim.text, one, claim.language)
    ]


def _is_called_assumed(text: str, number: Quantity, language: str) -> bool:
    words = _ASSUMED.get(language)
    before = text[: number.start]
    return bool(words and re.search(rf"\b(?:{words})\W+(?:\w+ )?$", before, re.IGNORECASE))


def _is_round(number: Quantity) -> bool:
    return len(number.value.normalize().as_tuple().digits) == 1 and not number.is_year


def _is_condition(text: str, number: Quantity, language: str) -> bool:
    if language == "ja":
        return _CONDITION_BEHIND_JA.match(text, number.end) is not None
    if language not in _CONDITION:
        return False
    start = r"^\W*|[,;:(]\s*" if language != "zh" else r"^\W*|[，；：（]\s*"
    pattern = rf"(?:{start})(?:{_CONDITION[language]}){_ANY_OF_CLAUSE}"
    return re.search(pattern, text[: number.start], re.IGNORECASE) is not None
