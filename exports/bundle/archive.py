"""The file of a bundle: a zip whose bytes are the same for the same parts, and sealed.

Its comment ends with the SHA-256 of every byte before: a zip says many things twice, and has bits
that nobody reads, so digests of its members alone would overlook some changes.
"""

import struct
import zlib
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from exports.bundle.parts import MEMBERS
from schema.errors import QuireError

MOST_BYTES = 64 * 2**20
"""Of a bundle, packed, and of all its members together, unpacked."""

_MARK = b"quire-bundle sha256 "
_HEX = 64
_COMMENT = len(_MARK) + _HEX
_END = struct.Struct("<4s4H2LH")  # the record that ends a zip, before its comment
_LOCATOR = 20  # bytes before it, where a zip of more than 4 GiB has another one
_MOST_DIRECTORY = 4_096  # bytes of the list of members
_FAULTS = (
    BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError,
    UnicodeDecodeError, ValueError, OverflowError, OSError, KeyError,
)  # fmt: skip


class Unpacked(NamedTuple):
    """The members of a bundle by name, and whether every byte of it is as it was written."""

    members: dict[str, bytes]
    is_sealed: bool


def pack(members: Mapping[str, bytes]) -> bytes:
    """The file of these members."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in members.items():
            info = ZipInfo(name)  # of 1980: the same parts give the same bytes
            info.compress_type, info.create_system = ZIP_DEFLATED, 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, content)
        archive.comment = _MARK + b"0" * _HEX
    body = made.getvalue()[:-_HEX]
    return body + sha256(body).hexdigest().encode()


def unpack(data: bytes) -> Unpacked:
    """The members of a file that anybody may have made; nothing is written to a disk.

    Raises:
        QuireError: it is no bundle, or so damaged that it cannot be read.
    """
    if len(data) > MOST_BYTES:
        raise QuireError(f"It is larger than the {MOST_BYTES // 2**20} MiB that a bundle may have.")
    body, seal = data[:-_HEX], data[-_HEX:]
    if not body.endswith(_MARK) and not data.startswith(b"PK\3\4manifest"[:4]):
        raise QuireError("It is no bundle: quire export ID --to bundle writes one.")
    try:
        _check_directory(data)
        with ZipFile(BytesIO(data)) as archive:
            members = _read_members(archive)
    except _FAULTS as error:
        raise QuireError("It is damaged or was changed, and cannot be read as a bundle.") from error
    return Unpacked(members, seal == sha256(body).hexdigest().encode())


def _check_directory(data: bytes) -> None:
    """Raise BadZipFile where a list of members is not as short as that of a bundle."""
    at = len(data) - _COMMENT - _END.size
    if at < 0:
        raise BadZipFile
    sign, _, _, here, every, size, _, comment = _END.unpack_from(data, at)
    is_ours = sign == b"PK\5\6" and comment == _COMMENT and here == every <= len(MEMBERS)
    if not is_ours or size > _MOST_DIRECTORY or data[at - _LOCATOR : at].startswith(b"PK\6\7"):
        raise BadZipFile


def _read_members(archive: ZipFile) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    room = MOST_BYTES
    for info in archive.infolist():
        if info.filename not in MEMBERS or info.filename in found:
            raise BadZipFile
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or info.file_size > room:
            raise BadZipFile
        with archive.open(info) as member:
            found[info.filename] = member.read(room + 1)
        room -= len(found[info.filename])
        if room < 0:
            raise BadZipFile
    return found
