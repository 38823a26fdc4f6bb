"""Saved reports as members read and remove them; how one is written stands in `serving.reports`."""

import asyncio

from library.database.checkpoints import open_checkpointer
from library.library import Library, open_library
from library.saved_reports import ReportVersion, SavedReport
from schema.access import LOCAL_MEMBER, Member, check_owner
from schema.context import Context
from schema.errors import InputError, QuireError
from schema.report import Report


async def remove_report(identity: str, member: Member = LOCAL_MEMBER) -> int:
    """Forget a report, with its versions and its thread; returns how many versions there were.

    Raises:
        InputError: there is no such report.
        AccessError: the member may not write in the group whose report it is.
    """
    versions = await list_report_versions(identity, member)  # their rows are not read: any can go
    check_owner(versions[0].owner, member, "writer")
    library = await open_library(user=versions[0].owner, names=member.names)
    return await forget_report(library, versions[0])


async def forget_report(library: Library, kept: ReportVersion) -> int:
    """Forget a report that an owner's library shows; returns how many versions there were."""
    async with open_checkpointer() as saver:
        await saver.adelete_thread(kept.thread or kept.id)
    return await library.remove_report(kept.id)


async def list_reports(member: Member = LOCAL_MEMBER) -> list[ReportVersion]:
    """The newest version of each report that a member may read, the newest first."""
    libraries = [await open_library(user=one, names=member.names) for one in member.owners]
    held = await asyncio.gather(*(one.list_reports() for one in libraries))
    return sorted(
        (report for reports in held for report in reports),
        key=lambda one: (one.created, one.id),
        reverse=True,
    )


async def list_report_versions(identity: str, member: Member = LOCAL_MEMBER) -> list[ReportVersion]:
    """The versions of a report, the first one first.

    Raises:
        InputError: there is none that the member may read.
    """
    for owner in member.owners:
        library = await open_library(user=owner, names=member.names)
        if versions := await library.list_report_versions(identity):
            return versions
    raise make_unknown_error(identity)


async def load_report(
    identity: str, version: int | None = None, member: Member = LOCAL_MEMBER
) -> SavedReport:
    """A version of a report, the newest where None.

    Raises:
        InputError: there is none that the member may read.
    """
    for owner in member.owners:
        library = await open_library(user=owner, names=member.names)
        if kept := await library.load_report(identity, version):
            return kept
    raise make_unknown_error(identity, version)


def make_unknown_error(identity: str, version: int | None = None) -> InputError:
    """What is said of a report that is not there."""
    which = f" in a version {version}" if version else ""
    return InputError(
        f"There is no report {identity}{which}: quire reports list shows those there are."
    )


async def load_finished_report(
    identity: str, version: int | None = None, member: Member = LOCAL_MEMBER
) -> Report:
    """The report itself.

    Raises:
        InputError: there is none.
        QuireError: it is not finished.
    """
    return check_finished(await load_report(identity, version, member))


def check_finished(kept: SavedReport) -> Report:
    """The report itself.

    Raises:
        QuireError: it is not finished.
    """
    if kept.report is None:
        raise QuireError(f"The report {kept.id} is not finished: quire report --resume {kept.id}")
    return kept.report


def list_messages(kept: SavedReport) -> list[dict[str, str]]:
    """The conversation that a report is asked for in, its question last."""
    turns = [*kept.run.get("conversation", ()), ("user", kept.question)]
    return [{"role": speaker, "content": text} for speaker, text in turns]


def restore_context(kept: SavedReport) -> Context:
    """The context that a report was begun with.

    Raises:
        InputError: it has settings that are no longer known.
    """
    try:
        return Context(**kept.run["context"])
    except InputError:
        raise InputError(
            f"The report {kept.id} was started with settings that are no longer known: write it "
            "again."
        ) from None
