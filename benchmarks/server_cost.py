"""What work costs beside time: CPU seconds here and in the embedded server, bytes of WAL."""

import os
import resource
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """CPU seconds of this process and its children, of the server's processes, bytes of WAL."""

    python: float
    server: float
    wal: int

    def __sub__(self, before: "Cost") -> "Cost":
        return Cost(self.python - before.python, self.server - before.server, self.wal - before.wal)


async def read_cost(opened: Any, data: Path) -> Cost:
    """What was spent until now. Args: opened: the `Database`. data: the embedded server's folder.

    Reads /proc, so it runs on Linux only.
    """
    async with opened.maintenance() as connection:
        cursor = await connection.execute("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")
        [written] = await cursor.fetchone()
    postmaster = int((data / "postmaster.pid").read_text().split()[0])
    parents = _read_processes()
    server = {pid for pid, (parent, _) in parents.items() if parent == postmaster} | {postmaster}
    mine = {os.getpid()} | {pid for pid, (parent, _) in parents.items() if parent == os.getpid()}
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(
        python=sum(parents[pid][1] for pid in mine - server if pid in parents)
        + ended.ru_utime
        + ended.ru_stime,
        server=sum(parents[pid][1] for pid in server if pid in parents)
        + _read_ended_children(postmaster),
        wal=int(written),
    )


def _read_processes() -> dict[int, tuple[int, float]]:
    """Every process with its parent and its CPU seconds."""
    found: dict[int, tuple[int, float]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (fields := _read_stat(folder)):
            found[int(folder.name)] = (int(fields[1]), (int(fields[11]) + int(fields[12])) / _TICKS)
    return found


def _read_ended_children(pid: int) -> float:
    fields = _read_stat(Path("/proc") / str(pid))
    return (int(fields[13]) + int(fields[14])) / _TICKS if fields else 0.0


def _read_stat(folder: Path) -> list[str]:
    """The fields behind the name, which may hold spaces; none of a process that has ended."""
    try:
        return (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
