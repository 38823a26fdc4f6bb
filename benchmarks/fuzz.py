"""Inputs gone wrong, by the ten thousand: nothing crashes, hangs or ends in a raw exception.

Files (Markdown, HTML, PDF, office documents, mail, notebooks, code; their front matter and
encodings), answers of search engines, texts of a writer, questions, contexts of a run, and reports
as they stand in the database are changed at random and given to the code that meets them first, in
a child with a time limit for each. An error of Quire's own is an answer; a process that ends, one
that does not answer in time, and any other exception are failures.

    python benchmarks/fuzz.py [--inputs 20000] [--seed 1] [--kinds file,text] [--jobs 2]
        [--seconds 10] [--failures DIR] [--json FILE]
    python benchmarks/fuzz.py --replay FILE

The inputs follow from the seed. Those that fail are written into the folder, one of each fault, and
`--replay` gives one of them to the code again. Exits 1 where anything failed.
"""

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import local
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), *(str(ROOT / "tests" / name) for name in ("", "connectors", "exports"))]

from benchmarks.reliability.databases import folder_with_database  # noqa: E402
from benchmarks.reliability.fuzzing.feeder import Feeder  # noqa: E402
from benchmarks.reliability.fuzzing.inputs import KINDS, Input, make  # noqa: E402
from benchmarks.reliability.process import Place  # noqa: E402
from benchmarks.reliability.tables import show  # noqa: E402

FAILED = ("crash", "hang", "raw")
COLUMNS = ["kind", "inputs", "ok", "named", "crash", "hang", "raw", "ms"]
SPACE = "fuzz"


class Kitchen:
    """Gives inputs to children, one each for as many threads as ask."""

    def __init__(self, here: Place, seconds: float) -> None:
        """Set it up."""
        self._here = here
        self._seconds = seconds
        self._mine = local()
        self._feeders: list[Feeder] = []

    def taste(self, given: Input) -> dict[str, Any]:
        """What came of an input, with its kind and how long it took."""
        feeder: Feeder | None = getattr(self._mine, "feeder", None)
        if feeder is None:
            feeder = self._mine.feeder = Feeder(self._here, SPACE, self._seconds)
            self._feeders.append(feeder)
        return {"kind": given["kind"], **feeder.feed(given)}

    def close(self) -> None:
        """End all children."""
        for feeder in self._feeders:
            feeder.close()


@contextmanager
def kitchen(seconds: float) -> Iterator[Kitchen]:
    """A kitchen with a library that holds the sample pages."""
    with folder_with_database("quire-fuzz-") as (folder, _):
        here = Place(folder / "data", folder)
        here.quire("ingest", str(ROOT / "samples"), "--space", SPACE)
        made = Kitchen(here, seconds)
        try:
            yield made
        finally:
            made.close()


def fault(told: dict[str, Any]) -> str:
    """What one failure has in common with others."""
    what = told["error"].partition(":")[0] if told["outcome"] == "raw" else told["outcome"]
    return f"{told['kind']}: {what} {told.get('place', '')}".strip()


def keep(folder: Path, number: int, given: Input, told: dict[str, Any]) -> Path:
    """Write an input that failed into a folder, to be replayed."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{given['kind']}-{told['outcome']}-{number}.json"
    path.write_text(json.dumps({"input": given, "told": told}, indent=1) + "\n")
    return path


def run(
    seeds: Sequence[str], wanted: Sequence[str], place: Kitchen, jobs: int, folder: Path
) -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """Give the inputs of some seeds.

    Args:
        seeds: of the inputs.
        wanted: kinds; inputs of others are not given.
        place: where they are eaten.
        jobs: inputs at once.
        folder: for those that fail, one of each fault.

    Returns:
        A row for each kind, and by fault the seeds of its inputs.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seconds: Counter[str] = Counter()
    faults: defaultdict[str, list[str]] = defaultdict(list)

    def one(seed: str) -> tuple[Input, dict[str, Any]] | None:
        given = make(seed)
        return (given, place.taste(given)) if given["kind"] in wanted else None

    with ThreadPoolExecutor(jobs) as pool:
        for given, told in filter(None, pool.map(one, seeds)):
            counts[told["kind"]][told["outcome"]] += 1
            seconds[told["kind"]] += told["seconds"]
            if told["outcome"] in FAILED:
                name = fault(told)
                faults[name].append(given["seed"])
                if len(faults[name]) == 1:
                    path = keep(folder, len(faults), given, told)
                    print(f"{name}: {told['error'][:150]!r}: {path}", flush=True)
    names = sorted(counts)
    counts["all"], seconds["all"] = sum(counts.values(), Counter()), sum(seconds.values())
    rows = [_row(name, counts[name], seconds[name]) for name in [*names, "all"]]
    return rows, dict(faults)


def _row(name: str, counts: Counter[str], seconds: float) -> dict[str, Any]:
    outcomes = {outcome: counts[outcome] for outcome in ("ok", "named", *FAILED)}
    each = 1000 * seconds / max(1, counts.total())
    return {"kind": name, "inputs": counts.total(), **outcomes, "ms": round(each, 1)}


def replay(path: Path, seconds: float) -> int:
    """Give one input again; 1 where it still fails."""
    given = json.loads(path.read_text())["input"]
    with kitchen(seconds) as place:
        told = place.taste(given)
    print(json.dumps(told, indent=2, ensure_ascii=False).replace("\\n", "\n"))
    return int(told["outcome"] in FAILED)


def main() -> int:
    """Print a row for each kind and what failed; 1 where anything did."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10.0, help="that one input may take")
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures"))
    parser.add_argument("--replay", type=Path, metavar="FILE")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.replay:
        return replay(options.replay, options.seconds)
    started = time.monotonic()
    seeds = [f"{options.seed}:{number}" for number in range(options.inputs)]
    with kitchen(options.seconds) as place:
        rows, faults = run(seeds, options.kinds.split(","), place, options.jobs, options.failures)
    show(rows, COLUMNS)
    for name, held in sorted(faults.items(), key=lambda one: -len(one[1])):
        print(f"FAILED  {len(held):5}  {name}")
    failed = sum(len(held) for held in faults.values())
    print(
        f"seed {options.seed}: {failed} of {rows[-1]['inputs']} inputs failed, "
        f"{len(faults)} faults, in {time.monotonic() - started:.0f} s"
    )
    if options.json:
        options.json.write_text(json.dumps({"rows": rows, "faults": faults}, indent=2) + "\n")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
