"""How many of the facts on a topic the writer of a section is shown, out of a folder of any size.

    python benchmarks/section_evidence.py FOLDER TOPICS.toml [--tokens N]...

`topics/postgresql_15.toml` asks the manual of PostgreSQL 15, which Debian has as the package
postgresql-doc-15 in /usr/share/doc/postgresql-doc-15/html. Each topic is one section, which
searches the folder for its own questions. Printed are, for each budget for the sources of a
section, the facts that stand in what its writer was sent, the pages of these, and what is missing.
"""

import argparse
import asyncio
import os
import re
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import quire  # noqa: E402
from benchmarks.evidence import find_prompts  # noqa: E402
from benchmarks.measures.call_chain import record_calls  # noqa: E402
from benchmarks.measures.rubric import flatten  # noqa: E402
from graphs.ingest import graph as ingest  # noqa: E402
from graphs.section import graph as section  # noqa: E402
from schema.state import SectionInput  # noqa: E402


async def show(topic: dict[str, Any], budget: int) -> str:
    """The sources that the writer of a section on a topic is sent."""
    context = quire.Context(
        research_mode="deep",
        connectors=["library"],
        planner_model="extractive",
        writer_model="extractive",
        section_tokens=budget,
    )
    given = SectionInput(title=topic["title"], questions=topic["questions"])
    with record_calls() as recorder:
        await section.ainvoke(given, context=context)
    [prompt, *_] = find_prompts(recorder.trees)
    return prompt.partition("<sources>\n")[2]


async def print_shown(folder: Path, topics: list[dict[str, Any]], budgets: list[int]) -> None:
    """A line for each budget and topic, and the share of all facts that were shown."""
    try:
        await ingest.ainvoke({"sources": [str(folder)]}, context=quire.Context())
        for budget in budgets:
            shown = wanted = 0
            for topic in topics:
                sources = await show(topic, budget)
                text = flatten(sources)
                missing = [fact for fact in topic["facts"] if flatten(fact) not in text]
                wanted += len(topic["facts"])
                shown += len(topic["facts"]) - len(missing)
                found = f"{len(topic['facts']) - len(missing)} of {len(topic['facts'])}"
                pages = len(re.findall("<source n=", sources))
                print(f"{budget:6,}  {found:>8}  {pages:2} pages  {topic['title']}: {missing}")
            print(f"{budget:6,}  {shown:2} of {wanted}, {shown / wanted:.2f}")
    finally:
        await quire.close_databases()


def main() -> None:
    """Read the options, store the folder in a library made for the run, ask, print."""
    form = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("folder", type=Path)
    parser.add_argument("topics", type=Path)
    parser.add_argument("--tokens", action="append", default=[], type=int, metavar="N")
    options = parser.parse_args()
    topics = tomllib.loads(options.topics.read_text(encoding="utf-8"))["topic"]
    with tempfile.TemporaryDirectory() as data:
        os.environ.pop("QUIRE_DATABASE_URL", None)
        os.environ["QUIRE_DATA_DIR"] = data
        asyncio.run(print_shown(options.folder, topics, options.tokens or [4_200]))


if __name__ == "__main__":
    main()
