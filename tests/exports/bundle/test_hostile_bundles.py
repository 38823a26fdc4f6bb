"""Files that say they are bundles: each ends in one sentence, soon, and writes nothing."""

import json
import struct
import zipfile
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_bundle import forge, make_bundle

from exports.bundle.archive import MOST_BYTES, pack, unpack
from exports.bundle.verify import verify_bundle
from schema.errors import QuireError

BUNDLE = make_bundle()
MEMBERS = unpack(BUNDLE).members


def seal(data: bytes) -> bytes:
    """A zip with the seal of a bundle in place of its comment."""
    end = data.rindex(b"PK\5\6")
    mark = b"quire-bundle sha256 "
    body = data[: end + 20] + struct.pack("<H", len(mark) + 64) + mark
    return body + sha256(body).hexdigest().encode()


def zipped(members: list[tuple[str, bytes]], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A sealed zip of any members."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", how) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return seal(made.getvalue())


def with_part(name: str, content: bytes) -> bytes:
    """A bundle with one member in another's place."""
    return pack({**MEMBERS, name: content})


def refused(data: bytes) -> str:
    """The sentence that a file is refused with."""
    with pytest.raises(QuireError) as caught:
        verify_bundle(data)
    said = str(caught.value)
    assert "\n" not in said
    assert said.endswith(".")
    return said


@pytest.mark.parametrize(
    "data",
    [
        b"", b"PK", b"PK\3\4" * 1000, b"%PDF-1.7", b"quire-bundle sha256 " + b"0" * 64,
        seal(b"PK\5\6" + b"\0" * 18),
        zipped([("../../etc/passwd", b"{}")]),
        zipped([(name, one) for name, one in MEMBERS.items()] + [("more.json", b"{}")]),
        zipped([("report.json", b"{}"), ("REPORT.json", b"{}")]).replace(b"REPORT", b"report"),
        zipped([(f"{n}.json", b"") for n in range(2_000)]),
        zipped(list(MEMBERS.items()), zipfile.ZIP_LZMA),
        zipped(list(MEMBERS.items()), zipfile.ZIP_BZIP2),
        zipped(list(MEMBERS.items())[:2]),
        b"x" * (MOST_BYTES + 1),
    ],
)  # fmt: skip
def test_what_is_no_bundle_is_refused(data: bytes) -> None:
    assert refused(data)


def test_a_bomb_is_not_unpacked() -> None:
    bomb = with_part("report.json", b" " * (MOST_BYTES + 10))
    assert len(bomb) < 2**20
    assert "damaged or was changed" in refused(bomb)


def test_a_bomb_that_lies_about_its_size_is_not_unpacked() -> None:
    bomb = bytearray(with_part("report.json", b" " * (MOST_BYTES + 10)))
    size = struct.pack("<I", MOST_BYTES + 10)
    told = bytes(bomb).replace(size, struct.pack("<I", 1_000))
    assert told != bytes(bomb)
    assert refused(seal(told))


@pytest.mark.parametrize(
    "content",
    [
        b"", b"null", b"[]", b"{", b"\xff\xfe", b"[" * 200_000, b'{"a":' * 100_000, b"1" * 10_000,
        b'{"question": NaN}', b'{"title": "x", "title": "y"}', b'"' + b"x" * 1_000_000 + b'"',
        "{\"title\": \"é\"}".encode(),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", list(MEMBERS))
def test_a_part_that_is_another_json_is_refused(name: str, content: bytes) -> None:
    assert refused(with_part(name, content))


def _set(path: str, value: Any) -> Any:
    def change(part: Any) -> None:
        *steps, last = path.split(".")
        for step in steps:
            part = part[int(step) if step.isdigit() else step]
        part[int(last) if last.isdigit() else last] = value

    return change


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("report.json", "citations.0.section", 7),
        ("report.json", "citations.0.section", -1),
        ("report.json", "citations.0.number", 99),
        ("report.json", "citations.0.start", "0"),
        ("report.json", "references.1.number", 1),
        ("report.json", "sections", []),
        ("evidence.json", "sources.0.number", 2),
        ("evidence.json", "sources.0.characters", 3),
        ("evidence.json", "sources.0.stretches", [{"start": 5, "text": "ab"}] * 2),
        ("evidence.json", "sections.0.passages.0.end", 10**6),
        ("evidence.json", "sections.0.passages.0.end", 10**400),
        ("evidence.json", "sections.0.passages.0.start", -5),
        ("evidence.json", "sections.0.passages.0.number", 8),
        ("evidence.json", "sections", []),
        ("checks.json", "0", 3),
        ("manifest.json", "format_version", 2),
        ("manifest.json", "members.report.json", {}),
    ],
)  # fmt: skip
def test_what_names_nothing_that_is_there_is_refused(name: str, path: str, value: Any) -> None:
    if path == "members.report.json":
        changed = forge(name, lambda part: part["members"].update({"report.json": value}))
    else:
        changed = forge(name, _set(path, value))
    assert refused(changed)


def test_more_than_can_be_checked_is_refused() -> None:
    huge = json.loads(MEMBERS["evidence.json"])
    source = huge["sources"][0]
    source["stretches"][0]["text"] = "a b " * 100_000
    source["characters"] = 400_000
    section = huge["sections"][0]
    section["passages"] = [{**section["passages"][0], "end": 400_000}] * 5_000
    evidence = json.dumps(huge).encode()
    assert "more than can be compared" in refused(with_part("evidence.json", evidence))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(st.sampled_from(sorted(MEMBERS)), st.data(), values)
def test_any_value_in_any_place_ends_in_a_sentence_or_a_difference(
    name: str, data: st.DataObject, value: Any
) -> None:
    part = json.loads(MEMBERS[name])
    place = part
    while isinstance(place, dict | list) and place:
        keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not place[key] or not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            place[key] = value
            break
        place = place[key]
    try:
        verify_bundle(with_part(name, json.dumps(part).encode()))
    except QuireError as error:
        assert "\n" not in str(error)  # noqa: PT017  (what it says is the point)
