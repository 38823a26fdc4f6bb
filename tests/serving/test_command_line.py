"""`quire`, run as its users run it: a process, its output, its exit code."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from fakes.openai_api import FakeOpenAI
from fakes.tavily_api import FakeTavily
from fakes.writer import Writer
from graph_runs import CONCEPTS

ROOT = Path(__file__).parents[2]


def quire(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The error of a command that failed: one line, no traceback, nothing on standard output."""
    assert done.returncode not in (0, 130)
    assert done.stdout == ""
    [line] = done.stderr.strip().splitlines()
    assert line.startswith("quire: ")
    return line


def test_a_report_from_files_to_files(space: str, tmp_path: Path) -> None:
    out, as_json = tmp_path / "r.md", tmp_path / "r.json"
    done = quire(
        "report", "What is BM25?", "--files", str(CONCEPTS), "--mode", "deep", "--space", space,
        "--out", str(out), "--json", str(as_json),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""  # quiet when piped
    assert done.stdout.strip() == str(out)
    report = json.loads(as_json.read_text())
    assert {
        "question", "title", "sections", "references", "citations", "audit", "degraded",
        "further_questions", "usage",
    } <= report.keys()  # fmt: skip
    assert len(report["sections"]) == 3
    assert "[1]" in out.read_text()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r.json", "r.md"]


def test_ingest_then_search(space: str) -> None:
    done = quire("ingest", str(CONCEPTS), "--space", space)
    assert done.stdout == f"{space}: 10 added\n"
    assert quire("ingest", str(CONCEPTS), "--space", space).stdout == f"{space}: 10 unchanged\n"
    found = json.loads(quire("search", "reciprocal rank fusion", "--space", space, "--json").stdout)
    assert found["hits"][0]["uri"].endswith("rank-fusion.md")
    assert "Reciprocal rank fusion" in quire("search", "rank fusion", "--space", space).stdout


def test_a_chinese_folder_gives_a_chinese_report(space: str, tmp_path: Path) -> None:
    folder = tmp_path / "资料"
    folder.mkdir()
    (folder / "樱花.md").write_text(
        "# 武汉的樱花\n\n武汉大学的樱花每年三月中旬开放，花期大约两周。"
        "东湖樱园种植了一万多株樱花树，是世界三大赏樱胜地之一。\n\n"
        "## 参观\n\n武汉大学在樱花季实行网上预约参观制度，每天限额三万人。"
        "东湖樱园的门票在花期为六十元，晚上有灯光夜景。\n",
        encoding="utf-8",
    )
    done = quire("report", "武汉的樱花什么时候开放？", "--files", str(folder), "--space", space)
    assert done.returncode == 0, done.stderr
    assert "武汉大学的樱花每年三月中旬开放，花期大约两周[1]。" in done.stdout
    assert "## 参考文献" in done.stdout


def test_one_bad_file_among_good_ones_is_named_and_skipped(space: str, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(
        "# Otters\n\nAn otter is a mammal that eats fish in rivers.\n"
    )
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 broken")
    done = quire("report", "What is an otter?", "--files", str(tmp_path), "--space", space)
    assert done.returncode == 0
    assert "skipped bad.pdf" in done.stderr
    assert "An otter is a mammal that eats fish in rivers [1]." in done.stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["report", "Why?", "--files", "missing.pdf"], "/missing.pdf: check the path"),
        (["report", "Why?", "--files", "empty"], "holds no files"),
        (["report", "Why?", "--files", "zero.txt"], "zero.txt: it is empty"),
        (["report", "Why?", "--mode", "deepest"], "Unknown mode 'deepest': use one of deep, "),
        (["report", "Why?", "--connector", "fax"], "no connector 'fax': use one of "),
        (["report", "Why?", "--connector", "tavily"], "not configured: set TAVILY_API_KEY"),
        (["report", ""], "There is no question"),
        (["report", "?!"], "There is no question"),
        (["report", "why " * 12_500], "has 50,000 characters"),
        (["report", "Why?", "--out", "nowhere/r.md"], "cannot be written"),
        (["report", "Why?", "--space", "a b"], "--space cannot be 'a b'"),
        (["report", "Why?", "--language", "klingon"], "--language cannot be 'klingon'"),
        (["search", "words"], "Nothing in the space"),
        (["ingest", "missing"], "/missing: check the path"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], expected: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "zero.txt").touch()
    assert expected in one_sentence(quire(*arguments))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty", "zero.txt"]


@pytest.mark.parametrize("arguments", [["report"], ["report", "Why?", "--nope"], ["nosuch"]])
def test_a_wrong_call_shows_the_usage(arguments: list[str]) -> None:
    done = quire(*arguments)
    assert done.returncode == 2
    assert "Usage: " in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_found_is_no_report(space: str, tmp_path: Path) -> None:
    out = tmp_path / "r.md"
    done = quire(
        "report", "Who won the 1954 world cup?", "--files", str(CONCEPTS), "--space", space,
        "--out", str(out),
    )  # fmt: skip
    assert "Nothing was found" in one_sentence(done)
    assert not out.exists()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"OPENAI_API_KEY": "bad", "OPENAI_BASE_URL": "{url}"}, "refused the key"),
        ({"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}, "cannot be reached"),
        ({"QUIRE_MODEL": "gpt-5"}, "write provider:model"),
        ({"QUIRE_MODEL": "nosuch:model"}, "cannot be used"),
        ({"QUIRE_DATABASE_URL": "postgresql://127.0.0.1:9/x"}, "QUIRE_DATABASE_URL"),
        ({"QUIRE_MODEL_CONCURRENCY": "many"}, "QUIRE_MODEL_CONCURRENCY cannot be used"),
        ({"QUIRE_DATA_DIR": "/proc/nowhere"}, "set QUIRE_DATA_DIR"),
    ],
)
def test_a_bad_setting_is_one_sentence(
    environment: dict[str, str], expected: str, space: str
) -> None:
    with FakeOpenAI(Writer(), api_key="good") as api:
        settings = {name: value.format(url=api.base_url) for name, value in environment.items()}
        done = quire(
            "report", "What is BM25?", "--files", str(CONCEPTS), "--space", space, **settings
        )
    line = one_sentence(done)
    assert expected in line
    assert "bad" not in line.split()


def test_a_search_engine_s_refusal_is_one_sentence(space: str) -> None:
    with FakeTavily([], api_key="good") as web:
        done = quire(
            "report", "What is BM25?", "--connector", "tavily", "--mode", "deep", "--space", space,
            TAVILY_API_KEY="bad", QUIRE_TAVILY_BASE_URL=web.url,
        )  # fmt: skip
    assert "no report was written: Tavily refused the key: check TAVILY_API_KEY." in one_sentence(
        done
    )


def test_doctor_says_what_each_absence_costs() -> None:
    done = quire("doctor")
    assert done.returncode == 0
    for part in ("library", "chat model", "embedding model", "reranker", "tavily", "tracing"):
        assert part in done.stdout
    assert "what that costs" in done.stdout
    broken = quire("doctor", QUIRE_DATABASE_URL="postgresql://127.0.0.1:9/x")
    assert broken.returncode == 1
    assert "broken" in broken.stdout


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_report_leaves_nothing_behind(
    stop: signal.Signals, tmp_path: Path, new_data_dir: Path
) -> None:
    """Neither a half-written file nor a process, the embedded server included."""
    data, out = new_data_dir, tmp_path / "r.md"
    with FakeOpenAI(Writer()) as api:
        api.hang = lambda _: 60
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "cli.py"), "report", "What is BM25?",
             "--files", str(CONCEPTS), "--out", str(out)],
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "QUIRE_DATA_DIR": str(data),
                 "OPENAI_BASE_URL": api.base_url},
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while not api.requests and time.monotonic() < deadline:
            time.sleep(0.1)
        assert api.requests
        process.send_signal(stop)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    hint = r"quire: stopped \(resume with: quire report --resume \w{8}\)\n"
    assert re.fullmatch(hint, said), said
    assert not list(tmp_path.glob("*r.md*"))
    deadline = time.monotonic() + 10
    while _servers(data) and time.monotonic() < deadline:  # who stops the server ends after it
        time.sleep(0.1)
    assert not _servers(data)


def test_a_killed_process_takes_its_server_with_it(new_data_dir: Path) -> None:
    data = new_data_dir
    code = (
        "import asyncio; from library.library import open_library\n"
        "async def main():\n"
        "    await open_library(); print('open', flush=True); await asyncio.sleep(60)\n"
        "asyncio.run(main())"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), "QUIRE_DATA_DIR": str(data)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"open\n"
    assert _servers(data)
    process.kill()
    deadline = time.monotonic() + 20
    while _servers(data) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _servers(data)


def _servers(data: Path) -> list[Any]:
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if str(data) in " ".join(process.info["cmdline"] or [])
    ]


def test_a_question_is_answered_with_quotes(space: str) -> None:
    quire("ingest", str(CONCEPTS), "--space", space)
    done = quire("ask", "What does HNSW find?", "--space", space)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "HNSW" in done.stdout
    assert "\n[1] " in done.stdout
    answer = json.loads(quire("ask", "What does HNSW find?", "--space", space, "--json").stdout)
    assert answer["citations"][0]["quote"]
    assert answer["diary"]


def test_a_question_that_the_sources_do_not_answer_fails_after_saying_so(space: str) -> None:
    quire("ingest", str(CONCEPTS), "--space", space)
    done = quire("ask", "Which enzymes digest cellulose in termites?", "--space", space)
    assert done.returncode == 1
    assert "cellulose" in done.stdout
    assert done.stderr.count("\n") == 1
