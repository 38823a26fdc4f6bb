"""Small reports for the tests of the report benchmark."""

import json
from pathlib import Path
from typing import Any

from benchmarks.measures.reading import Listed, Paper, Section

WEB = "https://example.org"
DAM = "The dam above the town was built in the summer of 1962 by nine hundred workers"
BRIDGE = "A bridge of steel crosses the river where the old ferry had its landing place"


def paper(*texts: str, urls: tuple[str, ...] = (f"{WEB}/a", "https://b.net"), **more: Any) -> Paper:
    """A report whose references 1, 2, ... have these addresses."""
    sections = [Section(f"Part {n}", text) for n, text in enumerate(texts, start=1)]
    listed = [Listed(n, url) for n, url in enumerate(urls, start=1)]
    return Paper(["A report"], "en", sections, listed, **more)


def citation(**changes: Any) -> dict[str, Any]:
    place = {"section": 0, "sentence": f"{DAM} [1].", "number": 1, "document": "file:dam"}
    span = {"start": 4, "end": 11, "quote": "The dam", "before": "Yes. ", "after": " is"}
    return {**place, **span, "verdict": "supported", **changes}


def made_report(**changes: Any) -> dict[str, Any]:
    """What a report's JSON has of what is measured."""
    made = {
        "title": "The dam",
        "question": "Who built the dam?",
        "language": "en",
        "sections": [{"title": "Building", "text": f"{DAM} [1]."}],
        "references": [{"number": 1, "url": f"{WEB}/dam"}],
        "citations": [citation(start=0, end=7)],
        "audit": {"tokens": 1200, "seconds": 3.5},
    }
    return made | changes


MARKDOWN = f"""# The dam

{DAM} [1, 2].

## How it was paid

{BRIDGE}【2】。

### Tolls

Was it dear? Who knows. It cost the town four years of taxes [^3].

## 7. References

[1] A. Holm, "The dam". {WEB}/dam_(1962).
[2]: [The bridge
 over the river]({WEB}/bridge)
3. Tolls <{WEB}/tolls>

## About this report

Counted by hand [9].
"""


def freshwiki(folder: Path) -> Path:
    inner = {"section_title": "Tolls", "section_content": [], "subsections": []}
    content = [
        {"section_title": "Building", "section_content": [], "subsections": [inner]},
        {"section_title": "See also", "section_content": []},
    ]
    row = {"title": "The_dam", "content": content, "flair_entities": ["nine hundred", "otters"]}
    (folder / "articles.jsonl").write_text(json.dumps(row) + "\n")
    return folder
