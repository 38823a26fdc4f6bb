"""A report as a note of a vault."""

import re

import pytest
import yaml
from hostile import hostile
from hypothesis import given
from sample_report import REPORT, reference

from exports.formats import export
from exports.obsidian import JOINER, disarm
from schema.report import Citation, Report


def note(report: Report) -> tuple[dict[str, object], str]:
    """The front matter and the text."""
    text = export(report, "obsidian").decode()
    _, head, body = re.split(r"^---\n", text, maxsplit=2, flags=re.MULTILINE)
    return yaml.safe_load(head), body


def test_front_matter_says_what_the_note_is() -> None:
    head, _ = note({**REPORT, "id": "r1", "version": 3, "title": 'A "title": of #1 %%'})
    assert head["title"] == f'A "title": of #1 %{JOINER}%'
    assert (head["quire"], head["version"], head["tags"]) == ("r1", 3, ["quire"])
    assert str(head["date"]) == "2026-01-02"


def test_every_marker_is_a_footnote_that_is_there() -> None:
    _, body = note(REPORT)
    cited = {int(n) for n in re.findall(r"\[\^(\d+)\](?!:)", body)}
    defined = [int(n) for n in re.findall(r"^\[\^(\d+)\]:", body, re.MULTILINE)]
    assert sorted(defined) == [one["number"] for one in REPORT["references"]]
    assert cited <= set(defined)
    assert "body weight** a day [^1]" in body
    assert "<https://otters.example/survey-2024?lang=en&page=1>" in body


def cite(number: int, document: str) -> Citation:
    return {**REPORT["citations"][0], "number": number, "document": document}


def test_sources_of_the_vault_and_of_zotero_are_linked_to() -> None:
    url = "obsidian://open?vault=My%20vault&file=Animals%2FSea%20otters.md"
    group = "zotero://select/groups/12/items/ABCD2345"
    references = [
        reference(1, "Notes | on [otters]", url=url),
        reference(2, "A paper", url="https://doi.org/10.1234/o"),
        reference(3, "A note", url=group),
    ]
    citations = [
        cite(1, "file:///My%20vault/Animals/Sea%20otters.md"),
        cite(2, "zotero://users/475425/collections/COLLTOP2/ABCD2345/annotations"),
        cite(3, "zotero://groups/12/ABCD2345"),
    ]
    _, body = note({**REPORT, "references": references, "citations": citations})
    first, second, third = re.findall(r"^\[\^\d\]: (.*)$", body, re.MULTILINE)
    assert "[[Animals/Sea otters|Notes   on  otters]]" in first
    assert second.endswith("[Zotero](zotero://select/library/items/ABCD2345)")
    assert "<https://doi.org/10.1234/o>" in second
    assert third == f"“A note”. [Zotero]({group})"


@pytest.mark.parametrize(
    "text",
    [
        "```dataviewjs\napp.vault.delete()\n```",
        "> ~~~ dataview js\n> x\n> ~~~",
        "`$= app.vault.delete()`",
        "`` = this.file``",
        "<%* await tp.system.x() %>",
        "before %% hidden %% behind",
    ],
)
def test_nothing_that_a_plugin_runs_or_hides_is_left(text: str) -> None:
    made = disarm(text)
    assert "dataview" not in made
    assert not re.search(r"`\s*\$?=", made)
    assert not re.search(r"<%|%>|%%", made)


def test_code_keeps_its_language() -> None:
    assert disarm("```python\nx = 1\n```") == "```python\nx = 1\n```"


@given(hostile)
def test_any_text_leaves_nothing_that_runs(text: str) -> None:
    _, body = note({**REPORT, "sections": [{"title": text, "text": text}]})
    assert not re.search(r"<%|%>|%%", body)
    assert not re.search(r"^[ \t>]*(?:`{3,}|~{3,})[ \t]*dataview", body, re.MULTILINE)
