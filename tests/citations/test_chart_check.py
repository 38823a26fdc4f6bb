"""Charts of a section: what is drawn, what becomes a table, what is dropped."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.chart_check import check_chart, find_chart_blocks, replace_chart_blocks
from citations.evidence_span import SourcePassages
from schema.documents import Passage

COSTS = (
    "In 2023 the mill cost 4.1 million euros. In 2024 it cost 5.25 million, in 2025 1,200 euros."
)


def source(text: str) -> SourcePassages:
    passage = Passage(chunk=1, document=1, start=0, end=len(text), text=text)
    return SourcePassages([passage], "en")


SOURCES = {3: source(COSTS), 7: source("The dam is 90 metres high.")}


def chart(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "title": "Cost a year",
        "mark": "bar",
        "encoding": {
            "x": {"field": "year", "type": "ordinal"},
            "y": {"field": "cost", "type": "quantitative", "title": "million euros"},
        },
        "data": {
            "values": [
                {"year": "2023", "cost": 4.1, "source": 3},
                {"year": "2024", "cost": 5.25, "source": 3},
            ]
        },
    }
    return {**made, **changes}


def fenced(given: Any) -> str:
    return f"```chart\n{json.dumps(given)}\n```"


def rows(*values: dict[str, Any]) -> dict[str, Any]:
    return {"data": {"values": list(values)}}


def test_a_chart_of_cited_numbers_is_drawn() -> None:
    found = check_chart(json.dumps(chart()), SOURCES)
    assert found
    assert found.spec
    assert found.spec["mark"] == "bar"
    assert found.spec["data"]["values"][1]["cost"] == 5.25
    assert found.numbers == [3]
    assert found.rows == [["year", "cost", ""], ["2023", "4.1", "[3]"], ["2024", "5.25", "[3]"]]


@pytest.mark.parametrize(
    "row",
    [
        {"year": "2024", "cost": 5.3, "source": 3},
        {"year": "2024", "cost": 5.25, "source": 7},
        {"year": "2024", "cost": 5.25, "source": 99},
        {"year": "2024", "cost": 5.25, "source": "3"},
        {"year": "2024", "cost": 5.25},
        {"year": "2024", "cost": "5.25", "source": 3},
    ],
    ids=["other number", "other source", "no source", "not a number", "unnamed", "only words"],
)
def test_a_number_that_its_source_has_not_drops_the_chart(row: dict[str, Any]) -> None:
    given = chart(**rows({"year": "2023", "cost": 4.1, "source": 3}, row))
    assert check_chart(json.dumps(given), SOURCES) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"mark": "geoshape"},
        {"transform": [{"calculate": "1", "as": "x"}]},
        {"encoding": {"x": {"field": "year", "type": "ordinal"}}},
        {"encoding": {"x": {"field": "nothing", "type": "ordinal"}, "y": {"field": "cost",
                      "type": "quantitative"}}},
        {"params": [{"name": "x", "expr": "alert(1)"}]},
    ],
    ids=["mark", "transform", "one channel", "field", "expression"],
)  # fmt: skip
def test_what_cannot_be_drawn_stands_as_a_table(changes: dict[str, Any]) -> None:
    text, shown, tables, dropped = replace_chart_blocks(
        f"Before.\n\n{fenced(chart(**changes))}", SOURCES, 0
    )
    assert (len(shown), tables, dropped) == (0, 1, 0)
    assert "| 2023 | 4.1 | [3] |" in text


def test_values_from_an_address_are_never_loaded() -> None:
    given = chart(data={"url": "http://127.0.0.1/numbers.csv"})
    assert check_chart(json.dumps(given), SOURCES) is None


def test_charts_are_numbered_through_the_report_and_leave_the_text_as_it_is() -> None:
    text = f"One [3].\n\n{fenced(chart())}\n\nTwo [7].\n\n```python\nx = 1\n```"
    made, shown, tables, dropped = replace_chart_blocks(text, SOURCES, 4)
    assert made == ("One [3].\n\n![Cost a year](chart:4) [3]\n\nTwo [7].\n\n```python\nx = 1\n```")
    assert (len(shown), tables, dropped) == (1, 0, 0)


def test_a_title_cannot_be_taken_for_a_mark_or_a_link() -> None:
    for title in ("[99](http://x)", "2023", "a](b"):
        made, _, _, _ = replace_chart_blocks(fenced(chart(title=title)), SOURCES, 0)
        assert made.count("](") == 1
        assert "[99]" not in made
        assert "![2023]" not in made


def test_a_block_that_is_not_closed_is_read_to_the_end() -> None:
    assert replace_chart_blocks(f"One [3].\n\n```chart\n{json.dumps(chart())}", SOURCES, 0)[1]


@given(st.text(max_size=200))
def test_whatever_stands_in_a_block_never_breaks_a_text(body: str) -> None:
    text = f"One [3].\n\n```chart\n{body}\n```"
    made, shown, tables, dropped = replace_chart_blocks(text, SOURCES, 0)
    assert made.startswith("One [3].")
    assert len(shown) + tables + dropped == len(find_chart_blocks(text))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=12,
)


@given(JSON, JSON, JSON)
def test_whatever_json_is_given_only_cited_numbers_are_drawn(
    title: Any, encoding: Any, values: Any
) -> None:
    body = {"title": title, "mark": "bar", "encoding": encoding, "data": {"values": values}}
    found = check_chart(json.dumps(body), SOURCES)
    if found is not None:
        assert set(found.numbers) <= SOURCES.keys()
