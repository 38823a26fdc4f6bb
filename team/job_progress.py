"""How far jobs came that are being done."""

from collections.abc import Sequence
from datetime import timedelta

from team.store import TeamStore


async def note_progress(team: TeamStore, job: int, documents: int) -> None:
    """Write down how many documents a job has seen."""
    async with team.connect() as connection:
        await connection.execute(
            "INSERT INTO quire.job_progress (job, documents) VALUES (%s, %s) ON CONFLICT (job) "
            "DO UPDATE SET documents = excluded.documents, told = now()",
            (job, documents),
        )


async def load_progress(team: TeamStore, jobs: Sequence[int]) -> dict[int, int]:
    """How many documents each job has seen; one that has told nothing is left out."""
    async with team.connect() as connection:
        cursor = await connection.execute(
            "SELECT job, documents FROM quire.job_progress WHERE job = ANY(%s)", (list(jobs),)
        )
        return {row[0]: row[1] for row in await cursor.fetchall()}


async def forget_progress(team: TeamStore, older: timedelta) -> None:
    """Forget what nobody has told anything of for so long."""
    async with team.connect() as connection:
        await connection.execute("DELETE FROM quire.job_progress WHERE told < now() - %s", (older,))
