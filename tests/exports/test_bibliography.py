"""References as reference managers read them; Pandoc is the one here."""

import json
import re

import pytest
from hostile import MARKUP, read
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_report import REPORT, reference

from exports.bibliography import build_csl_json, format_bibtex
from schema.report import Report


def report(*told: dict[str, str]) -> Report:
    """A report of references that know this and nothing else."""
    references = [reference(number, **one) for number, one in enumerate(told, 1)]
    return Report(**{**REPORT, "references": references})


def items(text: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(read(text.encode(), "bibtex", "csljson"))
    return found


def test_a_page_s_entry_reads_as_a_reference_manager_expects() -> None:
    text = format_bibtex(REPORT)
    assert text.startswith(
        "@online{holm2024otter,\n  author = {Holm, Anna and Li, Bo},\n"
        "  title = {{Sea otter survey 2024}},\n  organization = {{otters.example}},\n"
        "  year = {2024},\n  month = may,\n"
        "  url = {https://otters.example/survey-2024?lang=en&page=1},\n"
        "  urldate = {2026-01-02},\n}\n"
    )
    assert "@misc{mammals,\n  title = {{Fur of mammals}},\n  note = {file:///home/" in text


def test_both_files_name_a_source_by_one_key_and_say_the_same_of_it() -> None:
    ours = {str(one["id"]): one for one in build_csl_json(REPORT)}
    theirs = {str(one["id"]): one for one in items(format_bibtex(REPORT))}
    assert list(ours) == list(theirs)
    assert len(ours) == len(REPORT["references"])
    for key, one in ours.items():
        for field in ("title", "accessed", "author"):
            assert one.get(field) == theirs[key].get(field), (key, field)


def test_csl_is_read_as_it_is() -> None:
    written = build_csl_json(REPORT)
    assert json.loads(read(json.dumps(written).encode(), "csljson", "csljson")) == written


def test_signs_of_latex_and_unicode_are_read_back_as_they_were() -> None:
    title = "50 % & more_#1 $x {a} {b{c}} \\ ~ ^ 水獭 --- a-b @x <y> | é"
    (found,) = items(format_bibtex(report({"title": title, "site": "A & B", "author": "C & D_E"})))
    assert (found["title"], found["publisher"]) == (title, "A & B")
    assert found["author"] == [{"literal": "C & D_E"}]


def test_an_organisation_with_and_in_its_name_is_one_author() -> None:
    told = {"author": "Food and Drug Administration", "title": "T"}
    (found,) = items(format_bibtex(report(told)))
    assert found["author"] == [{"literal": "Food and Drug Administration"}]


def test_an_address_is_not_escaped_but_cannot_leave_its_field() -> None:
    url = "https://a.example/x_y?a=1&b=%20#z~q{}\\\n}"
    (found,) = items(format_bibtex(report({"url": url, "title": "T"})))
    assert found["URL"] == "https://a.example/x_y?a=1&b=%20#z~q%7B%7D%5C%0A%7D"


def test_dates_are_as_exact_as_they_are_known() -> None:
    days = ["2024-05-01T10:00:00+00:00", "2024-05", "2024", "", "soon", "2024-13-01"]
    issued = [
        one.get("issued") for one in build_csl_json(report(*({"published": day} for day in days)))
    ]
    assert issued[:5] == [
        {"date-parts": [[2024, 5, 1]]}, {"date-parts": [[2024, 5]]}, {"date-parts": [[2024]]}, None,
        None,
    ]  # fmt: skip
    assert "month" not in format_bibtex(report({"published": days[-1]}))


words = st.sampled_from([*MARKUP, "Holm", "Anna Holm", "and", " and ", ",", "水獭", "A"]) | st.text(
    max_size=6
)
fields = st.fixed_dictionaries(
    {name: st.lists(words, max_size=4).map("".join) for name in ("title", "author", "site")}
    | {"url": st.sampled_from(["", "http://a.example/{", "wiki:x}y%", "http://["])}
)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(st.lists(fields, min_size=1, max_size=4))
def test_no_text_breaks_an_entry_and_no_two_share_a_key(told: list[dict[str, str]]) -> None:
    one = report(*told)
    text = format_bibtex(one).encode("utf-8", "replace").decode()
    keys = re.findall(r"^@\w+\{(.*),$", text, re.MULTILINE)
    assert len(set(keys)) == len(told)
    assert (
        [item["id"] for item in items(text)] == keys == [item["id"] for item in build_csl_json(one)]
    )
    depth = 0
    for sign in re.sub(r"[^{}]", "", text):  # as BibTeX counts: a backslash does not hide a brace
        depth += 1 if sign == "{" else -1
        assert depth >= 0
    assert depth == 0
