"""Addresses of sources: which are web pages, and how they are written in a file."""

import re
from urllib.parse import quote, urlsplit

# RFC 3986, 2: these are in no address as they are, and would end it in Markdown, BibTeX or HTML.
_UNSAFE_CHARACTERS = re.compile(r"[\s<>\"`{}|\\^]")


def is_web(address: str) -> bool:
    """Whether a reader may follow an address with a browser."""
    return address[:8].lower().startswith(("http://", "https://"))


def escape_address(address: str) -> str:
    """An address, with the characters escaped that none may hold."""
    return _UNSAFE_CHARACTERS.sub(lambda character: quote(character[0]), address.strip())


def parse_host(address: str) -> str:
    """The host of a web page; "" for anything else."""
    try:
        return (urlsplit(address).hostname or "") if is_web(address) else ""
    except ValueError:  # no address, such as http://[
        return ""
