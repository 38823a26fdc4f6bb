"""Which work an address leads to: its DOI, or its number in PubMed."""

import re
from typing import NamedTuple
from urllib.parse import unquote

from connectors.http.client import web_host

_DOI = re.compile(r"10\.\d{4,9}/[^\s\"'<>&?#]+", re.ASCII)
_TAIL = re.compile(
    r"(?:[./](?:pdf|full|abstract|html?|epub|meta|fulltext|full\.pdf))+\Z", re.IGNORECASE
)
_PUBMED = re.compile(r"https?://pubmed\.ncbi\.nlm\.nih\.gov/(\d{1,9})/?\Z")
_CITATION_DOI = re.compile(
    r"<meta\b(?=[^<>]*\bname\s{0,9}=\s{0,9}[\"']?(?:citation_doi|dc\.identifier)\b)"
    r"[^<>]*\bcontent\s{0,9}=\s{0,9}[\"']([^\"'<>]*)",
    re.IGNORECASE,
)
HEAD_CHARACTERS = 200_000
"""Of a page, within which it says what it is."""
LONGEST = 200
"""Characters of a DOI; longer ones are none."""


class Work(NamedTuple):
    """A scholarly work by its DOI, in lower case, or, where that is not known, its PubMed id."""

    doi: str = ""
    pmid: str = ""


def find_doi(text: str) -> str:
    """The first DOI in a text or an address; "" where there is none."""
    found = _DOI.search(unquote(text[:4_000]))
    if not found:
        return ""
    doi = _TAIL.sub("", found[0].rstrip(".,;:)]}/")).lower()
    return doi if len(doi) <= LONGEST else ""


def find_work(url: str) -> Work | None:
    """The work that a web address names; None where it names none."""
    if not web_host(url):
        return None
    if pubmed := _PUBMED.match(url):
        return Work(pmid=pubmed[1])
    doi = find_doi(url.partition("://")[2].partition("/")[2])
    return Work(doi=doi) if doi else None


def find_stated_doi(html: str) -> str:
    """The DOI that a page says is its own; "" where it says none."""
    for found in _CITATION_DOI.finditer(html[:HEAD_CHARACTERS]):
        if doi := find_doi(found[1]):
            return doi
    return ""
