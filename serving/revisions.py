"""Revisions of saved reports: sections are written anew, as the next version."""

from collections.abc import Sequence

from graphs.revise_section import builder as revision_builder
from library.database.checkpoints import open_checkpointer, prune_checkpoints
from library.library import open_library
from nodes.common.ceiling import list_unpriced
from schema.access import LOCAL_MEMBER, Member, check_owner
from schema.report import Report
from schema.state import RevisionInput
from serving.reports import MAX_STEPS
from serving.runs import OnEvent, name_member, run_graph
from serving.stored_reports import check_finished, load_report, restore_context
from team.limits import check_limits
from team.store import open_team


async def revise_report(
    identity: str,
    section_numbers: Sequence[int],
    instruction: str,
    on_event: OnEvent,
    member: Member | None = None,
    *,
    may_search: bool = False,
) -> Report:
    """Have sections of a report rewritten, and save that as its next version.

    Args:
        identity: of the report.
        section_numbers: from 1; 0 is the summary. All sections where empty.
        instruction: what is to change.
        on_event: progress.
        member: who asks.
        may_search: whether live sources are searched for the instruction, beside the library.

    Raises:
        InputError: there is no such report or section, or no instruction.
        AccessError: the member may not write in the group whose report it is, or has used what
            they may.
        QuireError: no section could be written; the report stays as it is.
    """
    kept = await load_report(identity, member=member or LOCAL_MEMBER)
    check_owner(kept.owner, member or LOCAL_MEMBER, "writer")
    team, asked_by = await open_team(), member or LOCAL_MEMBER
    await check_limits(team, asked_by, 0, list_unpriced(restore_context(kept)))
    check_finished(kept)  # a revision on the thread of a run under way would end it
    names = (member or LOCAL_MEMBER).names
    library = await open_library(kept.space, kept.owner, names)
    given: RevisionInput = {
        "report_id": identity,
        "section_numbers": list(section_numbers),
        "instruction": instruction,
        "may_search": may_search,
    }
    async with library.hold_lock("report", identity), open_checkpointer() as saver:
        thread = kept.thread or identity
        state = await run_graph(
            revision_builder.compile(checkpointer=saver, name="revise_section"),
            given,
            on_event,
            config={
                "configurable": {"thread_id": thread, **name_member(member)},
                "recursion_limit": MAX_STEPS,
            },
            context=restore_context(kept),
        )
        await prune_checkpoints(saver, thread)
    report: Report = state["report"]
    return report
