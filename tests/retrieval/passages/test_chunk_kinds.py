"""Kinds of chunk, by heading, dates, fences and place."""

import pytest

from retrieval.passages.chunk_kinds import classify_chunks
from retrieval.passages.chunking import split_chunks
from schema.documents import Chunk


def chunk(text: str, heading: str = "") -> Chunk:
    return Chunk(start=0, end=len(text), text=text, heading=heading)


def kind(text: str, heading: str = "") -> str:
    """The kind of a chunk behind an abstract."""
    return classify_chunks([chunk("First.", "Abstract"), chunk(text, heading)])[1]


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Abstract", "abstract"), ("TL;DR", "abstract"), ("**Executive Summary**:", "abstract"),
        ("Zusammenfassung", "abstract"), ("Résumé", "abstract"), ("Аннотация", "abstract"),
        ("摘要", "abstract"), ("要約", "abstract"), ("ملخص", "abstract"), ("Overview", "overview"),
        ("Conclusions", "overview"), ("Einleitung", "overview"), ("Conclusión", "overview"),
        ("введение", "overview"), ("简介", "overview"), ("はじめに", "overview"),
        ("History", "timeline"), ("3. Release Notes", "timeline"), ("CHANGELOG", "timeline"),
        ("Geschichte", "timeline"), ("Histoire", "timeline"), ("历史", "timeline"),
        ("연혁", "timeline"), ("A summary of nothing", "body"), ("About herons", "body"),
        ("Prehistory", "body"), ("", "body"),
    ],
)  # fmt: skip
def test_a_heading_says_the_kind(heading: str, expected: str) -> None:
    assert kind("Some plain words stand here.", heading) == expected


@pytest.mark.parametrize(
    "lines",
    [
        "2024-05-01 began\n2024-06 went on\n2024/07/03 ended",
        "- 2019: founded\n- 2020: grew\n- 2021 – sold\n",
        "| 1.2.2020 | one |\n| 3.4.2021 | two |\n| 05/06/2022 | three |",
        "2019年3月 开始\n2020年4月 发展\n2021年5月 结束",
    ],
)
def test_dated_lines_are_a_timeline(lines: str) -> None:
    assert kind(lines) == "timeline"


@pytest.mark.parametrize(
    "lines",
    [
        "2024-05-01 began\n2024-06 went on",
        "2024-05-01 one\nwords\n2024-05-02 two\nwords\n2024-05-03 three\nwords",
        "In 2024-05 it began.\nIn 2024-06 it went on.\nIn 2024-07 it ended.",
    ],
    ids=["two", "half", "inside"],
)
def test_a_few_dates_are_none(lines: str) -> None:
    assert kind(lines) == "body"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```python\na = 1\nb = 2\n```", "code"),
        ("Look:\n\n~~~\na = 1\nb = 2\nc = 3\n~~~\n", "code"),
        ("```\nopen to the end\nof the chunk", "code"),
        ("One line.\nTwo lines.\nThree lines.\nFour lines.\n```\na = 1\n```", "body"),
        ("```\na\n```\nOne.\nTwo.\nThree.\nFour.", "body"),
        ("    ```\n    indented\n    ```", "body"),
    ],
)
def test_a_fence_over_most_of_a_text_makes_code(text: str, expected: str) -> None:
    assert kind(text) == expected


CODE, OPENING, OTHER = chunk("```\na = 1\n```"), chunk("Herons fish."), chunk("They fly.")


@pytest.mark.parametrize(
    ("chunks", "kinds"),
    [
        ([CODE, OPENING, OTHER], ["code", "abstract", "body"]),
        ([OPENING, chunk("In short.", "Summary"), OTHER], ["body", "abstract", "body"]),
        ([CODE], ["code"]),
        ([], []),
    ],
    ids=["the first prose", "an abstract by name", "no prose", "nothing"],
)
def test_a_document_has_one_abstract_if_any(chunks: list[Chunk], kinds: list[str]) -> None:
    assert classify_chunks(chunks) == kinds


def test_chunks_of_markdown_have_the_kinds_of_their_headings() -> None:
    words = "Plain words stand here, one after another. " * 20
    text = f"# Herons\n\n{words}\n\n## Overview\n\n{words}\n\n## History\n\n{words}\n"
    assert classify_chunks(split_chunks(text)) == ["abstract", "overview", "timeline"]
