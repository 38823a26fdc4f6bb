"""Files that members hand over: kept in a folder of their space, from where they are read."""

import asyncio
import os
import re
import shutil
import unicodedata
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO

from connectors.served import get_upload_folder
from library.library import open_library
from schema.access import Member, find_owner
from schema.errors import InputError

MAX_NAME = 120
"""Characters of a file's name; the file systems there are take as many in any script."""

_REFUSED = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"|?*\ud800-\udfff]|[^\S ]')


def clean_file_name(name: str) -> str:
    """A name that every file system takes, without a path: its end, which tells the kind, stays."""
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rsplit("/", 1)[-1]
    last = "".join(one for one in last if unicodedata.category(one) not in ("Cf", "Co", "Cn"))
    last = _REFUSED.sub("_", last).strip(" .")  # a leading dot would hide it
    stem, dot, suffix = last.rpartition(".")
    if not dot or len(suffix) > 12:
        stem, dot, suffix = last, "", ""
    return f"{stem[: MAX_NAME - len(suffix) - 1].strip(' .') or 'file'}{dot}{suffix}"


def name_upload_source(space: str, member: Member) -> str:
    """The source that reads what was uploaded into a space."""
    owner, own_name = find_owner(space, member, "reader")
    return f"files:{get_upload_folder(owner, own_name)}"


async def save_upload(space: str, member: Member, name: str, file: BinaryIO) -> str:
    """Keep a file, in place of an earlier one of its name; returns the name that it got.

    The space's source of uploads is there after it.

    Raises:
        AccessError: the member may not change the sources of the group whose space it is.
        InputError: it is empty.
    """
    folder, cleaned = _find_folder(space, member), clean_file_name(name)
    await asyncio.to_thread(_write, folder, cleaned, file)
    owner, own_name = find_owner(space, member, "curator")
    await (await open_library(own_name, owner)).add_source("files", str(folder))
    return cleaned


async def list_uploads(space: str, member: Member) -> list[tuple[str, int]]:
    """(name, bytes) of the files that were uploaded into a space."""
    owner, own_name = find_owner(space, member, "reader")
    return await asyncio.to_thread(_list, get_upload_folder(owner, own_name))


async def remove_upload(space: str, member: Member, name: str) -> None:
    """Remove a file; its document goes with the next sync of the uploads.

    Raises:
        InputError: there is none of this name.
    """
    folder = _find_folder(space, member)
    if name not in [held for held, _ in await asyncio.to_thread(_list, folder)]:
        raise InputError("There is no such file.")
    await asyncio.to_thread((folder / name).unlink, missing_ok=True)


async def remove_uploads(space: str, member: Member) -> None:
    """Remove all files that were uploaded into a space."""
    await asyncio.to_thread(shutil.rmtree, _find_folder(space, member), ignore_errors=True)


def _find_folder(space: str, member: Member) -> Path:
    owner, own_name = find_owner(space, member, "curator")
    return get_upload_folder(owner, own_name)


def _write(folder: Path, name: str, file: BinaryIO) -> None:
    if not file.read(1):
        raise InputError(f"The file {name} is empty: choose one that holds something.")
    file.seek(0)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=folder, prefix=".", delete=False) as written:  # not read as it is
        try:
            shutil.copyfileobj(file, written)
            Path(written.name).replace(folder / name)
        except BaseException:
            Path(written.name).unlink(missing_ok=True)
            raise


def _list(folder: Path) -> list[tuple[str, int]]:
    if not folder.is_dir():
        return []
    with os.scandir(folder) as entries:
        held = [one for one in entries if one.is_file() and not one.name.startswith(".")]
        return sorted((one.name, one.stat().st_size) for one in held)
