"""Fetching a model from the hub, once: whole, compared with its hashes, and then kept."""

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from models.local.names import WantedModel
from models.local.packages import require_packages
from models.local.traits import SIDE_FILES
from models.local.weights import (
    FetchRecord,
    check_hashes,
    choose_graph,
    find_part,
    hash_file,
    is_there,
    write_record,
)
from schema.errors import ModelUnavailableError, QuireError
from schema.settings import read_variable

HUB_SECONDS = 10.0
"""Longest that the hub may take to say what it has."""

WAIT_SECONDS = 60.0
"""After a fetch that failed: a run asks a hundred times, and hears of the same failure at once."""


@dataclass
class _Fetch:
    done: "Future[None]"
    until: float = float("inf")
    """When its failure is forgotten."""


_lock = Lock()
_fetches: dict[Path, _Fetch] = {}


async def fetch_missing(wanted: WantedModel) -> None:
    """Fetch a model unless it is there; who asks while it comes waits for the same fetch.

    Raises:
        ModelUnavailableError: it cannot be fetched, or is not what it should be.
        InputError: the extra `local` is not installed.
    """
    if wanted.repository and not await asyncio.to_thread(is_there, wanted):
        # shielded: the fetch goes on for the others when one of them is cancelled
        await asyncio.shield(asyncio.wrap_future(start_fetch(wanted)))


def start_fetch(wanted: WantedModel) -> "Future[None]":
    """The fetch of a model that is under way, or a new one."""
    require_packages(wanted.name)
    with _lock:
        running = _fetches.get(wanted.folder)
        if running and (not running.done.done() or time.monotonic() < running.until):
            return running.done
        begun = _fetches[wanted.folder] = _Fetch(Future())
        # a daemon: a process that is stopped does not wait for the rest of a download
        Thread(target=_run, args=(begun, wanted), name="quire-fetch", daemon=True).start()
        return begun.done


def _run(begun: _Fetch, wanted: WantedModel) -> None:
    begun.done.set_running_or_notify_cancel()
    try:
        _fetch(wanted)
    except QuireError as error:
        begun.until = time.monotonic() + WAIT_SECONDS
        begun.done.set_exception(error)
    except BaseException as error:  # noqa: BLE001  (who waits has to hear of it)
        begun.until = time.monotonic() + WAIT_SECONDS
        begun.done.set_exception(_explain(wanted, error))
    else:
        begun.until = 0.0
        begun.done.set_result(None)


def forget_failures() -> None:
    """Try again what failed: somebody asks for it by name."""
    with _lock:
        for one in _fetches.values():
            one.until = 0.0


def _fetch(wanted: WantedModel) -> None:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")  # nothing is told to anybody
    from huggingface_hub import HfApi, hf_hub_download  # noqa: PLC0415  (an extra; 0.3 s)
    from huggingface_hub.utils import WeakFileLock  # type: ignore[attr-defined]  # noqa: PLC0415

    endpoint = read_variable("HF_ENDPOINT") or None
    part, known = find_part(wanted), wanted.known
    part.mkdir(parents=True, exist_ok=True)
    with WeakFileLock(part.with_suffix(".lock")):  # other processes
        if is_there(wanted):
            return
        api = HfApi(endpoint=endpoint)
        info = api.model_info(
            wanted.repository,
            revision=(known.revision if known else "") or None,
            files_metadata=True,
            timeout=HUB_SECONDS,
        )
        listed = {one.rfilename: one for one in info.siblings or []}
        graph = choose_graph(wanted, listed, wanted.file)
        names = _choose_files(list(listed), graph)
        for name in names:
            hf_hub_download(
                wanted.repository,
                name,
                revision=info.sha,
                local_dir=part,
                endpoint=endpoint,
                tqdm_class=_make_bar(),
            )
        told = {n: listed[n].lfs.sha256 for n in names if listed[n].lfs}  # type: ignore[union-attr]
        told |= {n: digest for n, digest in (known.hashes if known else {}).items() if n in names}
        try:
            check_hashes(wanted, told, part)
        except ModelUnavailableError:
            shutil.rmtree(part, ignore_errors=True)
            raise
        hashes = {name: hash_file(part / name) for name in names}
        record = FetchRecord(wanted.name, wanted.repository, info.sha or "", graph, hashes)
        shutil.rmtree(part / ".cache", ignore_errors=True)
        write_record(part, record)
        part.rename(wanted.folder)


def _choose_files(listed: Sequence[str], graph: str) -> list[str]:
    """The graph, the files that it keeps its weights in, and what tells how it is asked."""
    weights = [name for name in listed if name.startswith((f"{graph}_data", f"{graph}.data"))]
    return [*(name for name in SIDE_FILES if name in listed), graph, *weights]


def _make_bar() -> type[Any]:
    """A progress bar that shows itself on a terminal alone."""
    from huggingface_hub.utils import tqdm  # type: ignore[attr-defined]  # noqa: PLC0415

    class Bar(tqdm):
        def __init__(self, *args: Any, **options: Any) -> None:
            shown = {**options, "disable": not sys.stderr.isatty()}
            super().__init__(*args, **shown)  # type: ignore[no-untyped-call]

    return Bar


def _explain(wanted: WantedModel, error: BaseException) -> ModelUnavailableError:
    """Why a model cannot be fetched, and what to do, in one sentence."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    hub = read_variable("HF_ENDPOINT") or "the model hub"
    if kinds & {"GatedRepoError"}:
        why = f"its authors want to be asked first: accept their terms at {hub}, and set HF_TOKEN"
    elif kinds & {"RepositoryNotFoundError", "RevisionNotFoundError", "EntryNotFoundError"}:
        why = f"{hub} does not have it, or not for everybody: check the name"
    elif isinstance(error, OSError) and error.filename:
        why = f"{error.filename} cannot be written ({error.strerror})"
    else:
        why = f"{hub} cannot be reached, or broke off: check the network, or set HF_ENDPOINT"
    return ModelUnavailableError(
        f"The model {wanted.name} could not be fetched: {why}; `quire models fetch "
        f"{wanted.name}` tries again."
    )
