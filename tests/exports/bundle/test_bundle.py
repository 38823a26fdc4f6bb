"""A bundle: the same bytes each time, every change of it found, and what words say said again."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jsonschema import Draft202012Validator
from sample_bundle import VERSIONS, WRITTEN, forge, make_bundle, make_evidence, make_report

from exports.bundle.archive import unpack
from exports.bundle.build import build_bundle
from exports.bundle.parts import render_schema
from exports.bundle.recheck import GONE
from exports.bundle.signing import read_public_key
from exports.bundle.verify import verify_bundle
from exports.bundle.words import extract_words
from schema.errors import InputError, QuireError

ROOT = Path(__file__).parents[3]
BUNDLE = make_bundle()


def kinds(bundle: bytes, key: str = "") -> set[str]:
    """What differs in a bundle."""
    return {one.kind for one in verify_bundle(bundle, key)[0].differences}


def test_a_bundle_is_the_same_each_time_and_verifies() -> None:
    assert make_bundle() == BUNDLE
    found, parts = verify_bundle(BUNDLE)
    assert found.differences == ()
    assert (found.citations, found.quotes, found.repeated, found.by_models) == (3, 3, 2, 1)
    assert found.unrepeated == {GONE: 1}
    assert found.hashed == 2
    assert parts["report"] == make_report()


def test_its_parts_are_as_the_schema_of_the_package_says() -> None:
    kept = (ROOT / "exports" / "bundle" / "bundle.schema.json").read_text(encoding="utf-8")
    assert kept == render_schema(), "write what exports.bundle.parts.render_schema returns there"
    schema = json.loads(kept)
    Draft202012Validator.check_schema(schema)
    members = unpack(BUNDLE).members
    parts = {name.removesuffix(".json"): json.loads(one) for name, one in members.items()}
    Draft202012Validator(schema).validate(parts)
    parts["manifest"]["format_version"] = 2
    assert list(Draft202012Validator(schema).iter_errors(parts))


def is_noticed(changed: bytes) -> bool:
    """Whether a changed file is refused, or said not to be as it was written."""
    try:
        return "bytes" in kinds(changed)
    except QuireError:
        return True


def test_each_changed_byte_is_found() -> None:
    chance, end = random.Random(7), len(BUNDLE)
    for at in {*chance.sample(range(end), 150), *range(40), *range(end - 110, end)}:
        changed = bytearray(BUNDLE)
        changed[at] ^= chance.randrange(1, 256)
        assert is_noticed(bytes(changed)), at


@pytest.mark.parametrize(
    "changed", [BUNDLE[:-1], BUNDLE[1:], BUNDLE + b"x", BUNDLE[:500], BUNDLE * 2]
)
def test_what_is_cut_or_longer_is_found(changed: bytes) -> None:
    assert is_noticed(changed)


def _say(part: Any, at: int, **said: Any) -> None:
    part["citations"][at].update(said)


def _say_nine(part: Any) -> None:
    cited, section = part["citations"][0], part["sections"][0]
    section["text"] = section["text"].replace("25 %", "95 %")
    cited["sentence"] = cited["sentence"].replace("25 %", "95 %")


def _misprint_source(part: Any) -> None:
    one = part["sources"][0]["stretches"][0]
    one["text"] = one["text"].replace("25 %", "95 %")


@pytest.mark.parametrize(
    ("name", "change", "kind"),
    [
        ("report.json", _say_nine, "verdict"),
        ("report.json", lambda part: _say(part, 0, verdict="partial"), "verdict"),
        ("report.json", lambda part: _say(part, 0, confidence=0.01), "verdict"),
        ("report.json", lambda part: _say(part, 1, quote="Kelp never came back."), "quote"),
        ("report.json", lambda part: _say(part, 1, before="Nobody says: "), "quote"),
        ("report.json", lambda part: _say(part, 1, sentence="Kelp [2]."), "quote"),
        ("report.json", lambda part: _say(part, 1, document="https://other.example/"), "quote"),
        ("report.json", lambda part: part["audit"].update(citations_supported=9), "count"),
        ("report.json", lambda part: part.update(title="Other"), "bytes"),
        ("evidence.json", _misprint_source, "text"),
        ("evidence.json", lambda part: part["sections"][0].update(passages=[]), "verdict"),
        ("checks.json", lambda part: part[0].update(verdict="absent"), "verdict"),
    ],
)  # fmt: skip
def test_a_forgery_is_found_though_all_digests_are_right(name: str, change: Any, kind: str) -> None:
    assert kind in kinds(forge(name, change))


def test_a_model_calls_nothing_supported_whose_figure_its_source_lacks() -> None:
    def trust_model(part: Any) -> None:
        _say_nine(part)
        _say(part, 0, step="model")

    report = make_report()
    trust_model(report)
    bundle = build_bundle(report, make_evidence(report), WRITTEN, VERSIONS)
    [found] = verify_bundle(bundle)[0].differences
    assert "has no number: 95 %" in found.detail


def test_a_signature_holds_for_its_key_and_its_bundle_alone(tmp_path: Path) -> None:
    keys = [tmp_path / "mine", tmp_path / "other"]
    for one in keys:
        key = Ed25519PrivateKey.generate()
        one.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        one.with_suffix(".pub").write_bytes(
            key.public_key().public_bytes(
                serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH
            )
        )
    mine, other = (read_public_key(one.with_suffix(".pub")) for one in keys)
    report = make_report()
    signed = build_bundle(report, make_evidence(report), WRITTEN, VERSIONS, keys[0])
    assert kinds(signed, mine) == set()
    assert kinds(signed, other) == {"signature"}
    assert kinds(BUNDLE, mine) == {"signature"}
    assert "signature" in kinds(forge("manifest.json", lambda part: part.update(id="x"), signed))
    with pytest.raises(InputError, match="no Ed25519 key"):
        read_public_key(keys[0])
    with pytest.raises(InputError, match="could not be read"):
        build_bundle(report, make_evidence(report), WRITTEN, VERSIONS, tmp_path / "none")


def test_words_are_the_same_whatever_marks_them_up() -> None:
    plain = 'The "old" lock, 3 % - of it - closed.'
    for text in (
        "The “old” **lock**, 3\xa0% – of it – closed.",
        "- The «old» [lock](/x),\n3 % - of it - closed .",
    ):
        assert extract_words(text) == plain
    assert extract_words("12 %") != extract_words("14 %")


def test_verifying_loads_no_library_no_network_and_no_model() -> None:
    code = (
        "import sys, io; from exports.bundle.verify import verify_bundle; import cli.verify; "
        "verify_bundle(sys.stdin.buffer.read()); "
        "print(sorted({m.partition('.')[0] for m in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input=BUNDLE, capture_output=True, check=True
    )
    loaded = set(json.loads(done.stdout.decode().replace("'", '"')))
    absent = {"library", "psycopg", "psycopg_pool", "pgvector", "httpx", "connectors", "models",
              "nodes", "serving", "langgraph", "langchain_core", "numpy"}  # fmt: skip
    assert loaded & absent == set()
