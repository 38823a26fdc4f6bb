"""Reports go when their space keeps them no longer; what was done with them stays on record."""

from datetime import datetime, timedelta

from schema.access import GROUP_SIGN, Member, name_space
from serving.stored_reports import list_reports, remove_report
from team.audit import record_as
from team.retention import list_retention
from team.store import open_team

KEEPER = "#retention"
"""In whose name they go; no account can be called that."""


async def remove_old_reports(now: datetime) -> int:
    """Remove the reports whose newest version is older than their space keeps; returns how many."""
    team, removed = await open_team(), 0
    for one in await list_retention(team):
        member = _act_for(one.owner)
        before = now - timedelta(days=one.days)
        for report in await list_reports(member):
            if (report.owner, report.space) != (one.owner, one.space) or report.created >= before:
                continue
            told = {"space": name_space(one.owner, one.space), "days": one.days}
            await record_as(team, KEEPER, "report.removed", report.id, **told)
            await remove_report(report.id, member)
            removed += 1
    return removed


def _act_for(owner: str) -> Member:
    """Who may remove an owner's reports, and sees no others but their own."""
    if owner.startswith(GROUP_SIGN):
        return Member(identity=KEEPER, groups={owner.removeprefix(GROUP_SIGN): "curator"})
    return Member(identity=owner)
