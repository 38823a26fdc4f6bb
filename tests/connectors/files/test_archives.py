"""Zip archives without their pressure."""

import io
import zipfile
from contextlib import suppress

import hostile_documents as hostile
import pytest
import tiny_documents as tiny
from hypothesis import given
from hypothesis import strategies as st

from connectors.files.archives import ArchiveError, is_archive, uncompress_archive

NAMES = st.text("abc/é文.", min_size=1, max_size=20)


def held(data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return [(name, archive.read(name)) for name in archive.namelist()]


def made(files: dict[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", kind) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


@given(st.dictionaries(NAMES, st.binary(max_size=500), min_size=1, max_size=8))
def test_an_archive_keeps_its_files_and_their_order(files: dict[str, bytes]) -> None:
    packed = made(files)
    plain = uncompress_archive(packed)
    assert is_archive(plain)
    assert held(plain) == held(packed)


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=8), st.integers(0, 2_000))
def test_what_comes_out_is_bounded_over_all_files(contents: list[bytes], largest: int) -> None:
    packed = made({str(number): content for number, content in enumerate(contents)})
    if sum(map(len, contents)) <= largest:
        assert len(held(uncompress_archive(packed, largest))) == len(contents)
    else:
        with pytest.raises(ArchiveError, match="unpacks to more than"):
            uncompress_archive(packed, largest)


@pytest.mark.slow
def test_a_bomb_is_refused() -> None:
    with pytest.raises(ArchiveError, match=r"^it unpacks to more than 100 MB$"):
        uncompress_archive(hostile.bomb(110))


def test_an_archive_that_lies_about_its_sizes_is_refused() -> None:
    lying = hostile.bomb(3, lies=True)
    with pytest.raises(ArchiveError, match=r"^it could not be read \(BadZipFile\)$"):
        uncompress_archive(lying)


def test_what_no_office_file_is_packed_with_is_refused() -> None:
    with pytest.raises(ArchiveError, match="packed as no office file"):
        uncompress_archive(made({"a": b"x" * 99}, zipfile.ZIP_LZMA))


@given(st.binary(max_size=300), st.integers(0, 1_100))
def test_a_damaged_archive_is_refused_or_read(noise: bytes, place: int) -> None:
    document = tiny.docx()
    with suppress(ArchiveError):
        uncompress_archive(document[:place] + noise + document[place + len(noise) :])
