"""The check of a report's citations by words, done again from a bundle alone."""

from collections.abc import Iterator, Mapping, Sequence

from citations.chart_check import judge_caption
from citations.check import check_sentences
from citations.checked_sentence import extract_claim
from citations.evidence_span import SourcePassages
from citations.verdict import CitationVerdict, judge_claim
from exports.bundle.parts import BundledSource, Evidence, SectionEvidence, WordsCheck
from schema.documents import Passage
from schema.report import Chart, Citation, Report

GONE = "its source's text was no longer kept when the bundle was written"
OTHER = "its source or its section was changed before the bundle was written"
"""Why a verdict cannot be repeated."""


def recheck(report: Report, evidence: Evidence) -> list[WordsCheck]:
    """What words say of each citation; CPU work.

    Args:
        report: whose citations name sections and numbers that are there.
        evidence: an entry for each section; passages stand within the stretches of their sources.
    """
    sources = {one["number"]: one for one in evidence["sources"]}
    checks: dict[int, WordsCheck] = {}
    for place, section in enumerate(evidence["sections"]):
        own = [(at, one) for at, one in enumerate(report["citations"]) if one["section"] == place]
        if own:
            read = dict(_read_sources(section, sources, report["language"]))
            found = _judge(report, place, section["subject"], [one for _, one in own], read)
            checks.update(zip((at for at, _ in own), map(_describe, found), strict=True))
    return [checks[at] for at in range(len(report["citations"]))]


def _read_sources(
    section: SectionEvidence, sources: Mapping[int, BundledSource], language: str
) -> Iterator[tuple[int, SourcePassages]]:
    """What the section's writer read of each source, as it was when its sentences were checked."""
    passages: dict[int, list[Passage]] = {}
    for one in section["passages"]:
        text = cut(sources[one["number"]], one["start"], one["end"])
        passage = Passage(
            chunk=0, document=one["number"], start=one["start"], end=one["end"], text=text,
            heading=one["heading"],
        )  # fmt: skip
        passages.setdefault(one["number"], []).append(passage)
    for number, found in passages.items():
        source = sources[number]
        told = (source["title"], source["author"], source["site"], source["published"])
        yield number, SourcePassages(found, language, told)


def cut(source: BundledSource, start: int, end: int) -> str:
    """The text of a source between two offsets; "" where the bundle does not hold all of it."""
    for one in source["stretches"]:
        if one["start"] <= start <= end <= one["start"] + len(one["text"]):
            return one["text"][start - one["start"] : end - one["start"]]
    return ""


def _judge(
    report: Report,
    place: int,
    subject: str,
    citations: Sequence[Citation],
    read: Mapping[int, SourcePassages],
) -> list[CitationVerdict | None]:
    """The verdict on each citation of a section; None where nothing of its source is there."""
    text, language = report["sections"][place]["text"], report["language"]
    found = check_sentences(text, read, language, subject)
    known = {(one.claim, number): v for one in found for number, v in one.verdicts.items()}
    verdicts: list[CitationVerdict | None] = []
    for one in citations:
        number, claim = one["number"], extract_claim(one["sentence"])
        if number not in read:
            verdicts.append(None)
        elif chart := _find_chart(report["charts"], one):
            verdicts.append(judge_caption(chart["title"], chart["rows"], number, read[number]))
        else:
            verdicts.append(known.get((claim, number)) or judge_claim(claim, read[number]))
    return verdicts


def _find_chart(charts: Sequence[Chart], citation: Citation) -> Chart | None:
    """The chart whose caption a citation stands in."""
    for at, chart in enumerate(charts):
        if f"](chart:{at})" in citation["sentence"] and chart["section"] == citation["section"]:
            return chart
    return None


def _describe(found: CitationVerdict | None) -> WordsCheck:
    if found is None or found.span is None:
        return WordsCheck(why=GONE)
    return WordsCheck(
        verdict=found.kind,
        confidence=round(found.confidence, 3),
        start=found.span.start,
        end=found.span.end,
        reasons=[f"{code}: {words}" for code, words in found.reasons],
    )


def agrees(check: WordsCheck, citation: Citation) -> bool:
    """Whether what words say is what the report says: of what words judged all, else the span."""
    if "why" in check:
        return False
    same_span = (check["start"], check["end"]) == (citation["start"], citation["end"])
    if citation.get("step", "words") != "words":
        return same_span
    said = WordsCheck(
        verdict=citation["verdict"],
        confidence=citation["confidence"],
        start=citation["start"],
        end=citation["end"],
        reasons=citation["reasons"],
    )
    return is_same(check, said)


def is_same(one: WordsCheck, other: WordsCheck) -> bool:
    """Whether two checks say the same; the last digit of a confidence is the machine's."""
    if one.get("why") or other.get("why"):
        return one.get("why") == other.get("why")
    alike = all(one.get(name) == other.get(name) for name in ("verdict", "start", "end", "reasons"))
    return alike and abs(one.get("confidence", 0.0) - other.get("confidence", 0.0)) < 0.0015
