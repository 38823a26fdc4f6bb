"""Charts as images: drawn from their own values, in a process that may end without harm."""

import re
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from sample_report import REPORT

from exports.charts import draw_png, draw_svg
from schema.report import Chart


def chart(**changed: Any) -> Chart:
    """A chart of the sample report, its specification changed."""
    one = REPORT["charts"][0]
    return Chart(**{**one, "spec": {**one["spec"], **changed}})


def texts(drawn: str | None) -> str:
    assert drawn is not None
    return " ".join(etree.fromstring(drawn.encode()).itertext())


@pytest.mark.slow
def test_a_chart_shows_its_values_and_leaves_the_title_to_the_caption() -> None:
    found = texts(draw_svg(chart()))
    assert "2014 2019 2024" in found
    assert "otters" in found
    assert "Otters counted" not in found


def test_a_chart_is_an_image_of_two_pixels_a_point() -> None:
    drawn = draw_png(chart(width=200))
    assert drawn is not None
    assert drawn.startswith(b"\x89PNG")
    assert int.from_bytes(drawn[16:20], "big") > 400


@pytest.mark.slow
def test_signs_that_no_image_can_hold_are_left_out_and_harm_nothing() -> None:
    signs = ["\x00", "\x1b", "\ud800", "\uffff", "\u202e", "🦦", "]]>", "<b>"]
    values = [{"a": f"{number}before{sign}after"} for number, sign in enumerate(signs)]
    found = texts(draw_svg(chart(encoding={"x": {"field": "a"}}, data={"values": values})))
    for number in range(len(signs)):
        assert re.search(rf"{number}before.{{0,3}}after", found)


def test_what_names_a_file_or_an_address_is_not_drawn(tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n")
    assert draw_svg(chart(data={"url": secret.as_uri()})) is None
    assert draw_svg(chart(mark={"type": "bar", "href": "https://x.example"})) is None
    layer = {"mark": {"type": "image"}, "encoding": {"url": {"value": "https://x.example/y.png"}}}
    assert draw_svg(chart(layer=[layer])) is None
    assert draw_png(chart(data={"sequence": {"start": 0, "stop": 1e9}})) is None


def test_what_is_no_chart_is_not_drawn() -> None:
    deep: dict[str, Any] = {}
    for _ in range(5000):
        deep = {"a": deep}
    assert draw_svg(chart(mark="nonsense")) is None
    assert draw_svg(chart(usermeta=deep)) is None
    assert draw_svg(Chart(**{**chart(), "spec": {}})) is None


def test_without_the_extra_nothing_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vl_convert.py").write_text("raise ModuleNotFoundError('not installed')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert draw_svg(chart()) is None
