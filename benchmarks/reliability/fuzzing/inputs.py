"""The kinds of inputs that strangers send, and how each is made of a seed.

An input is JSON: its `kind` and what belongs to it; bytes stand in it as base64.
"""

import json
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import tiny_documents as tiny
from sample_report import REPORT

from benchmarks.reliability.fuzzing.mutation import (
    PIECES,
    VALUES,
    encoded,
    mutated_bytes,
    mutated_json,
    mutated_text,
    mutated_zip,
    run_of,
)
from benchmarks.reliability.world.pages import TOWNS, on_subject, overview, question
from schema.context import Context

ROOT = Path(__file__).parents[3]

Input = dict[str, Any]

TEXTS = {".md", ".html", ".py", ".ipynb", ".eml", ".txt", ".rtf"}
_FORMATS = ("markdown", "markdown", "html", "html", "json", "bibtex", "csl")
_SLOW_FORMATS = ("pdf", "docx", "latex")
_UNDRAWN = {**REPORT, "charts": []}
"""The sample report without its charts, which take seconds to draw."""


@cache
def documents() -> dict[str, list[bytes]]:
    """Real documents by suffix."""
    held = {
        ".md": [
            path.read_bytes()
            for path in sorted((ROOT / "docs").rglob("*.md"))
            + sorted((ROOT / "samples").glob("*.md"))
        ],
        ".py": [path.read_bytes() for path in sorted((ROOT / "retrieval").rglob("*.py"))],
        ".ipynb": [path.read_bytes() for path in sorted((ROOT / "examples").glob("*.ipynb"))],
        ".html": [overview(TOWNS[0]).html.encode(), tiny.html(), _page().encode()],
        ".eml": [tiny.eml()],
        ".rtf": [tiny.rtf()],
        ".pdf": [tiny.pdf()],
        ".docx": [tiny.docx()],
        ".pptx": [tiny.pptx()],
        ".xlsx": [tiny.xlsx()],
        ".epub": [tiny.epub()],
        ".odt": [tiny.odt()],
    }
    return {suffix: found for suffix, found in held.items() if found}


def _page() -> str:
    from exports.html.page import render_html

    return render_html(REPORT)


def make(seed: str) -> Input:
    """The input of a seed: its kind is drawn by weight, then the input itself."""
    draw = Random(seed)
    [kind] = draw.choices(list(KINDS), [weight for weight, _ in KINDS.values()])
    return {"kind": kind, "seed": seed, **KINDS[kind][1](draw)}


def _file(draw: Random) -> Input:
    held = documents()
    [suffix] = draw.choices(list(held), [_WEIGHTS.get(one, 1) for one in held])
    data = draw.choice(held[suffix])
    everything = [one for same in held.values() for one in same]
    if suffix in TEXTS and draw.random() < 0.75:
        text = data.decode(errors="replace")[:30_000]
        if suffix == ".md" and draw.random() < 0.4:
            text = front_matter(draw) + text
        return _bytes(suffix, encoded(mutated_text(text, draw), draw))
    if data[:2] == b"PK" and draw.random() < 0.7:
        return _bytes(
            suffix, mutated_zip(data, draw, lambda part: mutated_bytes(part, draw, everything))
        )
    return _bytes(suffix, mutated_bytes(data[:60_000], draw, everything))


_WEIGHTS = {".md": 10, ".html": 8, ".py": 6, ".ipynb": 3, ".eml": 3, ".pdf": 5, ".docx": 5}


def front_matter(draw: Random) -> str:
    """Front matter of odd values, aliases, records in records; sometimes it explodes."""
    names = ("title", "author", "date", "aliases", "site", "superseded", "x")
    lines = []
    for _ in range(draw.randint(1, 5)):
        value = draw.choice(
            (
                lambda: json.dumps(draw.choice(VALUES)),
                lambda: draw.choice(PIECES),
                lambda: "0x" + "f" * draw.randint(1, 6000),
                lambda: "1:" + "59:" * draw.randint(1, 3000) + "59",
                lambda: "[" * draw.randint(1, 400) + "]" * draw.randint(1, 400),
                lambda: "{a: " * draw.randint(1, 200) + "}" * draw.randint(1, 200),
                lambda: f"&a{draw.randint(0, 3)} [*a{draw.randint(0, 3)}]",
                lambda: (
                    "!!" + draw.choice(("binary x", "timestamp 1", "set {a}", "float x", "omap"))
                ),
                lambda: "2024-" + str(draw.randint(0, 99)) + "-" + str(draw.randint(0, 99)),
            )
        )()
        lines.append(f"{draw.choice(names)}: {value}")
    if draw.random() < 0.05:
        depth, width = draw.randint(3, 9), draw.randint(2, 9)
        lines = [f"a0: &a0 [{', '.join(['x'] * width)}]"]
        joined = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, depth)]
        lines += [*joined, f"title: *a{depth - 1}"]
    return "---\n" + "\n".join(lines) + "\n---\n"


def _bytes(suffix: str, data: bytes) -> Input:
    return {"suffix": suffix, "data": b64encode(data).decode()}


def _search(draw: Random) -> Input:
    pages = [overview(TOWNS[1]), *on_subject(TOWNS[1], "piers")]
    answer = {
        "query": "q",
        "answer": None,
        "images": [],
        "results": [
            {
                "title": page.title,
                "url": f"https://harbours.test{page.path}",
                "content": page.sentences[0],
                "raw_content": page.text,
                "score": 0.9,
                "published_date": "2024-05-01",
            }
            for page in pages
        ],
        "response_time": 0.1,
    }
    body = json.dumps(mutated_json(answer, draw), allow_nan=True).encode()
    if draw.random() < 0.2:
        body = mutated_bytes(body, draw, [body])
    status = 200 if draw.random() < 0.9 else draw.choice((204, 301, 400, 401, 404, 418, 429, 500))
    engine = draw.choice(("tavily", "searxng", "brave"))
    return {"engine": engine, "status": status, "data": b64encode(body).decode(),
            "stored": draw.random() < 0.2}  # fmt: skip


def _text(draw: Random) -> Input:
    """What a writer says; it cites the sources 1 to 3, whose sentences it has."""
    said = [one for page in on_subject(TOWNS[0], "piers") for one in page.sentences]
    lines = [f"{draw.choice(said)[:-1]} [{draw.randint(1, 4)}]." for _ in range(draw.randint(1, 6))]
    if draw.random() < 0.3:
        lines.append(draw.choice(REPORT["sections"])["text"])
    if draw.random() < 0.1:
        lines.append(f"\n\n```chart\n{json.dumps(mutated_json(_CHART, draw))}\n```\n")
    if draw.random() < 0.15:
        lines.append("\n\n| part | share |\n| --- | --- |\n| piers [1] | 41 % |\n")
    form = draw.choice(_FORMATS) if draw.random() < 0.99 else draw.choice(_SLOW_FORMATS)
    language = draw.choice(("en", "en", "de", "zh", "ar", "ja", "fr", "xx"))
    return {"text": mutated_text(" ".join(lines), draw), "language": language, "format": form}


_CHART = {
    "title": "Tonnes",
    "mark": "bar",
    "encoding": {
        "x": {"field": "part", "type": "nominal", "title": "part"},
        "y": {"field": "tonnes", "type": "quantitative", "title": "tonnes"},
    },
    "data": {"values": [{"part": "piers", "tonnes": 3972, "source": 1}] * 4},
}


def _question(draw: Random) -> Input:
    asked = draw.choice(_ASKED)
    text = mutated_text(asked, draw, longest=9_000) if draw.random() < 0.9 else run_of(draw, 9_000)
    return {"question": text, "whole": draw.random() < 0.02}


_ASKED = (
    question(TOWNS[0]),
    "How do BM25 and dense vectors work together?",
    "什么是重排序？",
    "Quelle est la fusion des rangs ?",
    "?",
    "",
)


def _context(draw: Random) -> Input:
    names, odd = list(Context.model_fields), (*VALUES, "deep", 3, ["library"], "en", 0.5)
    usual = Context().model_dump()
    given: dict[str, Any] = {
        name: usual[name] if draw.random() < 0.6 else draw.choice(odd)
        for name in draw.sample(names, draw.randint(1, 5))
    }
    if draw.random() < 0.1:
        given[draw.choice(("spaec", "research-mode", "", "self", "model_config"))] = 1
    return {"context": given, "way": draw.choice(("terminal", "graph"))}


def _row(draw: Random) -> Input:
    """A report as a database may hold it that was written by another version, or by hand."""
    often, seldom = ("show", *_FORMATS), (*_SLOW_FORMATS, "revise")
    act = draw.choice(often) if draw.random() < 0.97 else draw.choice(seldom)
    return {"report": mutated_json(REPORT if draw.random() < 0.05 else _UNDRAWN, draw), "act": act}


KINDS: dict[str, tuple[int, Callable[[Random], Input]]] = {
    "file": (28, _file),
    "search": (16, _search),
    "text": (26, _text),
    "question": (8, _question),
    "context": (10, _context),
    "row": (12, _row),
}
"""By name: the share of all inputs, and how one is made."""
