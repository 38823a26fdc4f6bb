"""How far jobs came, and why they failed."""

from collections.abc import Sequence
from datetime import timedelta

from team.store import TeamStore


async def note_progress(team: TeamStore, job: int, documents: int, failure: str = "") -> None:
    """Write down how many documents a job has seen, and why it failed."""
    async with team.connect() as connection:
        await connection.execute(
            "INSERT INTO quire.job_progress (job, documents, failure) VALUES (%s, %s, %s) "
            "ON CONFLICT (job) DO UPDATE SET documents = excluded.documents, "
            "failure = excluded.failure, told = now()",
            (job, documents, failure),
        )


async def load_progress(team: TeamStore, jobs: Sequence[int]) -> dict[int, tuple[int, str]]:
    """(documents seen, why it failed) of each job; one that has told nothing is left out."""
    async with team.connect() as connection:
        cursor = await connection.execute(
            "SELECT job, documents, failure FROM quire.job_progress WHERE job = ANY(%s)",
            (list(jobs),),
        )
        return {row[0]: (row[1], row[2]) for row in await cursor.fetchall()}


async def forget_failures(team: TeamStore, jobs: Sequence[int]) -> None:
    """Forget why jobs failed."""
    async with team.connect() as connection:
        await connection.execute(
            "UPDATE quire.job_progress SET failure = '' WHERE job = ANY(%s)", (list(jobs),)
        )


async def forget_progress(team: TeamStore, older: timedelta) -> None:
    """Forget what nobody has told anything of for so long."""
    async with team.connect() as connection:
        await connection.execute("DELETE FROM quire.job_progress WHERE told < now() - %s", (older,))
