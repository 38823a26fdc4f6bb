"""What kind of text a chunk is, by where it stands and what it looks like."""

import re
from collections.abc import Sequence

from schema.documents import Chunk, ChunkKind

_ABSTRACT = (
    "abstract|summary|executive summary|tl;?dr|synopsis|zusammenfassung|kurzfassung|résumé|resumen|"
    "resumo|riassunto|samenvatting|аннотация|резюме|摘要|概要|概述|要約|요약|ملخص|सारांश"
)
_OVERVIEW = (
    "overview|introduction|background|conclusions?|about|key points|überblick|einleitung|fazit|"
    "introducción|conclusión|aperçu|conclusiones|введение|обзор|引言|简介|导言|结论|はじめに|개요|مقدمة"
)
_TIMELINE = (
    "timeline|history|changelog|change log|chronology|chronologie|release notes|milestones|"
    "geschichte|verlauf|historia|cronología|histoire|история|хронология|历史|年表|沿革|大事记|履歴|연혁"
)
_ABSTRACT_HEADING = re.compile(rf"\W*(?:{_ABSTRACT})\W*", re.IGNORECASE)
_OVERVIEW_HEADING = re.compile(rf"\W*(?:{_OVERVIEW})\W*", re.IGNORECASE)
_TIMELINE_HEADING = re.compile(rf"[\W\d]*(?:{_TIMELINE})\W*", re.IGNORECASE)
_DATED_LINE = re.compile(
    r"[\s>*#|\[(+-]*(?:\d{4}[-/.年]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{4}\s*[:–—-])"
)
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")


def classify_chunks(chunks: Sequence[Chunk]) -> list[ChunkKind]:
    """Name the kind of every chunk of one document of prose.

    A heading that says so makes an abstract, an overview or a timeline, in the languages listed
    above. Dated lines make a timeline, a fence over most of the text makes code. Of a document
    that has no abstract by name, the first chunk of prose is it: a text's opening says what it
    is about.

    Returns:
        One kind per chunk, in order.
    """
    found = [_classify_chunk(chunk) for chunk in chunks]
    if "abstract" not in found and "body" in found:
        found[found.index("body")] = "abstract"
    return found


def _classify_chunk(chunk: Chunk) -> ChunkKind:
    if _ABSTRACT_HEADING.fullmatch(chunk.heading):
        return "abstract"
    if _OVERVIEW_HEADING.fullmatch(chunk.heading):
        return "overview"
    lines = [line for line in chunk.text.splitlines() if line.strip()]
    dated = sum(1 for line in lines if _DATED_LINE.match(line))
    if _TIMELINE_HEADING.fullmatch(chunk.heading) or (dated >= 3 and dated > len(lines) / 2):
        return "timeline"
    fenced = "```" in chunk.text or "~~~" in chunk.text
    return "code" if fenced and _count_fenced_lines(lines) > len(lines) / 2 else "body"


def _count_fenced_lines(lines: Sequence[str]) -> int:
    """Lines inside code fences, the fences among them."""
    inside, count = False, 0
    for line in lines:
        fence = bool(_FENCE.match(line))
        count += inside or fence
        inside ^= fence
    return count
