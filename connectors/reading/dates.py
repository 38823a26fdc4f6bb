"""Dates as sources write them, to ISO 8601."""

import re
from datetime import datetime
from email.utils import parsedate_to_datetime

_LONGEST = 60
"""Characters of a date; longer text is none."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?=[ T])")


def iso_date(text: str) -> str:
    """The day of an ISO 8601 or RFC 5322 date as YYYY-MM-DD; "" where it cannot be read.

    The day counts, too, where the time behind it is written as neither says, as `10:00 +0200`.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        return ""
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            return parse(text).date().isoformat()
        except (ValueError, TypeError, OverflowError):
            continue
    day = _DAY.match(text)
    return iso_date(day[0]) if day else ""
