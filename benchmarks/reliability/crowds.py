"""Many reports at once: what is counted of them."""

import json
import statistics
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psutil
import psycopg

from benchmarks.reliability.world.pages import towns_in
from benchmarks.reliability.world.server import World

EVERY = 0.2
"""Seconds between two looks at a process and its connections."""


class Watch:
    """The largest memory of a process, in MiB, and the most connections to its database."""

    def __init__(self, url: str, pid: int) -> None:
        self.rss = 0.0
        self.connections = 0
        self._process = psutil.Process(pid)
        self._database = psycopg.connect(url, autocommit=True)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._others = self._count()

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join(5)
        self._database.close()

    def _look(self) -> None:
        while not self._ended.wait(EVERY):
            try:
                self.rss = max(self.rss, self._process.memory_info().rss / 2**20)
                self.connections = max(self.connections, self._count() - self._others)
            except (psutil.Error, psycopg.Error):  # it ended, or all connections are taken
                continue

    def _count(self) -> int:
        found = self._database.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
        ).fetchone()
        return int(found[0]) if found else 0


@contextmanager
def watched(url: str, pid: int) -> Iterator[Watch]:
    """Watch a process while the context is open."""
    with Watch(url, pid) as watch:
        yield watch


def mixed(report: dict[str, Any], question: str) -> list[str]:
    """What of a report belongs to another one's town."""
    own = towns_in(question)
    shown = [report[part] for part in ("title", "sections", "citations", "references", "conflicts")]
    return [town for town in towns_in(json.dumps(shown)) if town not in own]


def lost_searches(
    reports: Iterable[dict[str, Any]], world: World, deadline: float
) -> tuple[int, int]:
    """Searches that are said to have had no answer in time, and those of them that had.

    A search that never came to the server, or was answered within the deadline from when it came,
    was lost on this side.
    """
    slow = {
        call.about
        for call in world.calls
        if call.kind == "search" and (call.sent is None or call.sent - call.came > deadline)
    }
    details = [
        one["detail"]
        for report in reports
        for one in report["degraded"]
        if one["code"] == "connector_timeout"
    ]
    return len(details), sum(not any(query in detail for query in slow) for detail in details)


def links_failed(reports: Iterable[dict[str, Any]]) -> int:
    """References and reports whose links are said to be dead or not checked; all of them answer."""
    return sum(
        (1 if any(d["code"] == "links_not_checked" for d in report["degraded"]) else 0)
        + sum(one["reachable"] is not True for one in report["references"])
        for report in reports
    )


def quantiles(seconds: Sequence[float]) -> tuple[float | None, float | None]:
    """The median and the 95th percentile."""
    if not seconds:
        return None, None
    ordered = sorted(seconds)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


def told(
    way: str,
    wanted: int,
    outcomes: Sequence[dict[str, Any]],
    world: World,
    watch: Watch,
    lag: float | None,
    deadline: float,
) -> dict[str, Any]:
    """A row of the table, of outcomes as `many` tells them."""
    reports = [one for one in outcomes if one["report"]]
    p50, p95 = quantiles([one["seconds"] for one in reports])
    _, lost = lost_searches([one["report"] for one in reports], world, deadline)
    errors = [one["error"] for one in outcomes if not one["report"]]
    sources = [mixed(one["report"], one["question"]) for one in reports]
    cited = [one for one in reports if one["report"]["citations"]]
    return {
        "way": way,
        "reports": wanted,
        "failures": wanted - len(cited),
        "mixed": sum(bool(one) for one in sources),
        "lost searches": lost,
        "bad links": links_failed(one["report"] for one in reports),
        "p50 s": p50,
        "p95 s": p95,
        "RSS MiB": round(watch.rss),
        "connections": watch.connections,
        "lag p95 ms": lag if lag is None else round(lag * 1000),
        "errors": sorted(set(errors)),
    }
