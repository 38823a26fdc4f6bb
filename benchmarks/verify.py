"""Does a bundle say the same elsewhere, is a change of it found, and one of the pages it cites?

Pages of a made website are read into a library of its own, as a run reads them, and a report cites
a sentence of each; a second report is written from `samples` with the extractive model. Both are
exported as bundles and verified by `quire verify` in a process with no library, key or network.
Then bytes of the first one are changed at random, and its parts with all digests made anew. At last
the pages change, in each of the ways of `benchmarks/measures/drift.py`, and `--live` tells of it.

    python benchmarks/verify.py [--pages 150] [--flips 200] [--seed 1] [--json FILE]

"recall" is the share of changed pages that are called what they became; "false alarms" that of
unchanged pages which are called changed, and of quotes that still stand and are called changed.
Exits 1 unless all verdicts are the same, within 10 s and 5 MB for each 100 citations, every changed
byte is found, recall is .95 or more and false alarms are .02 or fewer.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.measures.drift import FATES, Page, Site, make_pages  # noqa: E402
from benchmarks.measures.town_report import write_town_report  # noqa: E402
from exports.bundle.archive import pack, unpack  # noqa: E402
from exports.bundle.build import dump  # noqa: E402
from exports.bundle.verify import verify_bundle  # noqa: E402
from schema.errors import QuireError  # noqa: E402

QUESTION = "How do BM25, dense vectors and reranking work together in a search engine?"
UNCHANGED = "same"


async def write_sample_report() -> bytes:
    """The bundle of a report that the pipeline wrote from the samples."""
    from schema.context import Context
    from serving.bundles import export_saved
    from serving.reports import create_report

    context = Context(paths=[str(ROOT / "samples")], research_mode="deep", space="samples")
    outcome = await create_report(QUESTION, context, lambda _: None)
    assert outcome.report
    return await export_saved(outcome.report["id"], "bundle")


def verify_elsewhere(name: str, bundle: bytes, folder: Path) -> dict[str, Any]:
    """What `quire verify` says of a bundle, in a process that has nothing but it."""
    file = folder / f"{name}.quire"
    file.write_bytes(bundle)
    bare = {"PATH": os.environ["PATH"], "QUIRE_DATA_DIR": "/nonexistent",
            "QUIRE_DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none"}  # fmt: skip
    command = [sys.executable, "-m", "cli", "verify", str(file), "--json"]
    started = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=bare, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode not in (0, 1) or not done.stdout:
        raise SystemExit(done.stderr)
    told = json.loads(done.stdout)
    return {
        "citations": told["citations"],
        "identical": told["repeated"],
        "unrepeatable": sum(told["unrepeated"].values()),
        "differences": len(told["differences"]),
        "seconds": round(seconds, 2),
        "megabytes": round(len(bundle) / 2**20, 3),
    }


def is_found(changed: bytes) -> bool:
    """Whether a change of a bundle is noticed."""
    try:
        found, _ = verify_bundle(changed)
    except QuireError:
        return True
    return bool(found.differences)


def flip_bytes(bundle: bytes, count: int, chance: random.Random) -> dict[str, tuple[int, int]]:
    """How many changed bytes are found: so many anywhere, and up to 40 in each part of the file."""
    directory = bundle.rindex(b"PK\5\6")
    listed = bundle.index(b"PK\1\2")
    parts = {
        "anywhere": range(len(bundle)),
        "first header": range(60),
        "list of members": range(listed, directory),
        "last record": range(directory, directory + 22),
        "seal": range(len(bundle) - 84, len(bundle)),
        "last bytes of the packed data": range(listed - 40, listed),
    }
    found = {}
    for name, places in parts.items():
        most = count if name == "anywhere" else min(count, 40, len(places))
        noticed = 0
        for at in chance.sample(places, most):
            changed = bytearray(bundle)
            changed[at] ^= chance.randrange(1, 256)
            noticed += is_found(bytes(changed))
        found[name] = (noticed, most)
    return found


def reseal(bundle: bytes, name: str, change: Callable[[Any], None]) -> bytes:
    """The bundle with a part changed, and every digest made anew, as a forger would."""
    members = unpack(bundle).members
    part = json.loads(members[name])
    change(part)
    members[name] = dump(part)
    manifest = json.loads(members["manifest.json"])
    content = members[name]
    manifest["members"][name] = {
        "bytes": len(content), "sha256": sha256(content).hexdigest()
    }  # fmt: skip
    members["manifest.json"] = dump(manifest)
    return pack(members)


def forge(bundle: bytes, count: int, chance: random.Random) -> dict[str, tuple[int, int]]:
    """How many forgeries of one citation are found, whose digests and seal are right."""
    report = json.loads(unpack(bundle).members["report.json"])
    places = chance.sample(range(len(report["citations"])), min(count, 20))

    def say_otherwise(part: Any, at: int) -> None:
        cited = part["citations"][at]
        before = cited["sentence"]
        digit = next(one for one in before if one.isdigit() and one != "9")
        after = before.replace(digit, "9", 1)
        section = part["sections"][cited["section"]]
        section["text"] = section["text"].replace(before, after)
        cited["sentence"] = after

    def misquote(part: Any, at: int) -> None:
        cited = part["citations"][at]
        cited["quote"] = cited["quote"].replace("the", "tho", 1).replace("The", "Tho", 1)

    def praise(part: Any, at: int) -> None:
        cited = part["citations"][at]
        kind = "partial" if cited["verdict"] == "supported" else "supported"
        cited["verdict"] = kind

    ways = {
        "a figure of the sentence": say_otherwise,
        "a word of the quote": misquote,
        "the verdict": praise,
    }
    found = {}
    for name, way in ways.items():
        forged = [reseal(bundle, "report.json", partial(way, at=at)) for at in places]
        found[name] = (sum(map(is_found, forged)), len(places))
    return found


async def measure_drift(
    bundle: bytes, site: Site, pages: Sequence[Page], chance: random.Random
) -> dict[str, Counter[str]]:
    """What is said of the pages, by what became of them."""
    from serving.verify import check_live

    fates = [FATES[at % len(FATES)] for at in range(len(pages))]
    site.pages = {
        new.path: new
        for page, fate in zip(pages, fates, strict=True)
        for new in fate.change(page, chance)
    }
    _, parts = verify_bundle(bundle)
    told: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in await check_live(parts):
        fate = fates[one.number - 1]
        told[fate.name][one.state] += 1
        if fate.state not in ("changed in the quote", "gone"):
            told["quotes that still stand"][UNCHANGED] += 0
            for quote in one.quotes:
                told["quotes that still stand"][quote.state] += 1
    return told


def score_drift(told: dict[str, Counter[str]]) -> tuple[float, float]:
    """Recall and false alarms."""
    changed = [one for one in FATES if one.state != UNCHANGED]
    right = sum(told[one.name][one.state] for one in changed)
    recall = right / max(1, sum(told[one.name].total() for one in changed))
    still = [told[one.name] for one in FATES if one.state == UNCHANGED]
    still.append(told["quotes that still stand"])
    alarms = sum(one.total() - one[UNCHANGED] for one in still)
    return recall, alarms / max(1, sum(one.total() for one in still))


def show_found(title: str, found: dict[str, tuple[int, int]]) -> None:
    """Print how many changes were found."""
    print(f"\n{title:<40}{'found':>8}{'of':>6}")
    for name, (noticed, count) in found.items():
        print(f"{name:<40}{noticed:>8}{count:>6}")


def parse_options() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=150)
    parser.add_argument("--flips", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


async def measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """All that is measured, printed on the way."""
    chance = random.Random(options.seed)
    pages = make_pages(options.pages, chance)
    with Site({one.path: one for one in pages}) as site:
        bundle = await write_town_report(site, pages)
        bundles = {"towns": bundle, "samples": await write_sample_report()}
        rows = {name: verify_elsewhere(name, one, folder) for name, one in bundles.items()}
        print(f"{'report':<10}" + "".join(f"{name:>14}" for name in rows["towns"]))
        for name, row in rows.items():
            print(f"{name:<10}" + "".join(f"{value:>14}" for value in row.values()))
        flips = flip_bytes(bundle, options.flips, chance)
        show_found("changed byte", flips)
        forged = forge(bundle, options.flips, chance)
        show_found("changed, all digests made anew", forged)
        told = await measure_drift(bundle, site, pages, chance)
    recall, alarms = score_drift(told)
    print(f"\n{'what became of the pages':<42}{'right':>7}{'of':>5}  said instead")
    states = {one.name: one.state for one in FATES}
    for name, counts in told.items():
        state = states.get(name, UNCHANGED)
        others = ", ".join(f"{n} {kind}" for kind, n in counts.items() if kind != state and n)
        print(f"{name:<42}{counts[state]:>7}{counts.total():>5}  {others}")
    print(f"recall {recall:.3f}, false alarms {alarms:.3f}")
    return {
        "rows": rows, "flips": flips, "forged": forged, "drift": told, "recall": recall,
        "false_alarms": alarms,
    }  # fmt: skip


def is_met(found: dict[str, Any]) -> bool:
    """Whether all holds that must."""
    hundreds = {name: max(1.0, row["citations"] / 100) for name, row in found["rows"].items()}
    same = all(
        row["identical"] == row["citations"]
        and not row["differences"]
        and row["seconds"] <= 10 * hundreds[name]
        and row["megabytes"] <= 5 * hundreds[name]
        for name, row in found["rows"].items()
    )
    seen = all(noticed == count for noticed, count in found["flips"].values())
    return same and seen and found["recall"] >= 0.95 and found["false_alarms"] <= 0.02


def main() -> None:
    """Measure, print, and exit 1 where something does not hold."""
    options = parse_options()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ |= {"QUIRE_DATA_DIR": f"{folder}/data", "QUIRE_ALLOWED_HOSTS": "127.0.0.1",
                       "QUIRE_MODEL": "extractive"}  # fmt: skip

        async def work() -> dict[str, Any]:
            from library.database.connections import close_databases

            try:
                return await measure(options, Path(folder))
            finally:
                await close_databases()

        found = asyncio.run(work())
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    sys.exit(not is_met(found))


if __name__ == "__main__":
    main()
