"""What a worker does for one watch: looks whether a report's sources changed."""

from procrastinate import JobContext

from schema.access import LOCAL_USER
from serving.stored_reports import load_report
from serving.watch import watch_report
from serving.webhooks import Webhooks


async def watch(context: JobContext, *, report: str, identity: str) -> None:
    """Look once whether a report's sources changed; whoever has webhooks is told where they did."""
    member = await context.additional_context["find_member"](identity)
    asks = None if member.identity == LOCAL_USER else member
    outcome = await watch_report(report, lambda _: None, asks)
    if outcome.report:
        kept = await load_report(report, member=member)
        await Webhooks().announce(kept, "finished")
