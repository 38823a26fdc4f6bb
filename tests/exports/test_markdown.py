"""The Markdown of a report."""

import copy
import re
from typing import Any

import pytest
from sample_report import REPORT as RICH
from sample_report import audit, reference

from exports.labels import LANGUAGES, format_audit_rows, load_labels, tell_verdict
from exports.markdown import render_markdown
from schema.report import Audit, Degradation, Report, ReportSection

REPORT = Report(
    **{
        **RICH,
        "title": "Otters",
        "sections": [
            ReportSection(title="Food", text="Otters eat fish [1]."),
            ReportSection(title="Habits", text="Otters sleep a lot [2]."),
        ],
        "references": [
            reference(1, "Otters", "A. Author", "otters.example", "https://otters.example/food",
                      "2024-05-01", reachable=True),
            reference(2, excerpt=True),
        ],
        "citations": [], "conflicts": [], "charts": [],
        "audit": audit(sentences=2, sentences_cited=2, facts=2, citations=2, citations_supported=1,
                       citations_absent=1, precision=0.5, sources_found=3, sources_cited=2,
                       seconds=1.26),
        "degraded": [Degradation(code="connector_timeout", detail="tavily did not answer.")],
    }
)  # fmt: skip


def test_a_reference_tells_all_that_is_known_and_nothing_else() -> None:
    text = render_markdown(REPORT)
    assert (
        "[1] A. Author, “Otters”, otters.example, 2024-05-01, <https://otters.example/food>, "
        "accessed 2026-01-02." in text
    )
    assert "[2] accessed 2026-01-02, (search excerpt, page not read)." in text


def test_a_dead_link_is_marked_with_the_day_it_was_tried() -> None:
    assert "no longer" not in render_markdown(REPORT)
    dead = copy.deepcopy(REPORT)
    dead["references"][0]["reachable"] = False
    note = "accessed 2026-01-02 (page no longer there on 2026-01-02)."
    assert note in render_markdown(dead)
    dead["references"][0]["link"] = "no host"
    assert "(website no longer there on 2026-01-02)." in render_markdown(dead)
    dead["language"] = "de"
    assert "(Website am 2026-01-02 nicht mehr vorhanden)." in render_markdown(dead)


def test_what_was_lost_stands_at_the_end() -> None:
    text = render_markdown(REPORT)
    assert text.rstrip().endswith("- `connector_timeout`: tavily did not answer.")
    assert "2 sentences, 2 of them cited; 2 citations of 2 sources, out of 3 found." in text


def test_the_counts_follow_the_sentence_that_has_the_most_telling_ones() -> None:
    text = render_markdown(REPORT)
    assert "found. 0 citations of unknown sources were dropped.\n\n|  |  |\n| --- | --- |\n" in text
    assert "| Citations that their source supports | 1 |" in text
    assert "| Share of citations that their source supports | 50% |" in text
    assert "| Seconds | 1 |" in text
    assert "| Sources found |" not in text


def test_every_language_has_a_word_for_every_count_and_the_same_blanks() -> None:
    def blanks(language: str) -> list[set[str]]:
        return [set(re.findall(r"{\w+}", str(one))) for one in load_labels(language)]

    languages = [path.name.removesuffix(".toml") for path in LANGUAGES.iterdir()]
    assert {"en", "de", "zh"} <= {*languages}
    for language in languages:
        words = load_labels(language)
        rows = format_audit_rows(REPORT["audit"], words)
        assert {key for key, _, count in rows if count} == set(Audit.__annotations__), language
        assert blanks(language) == blanks("en"), language
        assert (words is load_labels("en")) == (language == "en")


def test_a_chart_is_a_table_of_its_values_in_its_place() -> None:
    text = render_markdown(RICH)
    table = (
        "| year | otters |  |\n| --- | --- | --- |\n| 2014 | 1940 | [1] |\n| 2019 | 2431 | [1] |"
    )
    assert f"**Otters counted, by year** [1][3]\n\n{table}\n| 2024 | 2962 | [3] |\n\nThe" in text
    assert "chart:" not in text
    assert "| 2024 | 2962 | (“Fur of mammals” n.d.) |" in render_markdown(RICH, "author-date")


def test_what_speaks_against_a_sentence_is_quoted_below_it() -> None:
    said = (
        "- The count rose from 1,940 in 2014 to 2,962 in 2024 [1].\n  But [6] (2023-02-03) says: "
    )
    assert said + "“The count fell to 1,800 \\<by 2023>.”" in render_markdown(RICH)
    assert "Sources that may disagree" not in render_markdown(REPORT)
    [conflict, *_] = RICH["conflicts"]
    bold: Report = {**RICH, "conflicts": [{**conflict, "quote": "**Counted:** it fell to 1,800."}]}
    assert "“Counted: it fell to 1,800.”" in render_markdown(bold)


def test_headings_are_in_the_report_s_language() -> None:
    chinese = copy.deepcopy(REPORT)
    chinese["language"] = "zh"
    assert "## 参考文献" in render_markdown(chinese)
    chinese["language"] = "xx"
    assert "## References" in render_markdown(chinese)


def test_a_report_of_one_section_says_its_title_once() -> None:
    single = copy.deepcopy(REPORT)
    single["sections"] = [ReportSection(title="Otters", text="Otters eat fish [1].")]
    assert render_markdown(single).count("Otters\n") == 1


def test_an_address_that_is_no_web_page_or_file_is_no_link() -> None:
    odd = copy.deepcopy(REPORT)
    odd["references"][0]["url"] = "javascript:alert(1)"
    assert "<javascript:" not in render_markdown(odd)


@pytest.mark.parametrize("language", ["", "xx", "EN", "../en", "a" * 300, "e\0n"])
def test_a_language_without_labels_has_the_english_ones(language: str) -> None:
    assert load_labels(language) == load_labels("en")


def test_the_flag_of_an_unsupported_sentence_is_explained_where_there_is_one() -> None:
    said = "⚠ not matched with a source by the automatic check: look it up before you rely on it"
    assert said in render_markdown(RICH)
    assert said not in render_markdown(REPORT)


def test_a_report_of_an_earlier_version_says_of_its_verdicts_what_it_knows() -> None:
    words, cited = load_labels("en"), RICH["citations"][0]
    assert tell_verdict(cited, words) == "supported by the source (by words and figures)"
    old: Any = {key: value for key, value in cited.items() if key != "step"}
    assert tell_verdict(old, words) == "supported by the source"
    counts: Any = {k: v for k, v in RICH["audit"].items() if not k.startswith("citations_by_")}
    rows = {key for key, _, _ in format_audit_rows(counts, words)}
    assert rows == {*counts}
