"""Documents that are small and cost much."""

import io
import struct
import zipfile
import zlib

import tiny_documents as tiny

MERGES = "a: &a {k: v}\n" + "".join(
    f"{name}: &{name} {{<<: [{', '.join([f'*{before}'] * 12)}]}}\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
"""Front matter of a few lines that says one thing four hundred million times."""


def changed(document: bytes, name: str, old: str, new: str) -> bytes:
    """An archive in one of whose files something else stands."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(document)) as given, zipfile.ZipFile(out, "w", 8) as made:
        for one in given.namelist():
            content = given.read(one)
            assert one != name or old.encode() in content
            made.writestr(
                one, content.replace(old.encode(), new.encode()) if one == name else content
            )
    return out.getvalue()


def deep_odt() -> bytes:
    """A few kilobytes whose elements stand in each other, deeper than a native stack is."""
    deep = 100_000
    opened, closed = "<t:section>" * deep, "</t:section>" * deep
    document = changed(tiny.odt(), "content.xml", "<t:p>", f"{opened}<t:p>")
    return changed(document, "content.xml", "</t:p>", f"</t:p>{closed}")


def nested_docx() -> bytes:
    """A docx that holds a presentation that breaks its reader."""
    deep = 100_000
    name, shape = "ppt/slides/slide1.xml", "<p:sp>"
    inner = changed(tiny.pptx(), name, shape, "<p:grpSp>" * deep + shape)
    inner = changed(inner, name, "</p:sp>", "</p:sp>" + "</p:grpSp>" * deep)
    out = io.BytesIO(tiny.docx())
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/embeddings/slides.pptx", inner)
    return out.getvalue()


def bomb(megabytes: int, *, lies: bool = False) -> bytes:
    """A docx of a thousandth of what it unpacks to, which it may say is a few bytes."""
    words = "x " * (megabytes * 2**19)
    packed = changed(tiny.docx(), "word/document.xml", tiny.SENTENCE, words)
    if not lies:
        return packed
    said = bytearray(packed)
    for mark, at in ((b"PK\1\2", 24), (b"PK\3\4", 22)):  # in the directory, and before the file
        place = said.find(mark)
        while place >= 0:
            said[place + at : place + at + 4] = struct.pack("<I", 500)
            place = said.find(mark, place + 4)
    return bytes(said)


def gzip_bomb(megabytes: int) -> bytes:
    """A packed body of blanks."""
    pack = zlib.compressobj(9, wbits=zlib.MAX_WBITS | 16)
    blanks = b" " * 2**20
    return b"".join([*(pack.compress(blanks) for _ in range(megabytes)), pack.flush()])


def slow_page() -> bytes:
    """A page of a megabyte that its reader is busy with for half a minute."""
    return b"<html><body><p>" + b"<b>x</b> " * 110_000
