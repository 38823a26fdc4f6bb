"""Passages that list what stands elsewhere: contents, indexes, links, changes; and licence texts.

They hold the words of every question and answer none of them. They are told by their shape.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from schema.documents import Chunk

Listing = Literal["contents", "index", "links", "changes", "licence"]

MIN_LINES, MIN_SHARE = 5, 0.7
"""Lines of a listing, and the share of them that have its shape."""

MIN_LINK_SHARE = 0.6
"""Share of a link list's characters, without addresses, that are words of links."""

MIN_TITLES, MOST_TITLE_WORDS = 8, 8
"""Numbered titles of contents that run on, and the words of one, its number among them."""

KEPT_TEXTS = 2_000
"""Passages whose kind is kept: the sections of a report look at the same ones."""

MIN_CHANGES = 0.6
"""Share of the lines of a list of changes that begin with what was done."""

_MARK = r"^[\s>]*(?:[-*+•] |\d{1,3}[.)] )?[*_]{0,2}"
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\s]*\)")
_LEADERS = re.compile(
    r"\S.*(?:\s*\.){3,}\s*(?:\d{1,4}|[ivxlc]{1,6})\s*$|^\|?[^|]+\|\s*\d{1,4}\s*\|$"
)
_NUMBERED_TITLE = re.compile(
    r"^[\s>*+-]*(?:(?:Chapter|Part|Kapitel|Teil) )?"
    r"(?:\d{1,2}(?:\.\d{1,3})+\.?|[A-Z]\.\d{1,3}\.?)\s+[^.!?]{2,100}$"
)
_BOLD_TITLE = re.compile(r"^\s*(?:[-*+•] )?\*\*[^*]+\*\*:?\s*$")
_INDEX_ENTRY = re.compile(
    _MARK + r"[^.!?|=:]{2,70}?,\s*(?:see (?:also )?\S.*|(?:\d{1,4}|[ivxlc]+)"
    r"(?:\s*[-–]\s*\d{1,4})?(?:,\s*\d{1,4}(?:\s*[-–]\s*\d{1,4})?)*)\s*$"
)
_INDEX_HEADING = re.compile(
    r"\W*(?:[A-Z]|symbols|(?:general |subject )?index|(?:stichwort|sach)verzeichnis|register)\W*",
    re.IGNORECASE,
)
_INDEX_ITEM = re.compile(
    r"^\s*(?:[-*+•] |\*\*)[^!?]{1,80}(?:, [^!?]{1,200}|\(see (?:also )?[^()]{1,80}\)\W*|\*\*:)$"
)
_CHANGE = re.compile(
    _MARK + r"(?:(?:fix|add|remov|chang|updat|improv|deprecat|bump|refactor|revert|support|renam)"
    r"(?:e?s|e?d|ing)?|(?:behoben|hinzugefügt|entfernt|geändert|neu))\b(?!.*\|)",
    re.IGNORECASE,
)
_CHANGES_HEADING = re.compile(
    r"\W*(?:(?:Appendix )?[A-Z]?[\d.]*\s+)?"
    r"(?:\[?v?\d+\.\d+[\w.]*\]?\W*\d{4}-\d\d-\d\d|changes|change ?log|"
    r"release(?: notes| v?\d+(?:\.\d+)*)|what['’]s new|änderungen|versionshinweise|"
    r"notes de version|registro de cambios|更新日志|変更履歴)\W*",
    re.IGNORECASE,
)
_RUNNING_TITLE = re.compile(r"\b(?:\d{1,3}|[IVXLC]{1,6})\. (?=[A-Z])")
_SENTENCE_END = re.compile(r"[a-z)]\. ")
_LICENCE = (
    "permission is hereby granted", "without warranty of any kind", "without warranties or",
    "redistributions of source code", "the above copyright notice", "merchantability",
    "licensed under the apache license", "gnu general public license",
    "in no event shall", "all rights reserved",
)  # fmt: skip

_ASKING: dict[Listing, re.Pattern[str]] = {
    "contents": re.compile(
        r"\b(?:table of contents|chapters?|inhaltsverzeichnis|kapitel)\b", re.IGNORECASE
    ),
    "index": re.compile(r"\b(?:index of terms|stichwortverzeichnis)\b", re.IGNORECASE),
    "links": re.compile(r"\b(?:links?|websites?|bibliograph\w*|further reading)\b", re.IGNORECASE),
    "changes": re.compile(
        r"\b(?:chang\w*|(?:what(?:['’]s| is| was| are)|anything) new|new (?:in|since|features?)|"
        r"news|newer|versions|versionen|upgrad\w*|bugs?|"
        r"(?:which|what|older|earlier|later) (?:\w+ ){0,2}version|"
        r"releases?|(?:what|was) (?:was|were|has been|is|wurde) fixed|since|histor\w*|"
        r"deprecat\w*|remov\w*|added|änder\w*|neu\w*|versionsgeschichte|seit|verlauf|nouveaut\w*|"
        r"cambi\w*|novedad\w*)\b"
        r"|更新|版本|変更|変化|历史",
        re.IGNORECASE,
    ),
    "licence": re.compile(
        r"\b(?:licen[cs]\w*|lizenz\w*|licenci\w*|licenz\w*|copyright|warrant\w*|legal\w*|haftung|"
        r"gewährleistung|garanti\w*|terms of use)\b|许可|版权|ライセンス",
        re.IGNORECASE,
    ),
}


def tell_listing(chunk: Chunk, title: str = "") -> Listing | None:
    """What kind of listing a passage of a page of that title is, None where it may answer."""
    return _tell_listing(chunk.text, chunk.heading, title)


@lru_cache(maxsize=KEPT_TEXTS)
def _tell_listing(text: str, heading: str, title: str) -> Listing | None:
    lines = [line for line in text.splitlines() if line.strip()]
    words = text.casefold()
    if sum(phrase in words for phrase in _LICENCE) >= 2:
        return "licence"
    body = [line for line in lines if not line.lstrip().startswith("#")]
    if lines and not body:
        return "contents"
    if _has_shape(body, _CHANGE, MIN_CHANGES) or any(
        map(_CHANGES_HEADING.fullmatch, (heading, title))
    ):
        return "changes"
    if _is_index(body, heading, title):
        return "index"
    if (
        _has_shape(body, _LEADERS, MIN_SHARE)
        or _has_shape(body, _NUMBERED_TITLE, MIN_SHARE)
        or _has_shape(body, _BOLD_TITLE, MIN_SHARE)
        or _runs_through_titles(text)
    ):
        return "contents"
    return "links" if _is_made_of_links(text) else None


def select_answering(chunks: Sequence[tuple[Chunk, str]], questions: Iterable[str]) -> list[bool]:
    """For each passage whether it may answer: no listing, or of a kind that a question asks for.

    Args:
        chunks: each with the title of its page.
        questions: what is asked.
    """
    asked = "\n".join(questions)
    wanted = {kind for kind, words in _ASKING.items() if words.search(asked)}
    kinds = (tell_listing(chunk, title) for chunk, title in chunks)
    return [kind is None or kind in wanted for kind in kinds]


def _has_shape(lines: Sequence[str], shape: re.Pattern[str], share: float) -> bool:
    matching = sum(1 for line in lines if shape.match(line))
    return len(lines) >= MIN_LINES and matching >= share * len(lines)


def _is_index(lines: Sequence[str], heading: str, title: str) -> bool:
    """Whether lines are entries of an index; a page that is called so says it of few lines, too."""
    if _has_shape(lines, _INDEX_ENTRY, MIN_SHARE):
        return True
    if _INDEX_HEADING.fullmatch(title):
        return all(_INDEX_ITEM.match(line) for line in lines)
    return bool(_INDEX_HEADING.fullmatch(heading)) and _has_shape(lines, _INDEX_ITEM, MIN_SHARE)


def _runs_through_titles(text: str) -> bool:
    """Whether numbered titles stand one behind another, and no sentence between them."""
    titles = len(_RUNNING_TITLE.findall(text))
    return (
        titles >= MIN_TITLES
        and len(text.split()) <= MOST_TITLE_WORDS * titles
        and not _SENTENCE_END.search(_RUNNING_TITLE.sub("", text))
    )


def _is_made_of_links(text: str) -> bool:
    """Whether the words of links, several of them, are most of a text's words."""
    links = [match[1] for match in _LINK.finditer(text)]
    said = sum(map(str.isalnum, _LINK.sub(r"\1", text)))
    linked = sum(character.isalnum() for link in links for character in link)
    return len(links) >= MIN_LINES and linked >= MIN_LINK_SHARE * said
