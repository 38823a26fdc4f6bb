"""The final texts of sections: what has no support cut or marked, charts in their places."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from citations.assigned_kinds import assign_kinds
from citations.chart_check import CheckedChart, judge_caption, replace_chart_blocks
from citations.check import check_sentences
from citations.checked_sentence import CheckedSentence
from citations.conclusion_tails import place_behind_facts
from citations.evidence_span import SourcePassages
from citations.grounds import read_grounds
from citations.markers import drop_repeated_sentences, number_by_appearance, renumber_markers
from citations.marking import apply_verdicts
from citations.open_points import append_open_points
from citations.splice import replace_sections, split_off_charts
from citations.summary_check import cut_outdated
from nodes.common.citations import apply_judgements, name_subject
from nodes.common.run import make_degradation
from schema.error_text import join_sentences
from schema.errors import ModelOutputError
from schema.report import Chart, Degradation, Report, Section
from schema.state import ReportState
from schema.summary import SUMMARY_INDEX, get_place, has_summary
from text.sentences import Sentence


@dataclass(frozen=True)
class FinalSection:
    """A section whose text is final; its markers are numbers of the reference list at last.

    `repeated_count` sentences stood elsewhere already, `cut_count` had no support.
    """

    draft: Section
    text: str
    sentences: list[CheckedSentence]
    support: dict[int, SourcePassages]
    cut_count: int
    repeated_count: int = 0
    charts: list[tuple[CheckedChart, str]] = field(default_factory=list)
    failures: list[Degradation] = field(default_factory=list)


@dataclass(frozen=True)
class Binding:
    """The texts of all sections, and those that this run wrote, by their place in the report.

    `final` is the number in the reference list by the number in the run.
    """

    texts: list[str]
    sections: dict[int, FinalSection]
    final: dict[int, int]


def bind_drafts(
    _before: Report, read: Sequence[dict[int, SourcePassages]], state: ReportState
) -> Binding:
    """All sections, their markers numbered by appearance."""
    sections = _place_charts(
        _finalize_section(*one, state) for one in zip(state["drafts"], read, strict=True)
    )
    final = number_by_appearance(one.text for one in sections)
    sections = [replace(one, text=renumber_markers(one.text, final)) for one in sections]
    return Binding([one.text for one in sections], dict(enumerate(sections)), final)


def bind_revision(
    before: Report, read: Sequence[dict[int, SourcePassages]], state: ReportState
) -> Binding:
    """The new sections in the places of the old ones, whose charts stay.

    Their texts have no charts of their own: a new one would need a check of its own. What of the
    summary they no longer bear out is cut, where it is not written anew itself. A section that came
    back as it was stays, and is named.

    Raises:
        ModelOutputError: every section came back as it was.
    """
    texts = [section["text"] for section in before["sections"]]
    old = [split_off_charts(text) for text in texts]
    revised = _finalize_revised(before, read, state)
    same = [at for at, one in revised.items() if split_off_charts(one.text)[0] == old[at][0]]
    if len(same) == len(revised):
        raise _make_unchanged_error(before, same, state)
    failures = [_describe_unchanged(before["sections"][place]["title"]) for place in same]
    sections = {place: one for place, one in revised.items() if place not in same}
    if has_summary(before) and 0 not in revised:
        texts[0], failure = _update_summary(before, sections)
        failures.append(failure)
    written = {at: "\n\n".join([one.text, *old[at][1]]) for at, one in sections.items()}
    listed = [one["number"] for one in before["references"]]
    texts, called = replace_sections(texts, written, listed)
    sections = {
        place: replace(one, text=split_off_charts(texts[place])[0])
        for place, one in sections.items()
    }
    [first, *_] = sections
    sections[first] = replace(sections[first], failures=failures)
    return Binding(texts, sections, {number: after for after, number in called.items()})


def _finalize_revised(
    before: Report, read: Sequence[dict[int, SourcePassages]], state: ReportState
) -> dict[int, FinalSection]:
    """The sections that were written anew, by their place, without what another one says.

    The summary repeats the others: neither is cut for the other.
    """
    first = has_summary(before)
    places = [get_place(before, draft["index"]) for draft in state["drafts"]]
    said = {
        place: section["text"]
        for place, section in enumerate(before["sections"])
        if place >= first and place not in places
    }
    sections: dict[int, FinalSection] = {}
    for place, draft, support in zip(places, state["drafts"], read, strict=True):
        text, _ = split_off_charts(replace_chart_blocks(draft["text"], {}, 0)[0])
        others = [said[one] for one in sorted(said)] if place >= first else []
        [*_, text], repeated = drop_repeated_sentences([*others, text], before["language"])
        section = _finalize_section(Section(**{**draft, "text": text}), support, state)
        sections[place] = replace(section, repeated_count=repeated)
        if place >= first:
            said[place] = section.text
    return sections


def _make_unchanged_error(
    before: Report, same: Sequence[int], state: ReportState
) -> ModelOutputError:
    names = ", ".join(f"“{before['sections'][place]['title']}”" for place in same)
    undone = join_sentences(
        one["detail"] for one in state["degraded"] if one["code"] == "revision_incomplete"
    )
    what = (
        f"section {names} came back as it was"
        if len(same) == 1
        else (f"sections {names} came back as they were")
    )
    return ModelOutputError(
        f"The {what}, so there is no new version: give another instruction."
        f"{f' ({undone})' if undone else ''}"
    )


def _describe_unchanged(title: str) -> Degradation:
    return make_degradation("revision_incomplete", f"The section “{title}” came back as it was.")


def _update_summary(before: Report, new: Mapping[int, FinalSection]) -> tuple[str, Degradation]:
    """The summary of a report some of whose sections have new texts, and that it is the older."""
    summary, *sections = [one["text"] for one in before["sections"]]
    changed = [new[at].text if at in new else text for at, text in enumerate(sections, start=1)]
    left, cut = cut_outdated(summary, sections, changed, before["language"])
    head = before["sections"][0]["title"]
    titles = ", ".join(f"“{before['sections'][place]['title']}”" for place in sorted(new))
    lost = (
        f", and {cut} of its sentences, which the text no longer bears out, were cut" if cut else ""
    )
    detail = f"“{head}” is older than {titles}{lost}: revise it (section 0) to have it anew."
    return left, make_degradation("summary_older", detail)


def _finalize_section(
    draft: Section, read: dict[int, SourcePassages], state: ReportState
) -> FinalSection:
    language = state["question"]["language"]
    text = append_open_points(draft["text"], draft.get("open", []))
    written = place_behind_facts(text, read, language)
    subject = name_subject(state, draft)
    grounds = read_grounds(draft)
    found = check_sentences(written, read, language, subject, grounds)
    if state["judgements"]:
        found = apply_judgements(found, state["judgements"])
        found = assign_kinds(written, found, read, language, subject, grounds)
    if draft["index"] == SUMMARY_INDEX:
        found = [_accept_conclusion(one) for one in found]
    text, remaining = apply_verdicts(written, found)
    return FinalSection(draft, text, remaining, read, len(found) - len(remaining))


def _accept_conclusion(one: CheckedSentence) -> CheckedSentence:
    """A sentence of a summary that cites nothing follows from the sections: they were asked."""
    return one if one.verdicts or one.kind != "fact" else replace(one, kind="synthesis")


def _place_charts(finalized: Iterable[FinalSection]) -> list[FinalSection]:
    """The sections with their charts in the places of their blocks, numbered through the report."""
    sections: list[FinalSection] = []
    first = 0
    for one in finalized:
        text, shown, tables, dropped = replace_chart_blocks(one.text, one.support, first)
        title, failures = one.draft["title"], []
        if tables:
            detail = f"{tables} charts of “{title}” could not be drawn and stand as tables."
            failures.append(make_degradation("chart_as_table", detail))
        if dropped:
            detail = f"{dropped} charts of “{title}” had numbers that their sources have not."
            failures.append(make_degradation("chart_dropped", detail))
        sections.append(replace(one, text=text, charts=shown, failures=failures))
        first += len(shown)
    return sections


def check_captions(one: FinalSection) -> list[CheckedSentence]:
    """The captions of a section's charts, each supported by the numbers of its rows."""
    captions = []
    for chart, caption in one.charts:
        verdicts = {
            number: judge_caption(chart.title, chart.rows, number, one.support[number])
            for number in chart.numbers
        }
        captions.append(CheckedSentence(Sentence(0, len(caption), "prose"), caption, verdicts))
    return captions


def build_chart(section: int, chart: CheckedChart, final: dict[int, int]) -> Chart:
    """The chart of a report, its sources by their number in the reference list."""
    return Chart(
        section=section,
        title=chart.title,
        spec=chart.spec or {},
        rows=[
            chart.rows[0],
            *([*row[:-1], renumber_markers(row[-1], final)] for row in chart.rows[1:]),
        ],
        numbers=[final[number] for number in chart.numbers],
    )
