"""Dates as sources write them, to ISO 8601."""

import re
from datetime import datetime
from email.utils import parsedate_to_datetime

_MAX_CHARACTERS = 60
"""Characters of a date; longer text is none."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?=[ T])")


def iso_date(text: str) -> str:
    """An ISO 8601 or RFC 5322 date, without its time, as YYYY-MM-DD; "" where it cannot be read.

    The date counts, too, where the time behind it is written as neither says, as `10:00 +0200`.
    """
    text = text.strip()
    if len(text) > _MAX_CHARACTERS:
        return ""
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            return parse(text).date().isoformat()
        except (ValueError, TypeError, OverflowError):
            continue
    date = _DATE.match(text)
    return iso_date(date[0]) if date else ""
