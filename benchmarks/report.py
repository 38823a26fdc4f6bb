"""What can be told of a report without a judge: does it hold together, cover, repeat itself?

A report is a file: JSON of `quire report --json`, or Markdown of anyone's with marks such as [n]
and a reference list. Where no language model is needed to tell, none is used, and the same report
always measures the same.

    python benchmarks/report.py FILE... [--space NAME] [--freshwiki DIR] [--json FILE]
        [--floor integrity=1,coverage=.9,redundancy=.01]
    python benchmarks/report.py --make general --make deep --make deeper

`--space` names the library space that our JSON was written from: its quotes are then compared with
the stored text. `--freshwiki` is a folder with FreshWiki's `articles.jsonl`; an article is compared
with the report of its title. `--make` writes a report of `samples` with the extractive model
in a library of its own and measures it.

A floor is the least value that passes, or the largest of what is better small. Exits 1 where a
report does not pass, or does not have what was asked for.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.measures.citing import coverage, integrity, verdicts  # noqa: E402
from benchmarks.measures.reading import Paper, from_json, from_markdown  # noqa: E402
from benchmarks.measures.shape import (  # noqa: E402
    Article,
    articles,
    balance,
    entity_recall,
    folded,
    redundancy,
    soft_recall,
)
from schema.context import Context, ResearchMode  # noqa: E402

QUESTION = "How do BM25, dense vectors and reranking work together in a search engine?"

SMALL = frozenset(
    ("dangling", "unused", "bad_urls", "misquoted", "top_domain", "contradicted", "absent",
     "redundancy", "repeated", "gini", "empty", "tokens", "seconds")
)  # fmt: skip
"""Measures that are better small."""

Row = dict[str, float | str | None]
"""Measures of a report by name; None where it does not say, or there is nothing to compare."""


def measured(
    name: str,
    paper: Paper,
    stored: Mapping[str, str] | None = None,
    reference: Article | None = None,
) -> Row:
    """The measures of a report.

    Args:
        name: of the row.
        paper: the report.
        stored: text by uri of the documents that it cites, if a library is at hand.
        reference: the article that it is compared with.
    """
    checked, covered, said = integrity(paper, stored), coverage(paper), verdicts(paper)
    twice = redundancy(paper)
    uneven, empty = balance(paper)
    text = "\n".join([*paper.headings, *(section.text for section in paper.sections)])
    return {
        "report": name,
        "integrity": checked.share,
        "dangling": checked.dangling,
        "unused": checked.unused,
        "bad_urls": checked.bad_urls,
        "misquoted": checked.misquoted if paper.citations else None,
        "coverage": covered.sentences,
        "paragraphs": covered.paragraphs,
        "per_1000": covered.per_1000,
        "domains": covered.domains,
        "top_domain": covered.top_domain,
        **{
            kind: said.get(kind, 0.0) if said else None
            for kind in ("supported", "partial", "contradicted", "absent")
        },
        "redundancy": twice.near,
        "largest": twice.largest,
        "repeated": twice.repeated,
        "gini": uneven,
        "empty": empty,
        "headings": soft_recall(reference.headings, paper.headings) if reference else None,
        "entities": entity_recall(reference.entities, text) if reference else None,
        "tokens": paper.tokens,
        "seconds": paper.seconds,
    }


def failures(rows: Sequence[Row], floors: Mapping[str, float]) -> list[str]:
    """What does not pass, a sentence each."""
    told = []
    for row in rows:
        for name, floor in floors.items():
            value = row[name]
            if not isinstance(value, int | float):
                told.append(f"{row['report']}: {name} is not known")
            elif name in SMALL and value > floor:
                told.append(f"{row['report']}: {name} {value:.3f} is above {floor:g}")
            elif name not in SMALL and value < floor:
                told.append(f"{row['report']}: {name} {value:.3f} is under {floor:g}")
    return told


async def stored_texts(paper: Paper, space: str) -> dict[str, str]:
    """The texts of the cited documents that a space of the library holds, by uri."""
    from library.library import open_library

    library = await open_library(space)
    uris = {str(one["document"]) for one in paper.citations}
    found = library.open_part("web")
    texts = {
        uri: await library.load_text(uri) or await found.load_text(uri) for uri in sorted(uris)
    }
    return {uri: text for uri, text in texts.items() if text is not None}


async def made(mode: ResearchMode) -> Row:
    """Write a report of the sample sources with no model and no key, and measure it."""
    from library.database.connections import close_databases
    from serving.runs import run_ingest, run_report

    with tempfile.TemporaryDirectory() as folder:
        for name in [name for name in os.environ if name.startswith("QUIRE_")]:
            del os.environ[name]
        os.environ["QUIRE_DATA_DIR"] = folder
        context = Context(
            space="bench",
            research_mode=mode,
            connectors=["library"],
            planner_model="extractive",
            writer_model="extractive",
        )
        try:
            await run_ingest([str(ROOT / "samples")], context, lambda _: None)
            report = (await run_report(QUESTION, context, lambda _: None))["report"]
            assert report is not None
            paper = from_json(report)
            return measured(mode, paper, await stored_texts(paper, "bench"))
        finally:
            await close_databases()


def load(path: Path) -> Paper:
    """The report of a file."""
    text = path.read_text(encoding="utf-8")
    return from_json(json.loads(text)) if path.suffix == ".json" else from_markdown(text)


async def read(path: Path, space: str, references: Mapping[str, Article]) -> Row:
    """Measure a file."""
    paper = load(path)
    stored = await stored_texts(paper, space) if space and paper.citations else None
    names = [folded(name) for name in (*paper.titles, path.stem)]
    reference = next((references[name] for name in names if name in references), None)
    return measured(path.name, paper, stored, reference)


async def every(options: argparse.Namespace) -> list[Row]:
    """A row for each report."""
    from library.database.connections import close_databases

    references = articles(options.freshwiki) if options.freshwiki else {}
    rows = [await read(path, options.space, references) for path in options.files]
    await close_databases()
    return [*rows, *[await made(mode) for mode in options.make]]


def show(rows: Sequence[Row]) -> None:
    """Print a table, without the columns that no report fills."""
    names = [name for name in rows[0] if any(row[name] is not None for row in rows)]
    cells = [names, *([_cell(row[name]) for name in names] for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(names))]
    for line in cells:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))


def _cell(value: float | str | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def floors_of(given: str) -> dict[str, float]:
    """Floors by measure, of text such as `integrity=1,coverage=.9`."""
    pairs = (one.partition("=") for one in given.split(",") if one)
    return {name.strip(): float(least) for name, _, least in pairs}


def main() -> None:
    """Measure, print, and exit 1 where a report does not pass."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE")
    parser.add_argument("--make", action="append", choices=get_args(ResearchMode), default=[])
    parser.add_argument("--space", default="")
    parser.add_argument("--freshwiki", type=Path, metavar="DIR")
    parser.add_argument("--floor", type=floors_of, default={})
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if not options.files and not options.make:
        parser.error("name a report, or a mode to --make one of")
    rows = asyncio.run(every(options))
    if unknown := options.floor.keys() - rows[0].keys():
        parser.error(f"there is no measure {', '.join(sorted(unknown))}: use one of {[*rows[0]]}")
    show(rows)
    told = failures(rows, options.floor)
    print(*(f"UNDER ITS FLOOR  {one}" for one in told), sep="\n", end="\n" if told else "")
    if options.json:
        options.json.write_text(json.dumps({"reports": rows, "failures": told}, indent=2) + "\n")
    sys.exit(bool(told))


if __name__ == "__main__":
    main()
