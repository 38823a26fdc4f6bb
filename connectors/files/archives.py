"""Zip archives, which most office files are, without the pressure inside.

A hundred kilobytes may unpack to gigabytes, and what an archive says of its own sizes may be a lie.
"""

import io
import zipfile
import zlib
from collections.abc import Callable
from typing import Final

LARGEST_UNPACKED: Final = 100 * 2**20
"""Bytes of all files of an archive together."""

_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""All that office files are packed with."""
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
"""What zipfile raises; RuntimeError for files that want a password."""


class ArchiveError(Exception):
    """An archive cannot be unpacked, or would be too large; the message says which."""


def is_archive(data: bytes) -> bool:
    """Whether a file is a zip archive, whatever its name."""
    return data.startswith(b"PK\x03\x04")


def uncompress_archive(
    data: bytes,
    largest: int = LARGEST_UNPACKED,
    changed: Callable[[str, bytes], bytes] | None = None,
) -> bytes:
    """The same archive with nothing in it packed: it is as large as what it holds.

    Args:
        data: the archive.
        largest: bytes that its files may have together, by what really comes out of them.
        changed: what takes the place of a file, by its name and content.

    Raises:
        ArchiveError: they have more, or cannot be unpacked.
    """
    out = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed, zipfile.ZipFile(out, "w") as plain:
            for file in packed.infolist():
                if file.compress_type not in _COMPRESSIONS:
                    raise ArchiveError("it is packed as no office file is")
                with packed.open(file) as opened:
                    content = opened.read(largest + 1)
                largest -= len(content)
                if largest < 0:
                    raise ArchiveError(f"it unpacks to more than {LARGEST_UNPACKED // 2**20} MB")
                plain.writestr(
                    file.filename, changed(file.filename, content) if changed else content
                )
    except _BROKEN as error:
        raise ArchiveError(f"it could not be read ({type(error).__name__})") from error
    return out.getvalue()
