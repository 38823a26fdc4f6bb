"""What those who use a server may have it read with its own keys and from its own disk."""

import os
from fnmatch import fnmatchcase
from hashlib import blake2b
from pathlib import Path

from schema.errors import InputError
from schema.settings import get_settings


def get_upload_folder(owner: str, space: str) -> Path:
    """Where the files are that were uploaded into a space; nothing of its name is in the path."""
    name = blake2b(f"{owner}\0{space}".encode(), digest_size=16).hexdigest()
    return get_settings().data_dir.resolve() / "uploads" / name


def check_served(connector: str, location: str, owner: str, space: str) -> None:
    """Keep a server's users to what its operator lets them read, and to their own uploads.

    Args:
        connector: its name.
        location: what it is to read.
        owner: of the space that it is read into.
        space: its name.

    Raises:
        InputError: this is not among it.
    """
    here = get_settings()
    if connector != "files":
        patterns = [pattern.strip() for pattern in here.served_sources.split(",")]
        if not any(fnmatchcase(f"{connector}:{location}", pattern) for pattern in patterns):
            raise InputError(
                f"This server's clients may not read {connector}:{location}: its operator names "
                "what they may in QUIRE_SERVED_SOURCES."
            )
        return
    named = here.files_roots or str(Path.cwd())
    roots = [Path(root).expanduser().resolve() for root in named.split(os.pathsep)]
    wanted = Path(location).expanduser().resolve()
    if any(wanted.is_relative_to(root) for root in [get_upload_folder(owner, space), *roots]):
        return
    raise InputError(
        f"This server may not read {location}: name a path below one of the folders in "
        "QUIRE_FILES_ROOTS."
    )
