"""Addresses as they stand in what people read: without what may be a password or a token."""

import re

_USER = re.compile(r"(?<=//)[^/?#]*@")
_VALUE = re.compile(r"(?<==)[^&;]+")
_LONGEST = 200


def redact_url(url: str) -> str:
    """An address without its user, the values of its query, and its fragment."""
    base, separator, query = _USER.sub("", url.partition("#")[0]).partition("?")
    named = _VALUE.sub("…", query) if "=" in query else "…" * bool(query)
    return f"{base}{separator}{named}"[:_LONGEST]
