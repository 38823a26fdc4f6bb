"""A wheel: it holds every file of the packages, and once installed its command writes a report."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(
    path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests"
)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy: setuptools would leave its own folders in the repository."""
    folder = tmp_path_factory.mktemp("wheel")
    skip = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, folder / "quire", ignore=skip)
    how = ["--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *how, folder / "quire"], check=True)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment with the wheel, and with no editable install.

    Its dependencies are those of this environment: a folder that a .pth file names has its own .pth
    files ignored, so this repository is not found through it.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    python = folder / "bin" / "python"
    install = ["install", "--ignore-installed", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", "--python", python, *install], check=True)
    [packages] = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "bin"


def test_a_wheel_holds_every_file_of_the_packages_and_no_others(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    ours = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert held == ours


def test_the_installed_command_writes_a_report_from_another_folder(
    installed: Path, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    shutil.copytree(ROOT / "samples", notes)
    told = _run(installed / "quire", "--help", cwd=tmp_path)
    assert "Turns a question into a cited report" in told
    options = ["--files", "notes", "--space", "wheel", "--out", "report.html"]
    _run(installed / "quire", "report", "What is rank fusion?", *options, cwd=tmp_path)
    assert "[1]" in (tmp_path / "report.html").read_text()


def test_the_installed_face_is_the_wheel_s(installed: Path, tmp_path: Path) -> None:
    code = "import quire, importlib.metadata as m; print(quire.__file__, m.version('quire'))"
    place, version = _run(installed / "python", "-c", code, cwd=tmp_path).split()
    assert Path(place).is_relative_to(installed.parent)
    assert f'version = "{version}"' in (ROOT / "pyproject.toml").read_text()


def _run(command: Path, *arguments: str, cwd: Path) -> str:
    done = subprocess.run(
        [command, *arguments],
        cwd=cwd,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
