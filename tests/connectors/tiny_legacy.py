"""The smallest Word, Excel and PowerPoint files of before 2007 that say SENTENCE, by hand.

They are compound files ([MS-CFB]): sectors of 512 bytes, a table of their chains, a directory.
"""

import struct

from tiny_documents import SENTENCE

_SECTOR = 512
_FREE, _END, _TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SMALLEST = 4096
"""Bytes of a stream that stands in sectors of its own."""


def doc() -> bytes:
    """[MS-DOC]: a FIB, the text behind it, and a table of one piece of text."""
    text, at = SENTENCE.encode("cp1252"), 1024
    fib = bytearray(at)
    struct.pack_into("<HH", fib, 0, 0xA5EC, 0xC1)
    struct.pack_into("<H", fib, 10, 0x200)  # the table is 1Table
    struct.pack_into("<H", fib, 32, 14)
    struct.pack_into("<H", fib, 62, 22)
    struct.pack_into("<I", fib, 76, len(text))
    struct.pack_into("<H", fib, 152, 93)
    pieces = b"\2" + struct.pack("<IIIHIH", 16, 0, len(text), 0, at * 2 | 1 << 30, 0)
    struct.pack_into("<II", fib, 0x1A2, 0, len(pieces))
    return _compound({"WordDocument": bytes(fib) + text, "1Table": pieces})


def xls() -> bytes:
    """[MS-XLS]: a workbook with one sheet, which has a text and a number."""
    name = b"Power"

    def workbook(sheet_at: int) -> bytes:
        sheet = struct.pack("<IBBBB", sheet_at, 0, 0, len(name), 0) + name
        begin = struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0)
        pages = struct.pack("<H", 1200)
        return _record(0x809, begin) + _record(0x42, pages) + _record(0x85, sheet) + _record(10)

    text = struct.pack("<HHHHB", 0, 0, 0, len(SENTENCE), 0) + SENTENCE.encode()
    cells = _record(0x204, text) + _record(0x203, struct.pack("<HHHd", 0, 1, 0, 42.0))
    sheet = _record(0x809, struct.pack("<HHHHII", 0x600, 16, 0, 0, 0, 0)) + cells + _record(10)
    return _compound({"Workbook": workbook(len(workbook(0))) + sheet})


def ppt() -> bytes:
    """[MS-PPT]: a document with the text of one slide."""
    slide = _atom(0x3F3, b"\0" * 20) + _atom(0xF9F, b"\0" * 4) + _atom(0xFA8, SENTENCE.encode())
    document = _atom(0x3E8, _atom(0xFF0, slide, 15), 15)
    return _compound({"PowerPoint Document": document, "Current User": b"\0" * 20})


def _record(kind: int, content: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def _atom(kind: int, content: bytes, version: int = 0) -> bytes:
    return struct.pack("<HHI", version, kind, len(content)) + content


def _compound(streams: dict[str, bytes]) -> bytes:
    sectors: list[bytes] = []
    chains: list[int] = []

    def put(data: bytes) -> int:
        start = len(sectors)
        sectors.extend(
            data[at : at + _SECTOR].ljust(_SECTOR, b"\0") for at in range(0, len(data), _SECTOR)
        )
        chains.extend([*range(start + 1, len(sectors)), _END])
        return start

    entries = [_entry("Root Entry", 5, child=1)]
    names = sorted(streams, key=lambda name: (len(name), name.upper()))
    for number, name in enumerate(names, start=1):
        content = streams[name].ljust(_SMALLEST, b"\0")
        after = number + 1 if number < len(names) else _FREE
        entries.append(_entry(name, 2, put(content), len(content), after=after))
    directory = put(b"".join(entries))
    chains.append(_TABLE)
    table = struct.pack("<128I", *chains, *[_FREE] * (128 - len(chains)))
    signature = bytes.fromhex("D0CF11E0A1B11AE1")
    header = struct.pack("<8s16xHHHHH6x", signature, 0x3E, 3, 0xFFFE, 9, 6)
    where = (0, 1, directory, 0, _SMALLEST, _END, 0, _END, 0, len(sectors))
    header += struct.pack("<10I", *where)
    return header.ljust(_SECTOR, b"\xff") + b"".join([*sectors, table])


def _entry(
    name: str,
    kind: int,
    start: int = _END,
    size: int = 0,
    *,
    child: int = _FREE,
    after: int = _FREE,
) -> bytes:
    raw = name.encode("utf-16-le")
    place = (len(raw) + 2, kind, 1, _FREE, after, child, start, size)
    return raw.ljust(64, b"\0") + struct.pack("<HBBIII36xIQ", *place)
