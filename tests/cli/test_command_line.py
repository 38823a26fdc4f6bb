"""`quire`, as its users run it: what it prints, what it leaves, its exit code."""

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
from command_line import ROOT, quire, start
from fakes.openai_api import FakeOpenAI
from fakes.writer import Writer
from graph_runs import CONCEPTS


@pytest.mark.slow
def test_a_report_from_files_to_files(space: str, tmp_path: Path) -> None:
    out, as_json = tmp_path / "r.md", tmp_path / "r.json"
    done = quire(
        "report", "What is BM25?", "--files", str(CONCEPTS), "--mode", "deep", "--space", space,
        "--out", str(out), "--json", str(as_json),
    )  # fmt: skip
    report = json.loads(as_json.read_text())
    assert done == (0, f"{out}\n", f"report {report['id']}\n")
    assert {
        "question", "title", "sections", "references", "citations", "audit", "degraded",
        "further_questions", "usage",
    } <= report.keys()  # fmt: skip
    assert len(report["sections"]) == 4  # and the summary
    assert "[1]" in out.read_text()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r.json", "r.md"]


def test_ingest_then_search(space: str) -> None:
    done = quire("ingest", str(CONCEPTS), "--space", space)
    assert done.out == f"{space}: 10 added\n"
    assert quire("ingest", str(CONCEPTS), "--space", space).out == f"{space}: 10 unchanged\n"
    found = json.loads(quire("search", "reciprocal rank fusion", "--space", space, "--json").out)
    assert found["hits"][0]["uri"].endswith("rank-fusion.md")
    assert "Reciprocal rank fusion" in quire("search", "rank fusion", "--space", space).out


@pytest.mark.slow
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
    assert done.code == 0, done.err
    assert "武汉大学的樱花每年三月中旬开放，花期大约两周[1]。" in done.out
    assert "## 参考文献" in done.out


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_report_leaves_nothing_behind(
    stop: signal.Signals, tmp_path: Path, new_data_dir: Path
) -> None:
    """Neither a half-written file nor a process, the embedded server included."""
    data, out = new_data_dir, tmp_path / "r.md"
    with FakeOpenAI(Writer()) as api:
        api.hang = lambda _: 60
        arguments = ("report", "What is BM25?", "--files", str(CONCEPTS), "--out", str(out))
        process = start(*arguments, QUIRE_DATA_DIR=str(data), OPENAI_BASE_URL=api.base_url)
        deadline = time.monotonic() + 60
        while not api.requests and time.monotonic() < deadline:
            time.sleep(0.1)
        assert api.requests
        process.send_signal(stop)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    hint = r"report (\w{8})\nquire: stopped \(resume with: quire report --resume \1\)\n"
    assert re.fullmatch(hint, said), said
    assert not list(tmp_path.glob("*r.md*"))
    deadline = time.monotonic() + 10
    while _servers(data) and time.monotonic() < deadline:  # who stops the server ends after it
        time.sleep(0.1)
    assert not _servers(data)


@pytest.mark.slow
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
    assert done.code == 0, done.err
    assert done.err == ""
    assert "HNSW" in done.out
    assert "\n[1] " in done.out
    answer = json.loads(quire("ask", "What does HNSW find?", "--space", space, "--json").out)
    assert answer["citations"][0]["quote"]
    assert answer["diary"]


def test_a_question_that_the_sources_do_not_answer_fails_after_saying_so(space: str) -> None:
    quire("ingest", str(CONCEPTS), "--space", space)
    done = quire("ask", "Which enzymes digest cellulose in termites?", "--space", space)
    assert done.code == 1
    assert "cellulose" in done.out
    assert done.err.count("\n") == 1
