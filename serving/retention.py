"""Reports go when their space keeps them no longer; what was done with them stays on record."""

from datetime import datetime, timedelta

from library.library import open_library
from schema.access import KEEPER, name_space
from serving.stored_reports import forget_report
from team.audit import record_as
from team.retention import list_retention
from team.store import open_team

CLEANER = "#retention"
"""In whose name they go; no account can be called that."""


async def remove_old_reports(now: datetime) -> int:
    """Remove the reports whose newest version is older than their space keeps; returns how many."""
    team, removed = await open_team(), 0
    for one in await list_retention(team):
        before = now - timedelta(days=one.days)
        library = await open_library(user=one.owner, names=(KEEPER,))
        for report in await library.list_reports():
            if report.space != one.space or report.created >= before:
                continue
            told = {"space": name_space(one.owner, one.space), "days": one.days}
            await record_as(team, CLEANER, "report.removed", report.id, **told)
            await forget_report(library, report)
            removed += 1
    return removed
