"""What sections of a report lack: what they call open or unsettled, points that none answers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from citations.content_terms import count_common_terms
from citations.gap_phrases import find_pointer
from citations.gap_queries import describe_gap, find_gaps
from citations.markers import strip_markers
from citations.open_points import merge_open_points, repeats_gap
from citations.unsettled import find_unsettled
from nodes.common.gap_findings import Missing
from schema.report import OpenPoint, Section
from schema.state import ReportState
from text.sentences import Sentence, split_sentences

MAX_GAPS, MAX_POINTS = 12, 6
"""Sentences on what is open or unsettled, and expected points, that are looked up for a report."""


def merge_gaps(draft: Section, language: str) -> Section:
    """A draft that leaves nothing open twice: below its text, or there and in its text."""
    if not draft.get("open"):
        return draft
    text = draft["text"]
    said = [text[gap.start : gap.end] for gap in find_gaps(text, language)]
    return Section(**{**draft, "open": merge_open_points(draft["open"], said, language)})


def collect_missing(state: ReportState, drafts: Sequence[Section], language: str) -> list[Missing]:
    """What sections say is open or unsettled, and the points that no section answers.

    A point that a section names as open is looked up once, as that.
    """
    plan = state["outline"]["sections"]
    gaps = [
        _describe_gap(draft, gap, plan[draft["index"]]["questions"], language)
        for draft in drafts
        for gap in find_gaps(draft["text"], language)
    ]
    unsettled = [one for draft in drafts for one in _list_unsettled(draft, language)]
    named = [
        _describe_open_point(draft, point, plan[draft["index"]]["questions"], language)
        for draft in drafts
        for point in draft.get("open", [])
    ]
    points = []
    for number in state.get("uncovered", [])[:MAX_POINTS]:
        subject = state["question"].get("points", [])[number - 1]
        same = _find_same(subject, named, language)
        if same is not None:
            named[same] = replace(named[same], point=number)
            continue
        section = _find_section(subject, drafts, language)
        points.append(Missing(section, subject, point=number, queries=(subject,)))
    return [*[*gaps, *unsettled, *named][:MAX_GAPS], *points]


def _find_same(subject: str, named: Iterable[Missing], language: str) -> int | None:
    """The place of the first gap that is the same as a point and stands for none yet."""
    return next(
        (
            place
            for place, one in enumerate(named)
            if not one.point and repeats_gap(subject, one.subject, language)
        ),
        None,
    )


def _describe_gap(
    draft: Section, gap: Sentence, questions: Sequence[str], language: str
) -> Missing:
    """A sentence of absence with its subject, and what is asked for it."""
    text = draft["text"]
    said = text[gap.start : gap.end]
    subject = describe_gap(text, gap, questions, draft["title"], language)
    return Missing(
        draft["index"],
        subject.text,
        said,
        parts=subject.parts,
        queries=subject.queries,
        pointer=find_pointer(said, language),
        is_exact=subject.is_exact,
    )


def _list_unsettled(draft: Section, language: str) -> Iterator[Missing]:
    """Sentences that call something unsettled; words are never sure that a passage settles it."""
    text = draft["text"]
    for at in split_sentences(text, language):
        said = text[at.start : at.end]
        if at.kind in ("prose", "item") and (subject := find_unsettled(said, language)):
            yield Missing(
                draft["index"],
                subject,
                said,
                parts=(subject,),
                queries=(subject, strip_markers(said)),
                is_exact=False,
            )


def _describe_open_point(
    draft: Section, point: OpenPoint, questions: Sequence[str], language: str
) -> Missing:
    """What a writer named below its section, which is told there where it is found."""
    said = point["sentence"]
    whole = Section(**{**draft, "text": said})
    found = _describe_gap(whole, Sentence(0, len(said), "prose"), questions, language)
    return replace(found, pointer=point["pointer"] or found.pointer)


def _find_section(subject: str, drafts: Sequence[Section], language: str) -> int:
    """The index of the section that a point belongs to: the one that shares most words with it."""
    best = max(
        drafts,
        key=lambda one: count_common_terms(subject, f"{one['title']}\n{one['text']}", language),
    )
    return best["index"]
