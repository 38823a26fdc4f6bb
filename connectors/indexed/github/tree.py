"""The files of a commit on GitHub, and which of them are worth reading."""

import hashlib
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, TypeGuard

from connectors.http.client import Api
from connectors.http.errors import bad_response_error
from schema.errors import ConnectorError

MAX_FILE_BYTES = 2**20
"""Bytes of a file that is read."""

MAX_FILES = 500_000
"""Entries of one commit; a small repository can be built that claims to hold billions."""

_SHA = re.compile(r"[0-9a-f]{40}")
_FILE_MODES = ("100644", "100755")  # not links, not submodules

_THIRD_PARTY_FOLDERS = {
    "node_modules", "bower_components", "vendor", "third_party", "dist", "venv", "__pycache__",
    "Pods",
}  # fmt: skip
_LOCK_FILES = {"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "bun.lockb"}
_GENERATED_SUFFIXES = (".lock", ".min.js", ".min.css", ".map", ".snap")
_BINARY_SUFFIXES = {
    "png", "jpg", "jpeg", "gif", "bmp", "ico", "icns", "webp", "avif", "tif", "tiff", "psd",
    "svg", "eps", "heic", "mp3", "wav", "ogg", "flac", "m4a", "mp4", "mov", "avi", "webm", "mkv",
    "woff", "woff2", "ttf", "otf", "eot", "zip", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar",
    "tar", "jar", "war", "apk", "ipa", "dmg", "iso", "deb", "rpm", "whl", "egg", "exe", "dll",
    "so", "dylib", "a", "o", "obj", "lib", "class", "pyc", "wasm", "bin", "dat", "db", "sqlite",
    "sqlite3", "mdb", "npy", "npz", "pkl", "pickle", "pt", "pth", "onnx", "h5", "safetensors",
    "parquet", "arrow", "avro", "gguf", "tflite", "p12", "pfx", "jks", "keystore", "der", "mo",
    "glb", "blend", "stl", "fbx", "unitypackage",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CommitFile:
    """A file of a commit. `sha` is Git's of its content."""

    path: str
    sha: str
    size: int


async def list_files(api: Api, repository: str, commit: str) -> list[CommitFile]:
    """The files that are worth reading, of all folders.

    Args:
        api: GitHub's.
        repository: `/repos/owner/name`.
        commit: its sha.

    Raises:
        ConnectorError: they cannot be listed to the end.
    """
    found: list[CommitFile] = []
    seen = 0
    async for path, entry in _list_entries(api, f"{repository}/git/trees", commit, ""):
        seen += 1
        if seen > MAX_FILES:
            raise ConnectorError(
                f"The repository holds more than {MAX_FILES} files: name a smaller one"
            )
        sha, size = entry.get("sha"), entry.get("size")
        if (
            entry.get("mode") in _FILE_MODES
            and is_sha(sha)
            and isinstance(size, int)
            and is_worth_reading(path)
        ):
            found.append(CommitFile(path, sha, size))
    return found


async def _list_entries(
    api: Api, trees: str, sha: str, above: str
) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """Path and entry of all that lies in a folder, in one request if GitHub can."""
    answer = await _fetch_tree(api, f"{trees}/{sha}", 1)
    cut = bool(answer.get("truncated"))
    if cut:
        answer = await _fetch_tree(api, f"{trees}/{sha}", None)
        if answer.get("truncated"):
            raise ConnectorError(f"GitHub lists the folder '{above}' only in part")
    for entry in answer["tree"]:
        if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
            continue
        path = f"{above}{entry['path']}"
        if cut and entry.get("type") == "tree" and is_sha(entry.get("sha")):
            if not _is_third_party(path):
                async for inner in _list_entries(api, trees, entry["sha"], f"{path}/"):
                    yield inner
        else:
            yield path, entry


async def _fetch_tree(api: Api, path: str, recursive: int | None) -> dict[str, Any]:
    answer = await api.get(path, recursive=recursive)
    if not isinstance(answer.get("tree"), list):
        raise bad_response_error("GitHub")
    return answer


def is_worth_reading(path: str) -> bool:
    """Whether a file may be a document: written by people, in this repository, and text."""
    folder, _, name = path.rpartition("/")
    ending = PurePosixPath(name).suffix[1:].lower()
    made = name in _LOCK_FILES or name.endswith(_GENERATED_SUFFIXES) or ending in _BINARY_SUFFIXES
    return bool(name) and not (made or name.startswith(".") or (folder and _is_third_party(folder)))


def _is_third_party(folder: str) -> bool:
    """Whether a folder holds what others wrote, or what only tools read."""
    return any(part in _THIRD_PARTY_FOLDERS or part.startswith(".") for part in folder.split("/"))


def is_sha(value: object) -> TypeGuard[str]:
    """Whether a value is one of Git's names, and so harmless in an address."""
    return isinstance(value, str) and _SHA.fullmatch(value) is not None


def compute_blob_sha(data: bytes) -> str:
    """The name that Git gives to a content."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
