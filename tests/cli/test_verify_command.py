"""`quire export --to bundle` and `quire verify`: from a library to a machine that has none."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import kreuzberg
import pytest
from command_line import ROOT, one_sentence, quire
from fakes.openai_chat import ChatRequest
from fakes.sites.little_web import LittleWeb
from fakes.writer import Writer
from graph_runs import CONCEPTS, QUESTION, speaking
from sample_bundle import TEXTS, forge, make_bundle

import quire as face
from connectors.indexed.web.site import SiteResponse
from connectors.indexed.web.warc import WarcWriter


def write_report(space: str, folder: Path, *options: str) -> dict[str, Any]:
    """A saved report on the samples."""
    out = folder / "r.json"
    asked = ("report", QUESTION, "--files", str(CONCEPTS), "--space", space, "--json", str(out))
    done = quire(*asked, *options)
    assert done.code == 0, done
    report: dict[str, Any] = json.loads(out.read_text())
    return report


def verify(file: Path, *options: str) -> dict[str, Any]:
    """What verifying says, in a process with no library and no network at hand."""
    code = (
        "import socket, sys; socket.socket.connect = None; socket.getaddrinfo = None; "
        f"sys.argv = {['quire', 'verify', str(file), '--json', *options]!r}; "
        "from cli import main; main()"
    )
    bare = {"PATH": os.environ["PATH"], "QUIRE_DATABASE_URL": "postgresql://nobody@127.0.0.1:9/x"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=bare,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == bool(told["differences"])
    return told


@pytest.mark.slow
def test_a_report_of_the_extractive_model_verifies_elsewhere(space: str, tmp_path: Path) -> None:
    report = write_report(space, tmp_path, "--mode", "deep")
    file = tmp_path / "r.quire"
    assert quire("export", report["id"], "--to", "bundle", "--out", str(file)).code == 0
    told = verify(file)
    assert told["differences"] == []
    assert told["repeated"] == told["quotes"] == told["citations"] == len(report["citations"])
    again = tmp_path / "again.quire"
    quire("export", report["id"], "--out", str(again))
    assert again.read_bytes() == file.read_bytes()


@pytest.mark.slow
def test_each_version_of_a_report_verifies(space: str, tmp_path: Path) -> None:
    report = write_report(space, tmp_path, "--mode", "deep", "--audience", "nurses of 2 wards")
    revised = quire("reports", "revise", report["id"], "make it shorter", "--section", "2")
    assert revised.code == 0, revised
    for version in ("1", "2"):
        file = tmp_path / f"{version}.quire"
        quire("export", report["id"], "--out", str(file), "--version", version)
        told = verify(file)
        assert told["differences"] == []
        assert told["repeated"] == told["citations"] > 0
        assert told["manifest"]["version"] == int(version)


def write_strangely(request: ChatRequest) -> str:
    """A section with sentences that its sources do not bear out."""
    text = Writer()(request)
    number = re.findall(r"\[(\d+)\]", text)[0]
    strange = ("Marmalade ferments slowly", "BM25 was invented by 47 sailors in 1642",
               "A ranking function for search weighs the words that a page has")  # fmt: skip
    return f"{text} {' '.join(f'{one} [{number}].' for one in strange)}"


def judge(request: ChatRequest) -> str:
    """A judge that believes whatever it is asked about."""
    count = len(re.findall(r'<item n="\d+">', request.messages[1]["content"]))
    judged = [{"item": n + 1, "verdict": "supported", "confidence": 0.9} for n in range(count)]
    return json.dumps({"citations": judged})


@pytest.mark.slow
def test_verdicts_of_a_language_model_are_told_apart(space: str, tmp_path: Path) -> None:
    answers = {"write_section": write_strangely, "judge_citations": judge}
    with speaking(Writer(answers)):
        report = write_report(space, tmp_path, "--mode", "deep", "--judge", "openai:gpt-test")
    file = tmp_path / "r.quire"
    quire("export", report["id"], "--out", str(file))
    told = verify(file)
    steps = [one["step"] for one in report["citations"]]
    assert told["by_models"] == steps.count("model") > 0
    assert told["manifest"]["made_with"]["models"]["judge"] == "openai:gpt-test"
    assert told["differences"] == []
    assert told["repeated"] == told["citations"]
    assert "by openai:gpt-test" in quire("verify", str(file)).out


@pytest.mark.slow
def test_sources_that_changed_since_leave_the_quotes_of_the_report(
    space: str, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    shutil.copy(CONCEPTS / "bm25.md", folder / "bm25.md")
    out = tmp_path / "r.json"
    quire("report", "What is BM25?", "--files", str(folder), "--space", space, "--json", str(out))
    report = json.loads(out.read_text())
    (folder / "bm25.md").write_text("# BM25\n\nAll of this was written anew.\n")
    quire("ingest", str(folder), "--space", space)
    file = tmp_path / "r.quire"
    assert quire("export", report["id"], "--out", str(file)).code == 0
    told = verify(file)
    assert told["differences"] == []
    assert told["quotes"] == told["citations"]
    [(why, count)] = told["unrepeated"].items()
    assert "no longer kept" in why
    assert (count, told["repeated"]) == (told["citations"], 0)


@pytest.mark.slow
def test_html_and_pdf_carry_the_bundle_and_other_formats_say_that_they_do_not(
    space: str, tmp_path: Path
) -> None:
    report = write_report(space, tmp_path)
    names = {suffix: tmp_path / f"r.{suffix}" for suffix in ("quire", "html", "pdf")}
    for file in names.values():
        done = quire("export", report["id"], "--out", str(file), "--attach-bundle")
        assert done.code == 0, done
    bundle = names["quire"].read_bytes()
    page = names["html"].read_text()
    [data] = re.findall(r'download="[\w.-]+" href="data:[\w.+/]+;base64,([\w+/=]+)"', page)
    assert base64.b64decode(data) == bundle
    assert "default-src 'none'" in page
    assert b"/EmbeddedFile" in names["pdf"].read_bytes()
    assert kreuzberg.extract_bytes_sync(names["pdf"].read_bytes(), "application/pdf").content
    done = quire("export", report["id"], "--to", "md", "--attach-bundle")
    assert "carries no bundle" in one_sentence(done)
    assert face.export(report, "bundle") == bundle  # type: ignore[arg-type]  # it is one


def test_what_differs_is_told_and_ends_with_one(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.quire", tmp_path / "bad.quire"
    good.write_bytes(make_bundle())
    bad.write_bytes(
        forge("report.json", lambda part: part["citations"][0].update(verdict="absent"))
    )
    done = quire("verify", str(good))
    assert (done.code, done.out.splitlines()[-1]) == (0, "Nothing in the file differs.")
    done = quire("verify", str(bad))
    assert done.code == 1
    assert "differs (verdict): Citation [1] of “Otters eat 25 %" in done.out
    damaged = tmp_path / "damaged.quire"
    damaged.write_bytes(make_bundle()[:-300])
    assert "damaged.quire: It is damaged" in one_sentence(quire("verify", str(damaged)))
    assert "could not be read" in one_sentence(quire("verify", str(tmp_path / "none")))


@pytest.mark.parametrize("text", ["\x1b[2J\x07", "\u202eevil", "a\nb"])
def test_no_word_of_a_bundle_is_obeyed_by_the_terminal(text: str, tmp_path: Path) -> None:
    file = tmp_path / "b.quire"
    file.write_bytes(forge("manifest.json", lambda part: part.update(title=text, id=text)))
    done = quire("verify", str(file))
    assert done.code == 1
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", done.out)
    assert len(done.out.splitlines()) == len(quire("verify", str(file)).out.splitlines())


def point_to(address: str) -> bytes:
    """The small bundle, its sources at another host."""

    def move(part: Any) -> None:
        for one in part["sources"]:
            one["url"] = one["url"].replace("https://otters.example", address)

    return forge("evidence.json", move)


@pytest.mark.slow
def test_live_tells_what_became_of_each_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey = [TEXTS[1].replace("25 %", "30 %"), "The otters of the bay are counted each spring."]
    pages = {"/1": ("Survey", survey), "/2": ("Kelp", [TEXTS[2], "It was mown in May."])}
    file = tmp_path / "b.quire"
    with LittleWeb(pages) as web:
        file.write_bytes(point_to(web.url))
        refused = quire("verify", str(file), "--live")
        assert refused.out.count("not read (127.0.0.1 is no public host") == 3
        assert web.reads == []
        monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
        done = quire("verify", str(file), "--live")
        told = json.loads(quire("verify", str(file), "--live", "--json").out)
    assert (refused.code, done.code) == (0, 1)
    states = [one["state"] for one in told["live"]]
    assert states == ["changed in the quote", "changed beside the quote", "gone"]
    assert "  was: Otters eat 25 % of their weight each day.\n" in done.out
    assert "  now: Otters eat 30 % of their weight each day.\n" in done.out
    assert "2 of 3 sources are gone or changed in a quote" in done.out


@pytest.mark.slow
def test_live_opens_no_library(tmp_path: Path) -> None:
    file = tmp_path / "b.quire"
    file.write_bytes(point_to("http://127.0.0.1:9"))
    code = (
        f"import sys; sys.argv = {['quire', 'verify', str(file), '--live']!r}\n"
        "from cli import main\n"
        "try: main()\n"
        "except SystemExit: print([m for m in sys.modules if 'psycopg' in m or 'database' in m])"
    )
    bare = {"PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=bare, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_pages_saved_with_a_bundle_bear_it_out_when_their_site_is_gone(
    space: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
    otters = ["Otters eat 25 % of their weight each day.", "Otters eat fish, crabs and frogs."]
    pages = {"/otters": ("Otters", otters), "/diet": ("The diet of otters", otters[::-1])}
    out, file, warc = tmp_path / "r.json", tmp_path / "r.quire", tmp_path / "p.warc.gz"
    with LittleWeb(pages) as web:
        monkeypatch.setenv("QUIRE_SEARXNG_BASE_URL", web.url)
        done = quire("report", "What do otters eat?", "--connector", "searxng", "--space", space,
                     "--json", str(out))  # fmt: skip
        assert done.code == 0, done
        identity = json.loads(out.read_text())["id"]
        done = quire("export", identity, "--out", str(file), "--warc", str(warc))
        assert done.code == 0, done
    cited = {one["number"] for one in json.loads(out.read_text())["citations"]}
    assert f"{len(cited)} of {len(cited)} pages" in done.err
    told = verify(file, "--warc", str(warc))
    assert told["differences"] == []
    assert {one["state"] for one in told["archived"]} == {"same"}
    other = tmp_path / "other.warc.gz"
    other.write_bytes(warc.read_bytes() + warc.read_bytes())
    assert "The WARC file is not the one" in quire("verify", str(file), "--warc", str(other)).out


def test_a_bundle_is_compared_with_pages_of_another_program(tmp_path: Path) -> None:
    file, warc = tmp_path / "b.quire", tmp_path / "p.warc.gz"
    file.write_bytes(make_bundle())
    head = httpx.Headers({"content-type": "text/plain; charset=utf-8"})
    url = "https://otters.example/1"
    with WarcWriter(warc, "one page, changed") as opened:
        changed = TEXTS[1].replace("25 %", "30 %").encode()
        opened.add(url, SiteResponse(url, head, changed))
    done = quire("verify", str(file), "--warc", str(warc))
    assert done.code == 1
    assert "changed in the quote" in done.out
    assert "not read (it is not in the archive)" in done.out
    both = quire("verify", str(file), "--warc", str(warc), "--live")
    assert "take one" in one_sentence(both)
    assert "could not be read" in one_sentence(quire("verify", str(file), "--warc", "none"))


def test_pages_are_saved_with_a_bundle_only(tmp_path: Path) -> None:
    done = quire("export", "x", "--to", "md", "--warc", str(tmp_path / "p.warc.gz"))
    assert "--warc goes with a bundle" in one_sentence(done)
