"""The Markdown of a report."""

import copy

from exports.markdown import report_markdown
from schema.report import Audit, Degraded, Reference, Report, ReportSection

REPORT = Report(
    question="What do otters eat?",
    title="Otters",
    language="en",
    sections=[
        ReportSection(title="Food", text="Otters eat fish [1]."),
        ReportSection(title="Habits", text="Otters sleep a lot [2]."),
    ],
    references=[
        Reference(
            number=1,
            title="Otters",
            author="A. Author",
            site="otters.example",
            url="https://otters.example/food",
            published="2024-05-01",
            accessed="2026-01-02",
            excerpt=False,
            reachable=True,
            checked="2026-01-02T10:00:00+00:00",
        ),
        Reference(
            number=2,
            title="",
            author="",
            site="",
            url="",
            published="",
            accessed="2026-01-02",
            excerpt=True,
            reachable=None,
            checked="",
        ),
    ],
    citations=[],
    audit=Audit(
        sections=2,
        sections_failed=0,
        sentences=2,
        sentences_cited=2,
        citations=2,
        unknown_numbers_dropped=0,
        repeated_sentences_dropped=0,
        sources_found=3,
        sources_cited=2,
        passages_found=9,
    ),
    degraded=[Degraded(code="connector_timeout", detail="tavily did not answer.")],
    further_questions=["Where do they sleep?"],
    usage={},
)


def test_a_reference_tells_all_that_is_known_and_nothing_else() -> None:
    text = report_markdown(REPORT)
    assert (
        "[1] A. Author, “Otters”, otters.example, 2024-05-01, <https://otters.example/food>, "
        "accessed 2026-01-02." in text
    )
    assert "[2] accessed 2026-01-02, (search excerpt, page not read)." in text


def test_a_dead_link_is_marked_with_the_day_it_was_tried() -> None:
    assert "answer" not in report_markdown(REPORT).split("## Further")[0]
    dead = copy.deepcopy(REPORT)
    dead["references"][0]["reachable"] = False
    note = "accessed 2026-01-02 (link did not answer on 2026-01-02)."
    assert note in report_markdown(dead)
    dead["language"] = "de"
    assert "(Link antwortete am 2026-01-02 nicht)." in report_markdown(dead)


def test_what_was_lost_stands_at_the_end() -> None:
    text = report_markdown(REPORT)
    assert text.rstrip().endswith("- `connector_timeout`: tavily did not answer.")
    assert "2 sentences, 2 of them cited; 2 citations of 2 sources, out of 3 found." in text


def test_headings_are_in_the_report_s_language() -> None:
    chinese = copy.deepcopy(REPORT)
    chinese["language"] = "zh"
    assert "## 参考文献" in report_markdown(chinese)
    chinese["language"] = "xx"
    assert "## References" in report_markdown(chinese)


def test_a_report_of_one_section_says_its_title_once() -> None:
    single = copy.deepcopy(REPORT)
    single["sections"] = [ReportSection(title="Otters", text="Otters eat fish [1].")]
    assert report_markdown(single).count("Otters\n") == 1


def test_an_address_that_is_no_web_page_or_file_is_no_link() -> None:
    odd = copy.deepcopy(REPORT)
    odd["references"][0]["url"] = "javascript:alert(1)"
    assert "<javascript:" not in report_markdown(odd)
