"""What changed between two versions, sentence by sentence."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from sample_report import REPORT

from schema.report import Report, ReportSection
from web.changes import Piece, compare_reports


def version(**sections: str) -> Report:
    written = [ReportSection(title=title, text=text) for title, text in sections.items()]
    return Report(**{**REPORT, "sections": written})  # type: ignore[typeddict-item]


def test_a_sentence_that_changed_stands_on_both_sides() -> None:
    old = version(A="Otters float [1]. They eat crabs [2].\n\nThey sleep.")
    new = version(A="Otters float [3]. They eat urchins [1].\n\nThey sleep.")
    [change] = compare_reports(old, new)
    assert change.changed
    assert [one.kind for one in change.old] == ["same", "old", "same"]
    assert change.old[1] == Piece("old", " They eat crabs [2].")
    assert change.new[1] == Piece("new", " They eat urchins [1].")


def test_a_marker_that_was_only_renumbered_changes_nothing() -> None:
    [change] = compare_reports(version(A="Otters float [1]."), version(A="Otters float [7]."))
    assert not change.changed


def test_sections_that_came_and_went_stand_alone() -> None:
    changes = compare_reports(version(A="One.", B="Two."), version(A="One.", C="Three.", D="Four."))
    assert [(one.old_title, one.new_title) for one in changes] == [
        ("A", "A"), ("B", ""), ("", "C"), ("", "D"),
    ]  # fmt: skip


texts = st.text(alphabet="Ab. \n[1]|-#`", max_size=80)


@given(texts, texts)
def test_both_sides_say_all_that_their_version_says(old: str, new: str) -> None:
    [change] = compare_reports(version(A=old), version(A=new))
    sides: list[Any] = [change.old, change.new]
    assert ["".join(one.text for one in side) for side in sides] == [old, new]
