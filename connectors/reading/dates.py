"""Dates as sources write them, to ISO 8601."""

from datetime import datetime
from email.utils import parsedate_to_datetime


def iso_date(text: str) -> str:
    """The day of an ISO 8601 or RFC 5322 date as YYYY-MM-DD; "" where it cannot be read."""
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            return parse(text.strip()).date().isoformat()
        except (ValueError, TypeError, OverflowError):
            continue
    return ""
