"""Members who leave: what a server holds of them is handed over, and removed."""

import asyncio
import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from connectors.served import get_upload_folder
from exports.formats import export
from library.library import Library, open_library
from library.synced_sources import SpaceInfo
from schema.access import KEEPER, Member
from schema.errors import InputError
from serving.stored_reports import (
    forget_report,
    list_report_versions,
    list_reports,
    load_finished_report,
)
from team.accounts import find_account, remove_account
from team.api_keys import list_keys
from team.audit import Record, list_records
from team.schedules import list_schedules
from team.store import TeamStore, open_team
from team.usage import list_usage

USAGE_DAYS = 3_650


async def remove_member(identity: str, *, delete_spaces: bool) -> int:
    """End an account with its keys, sessions, schedules and links.

    Args:
        identity: whose.
        delete_spaces: whether their own spaces go too, with reports, documents and uploads.

    Returns:
        How many spaces were deleted.

    Raises:
        InputError: there is no such account.
    """
    team = await open_team()
    await remove_account(team, identity)  # first: nobody writes any more what is to be deleted
    if not delete_spaces:
        return 0
    library = await open_library(user=identity, names=(KEEPER,))
    for report in await library.list_reports():
        await forget_report(library, report)
    for space in await library.list_spaces():
        folder = get_upload_folder(identity, space.name)
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    return await library.remove_spaces()


async def export_member(identity: str, folder: Path) -> int:
    """Write what the server holds of a member into a new folder; returns how many reports.

    `account.json`: the account, keys (not what opens), schedules, usage; `audit.json`: what they
    did; a folder for each of their own spaces with its sources, uploaded files, and each version
    of each report as Markdown and JSON, with the answers to further questions.

    Raises:
        InputError: there is no such account, or the folder holds something.
    """
    team = await open_team()
    account = await find_account(team, identity)
    if await asyncio.to_thread(_is_taken, folder):
        raise InputError(f"{folder} holds something already: name a new folder.")
    told = {
        "account": asdict(account),
        "keys": [asdict(one) for one in await list_keys(team, identity)],
        "schedules": [
            asdict(one)
            for one in await list_schedules(team, Member(identity=identity))
            if one.identity == identity
        ],
        "usage": [asdict(o) for o in await list_usage(team, USAGE_DAYS) if o.identity == identity],
    }
    await asyncio.to_thread(_write, folder / "account.json", told)
    records = [asdict(one) for one in await _list_all_records(team, identity)]
    await asyncio.to_thread(_write, folder / "audit.json", records)
    library, count = await open_library(user=identity), 0
    for space in await library.list_spaces():
        count += await _export_space(space, identity, folder / f"space-{space.name}")
    return count


async def _list_all_records(team: TeamStore, identity: str) -> Sequence[Record]:
    reader, found = Member(operator=True), list[Record]()
    while page := await list_records(team, reader, found[-1].id if found else None, identity):
        found += page
    return found


async def _export_space(space: SpaceInfo, identity: str, folder: Path) -> int:
    library, member = await open_library(space.name, identity), Member(identity=identity)
    sources = [asdict(one) for one in await library.list_sources()]
    await asyncio.to_thread(_write, folder / "sources.json", sources)
    uploads = get_upload_folder(identity, space.name)
    if uploads.is_dir():
        await asyncio.to_thread(shutil.copytree, uploads, folder / "uploads")
    here = [one for one in await list_reports(member) if one.space == space.name and one.finished]
    for report in here:
        await _export_report(report.id, member, library, folder / "reports")
    return len(here)


async def _export_report(identity: str, member: Member, library: Library, folder: Path) -> None:
    for version in await list_report_versions(identity, member):
        report = await load_finished_report(identity, version.version, member)
        path = folder / f"{identity}.{version.version}.json"
        await asyncio.to_thread(_write, path, report)
        text = await asyncio.to_thread(export, report, "markdown")
        await asyncio.to_thread(path.with_suffix(".md").write_bytes, text)
    if answers := await library.list_answers(identity):
        told = [asdict(one) for one in answers]
        await asyncio.to_thread(_write, folder / f"{identity}.answers.json", told)


def _is_taken(folder: Path) -> bool:
    return folder.exists() and (not folder.is_dir() or any(folder.iterdir()))


def _write(path: Path, held: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(held, ensure_ascii=False, indent=1, default=str) + "\n")
