"""Answers of websites in a WARC file (ISO 28500), as archives of the web keep and replay them.

Bodies stand there as they were read, no longer packed, so the headers of their packing are left
out, and cookies with them. Where a redirect led on, a `metadata` record before the answer names
the address that was asked for (`via`).
"""

from collections.abc import Collection
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from connectors.indexed.web.pages import MAX_BYTES
from connectors.indexed.web.site import SiteResponse
from retrieval.web.canonical_url import normalise_url
from schema.errors import InputError, QuireError

_DROPPED = ("content-encoding", "transfer-encoding", "content-length", "set-cookie")
_FIELDS = "application/warc-fields"


class WarcWriter:
    """A WARC file that is being written, packed by record. It is whole when the context closes."""

    def __init__(self, file: Path, description: str) -> None:
        """Args: file: to write, or to write anew; description: of the file, one line."""
        self._file = file
        self._description = description

    def __enter__(self) -> Self:
        writer_class = _import_warcio().warcwriter.WARCWriter
        try:
            self._opened = self._file.open("wb")
        except OSError as error:
            raise QuireError(f"{self._file} could not be written ({error.strerror}).") from error
        self._writer = writer_class(self._opened, gzip=True, warc_version="1.1")
        told = {"software": "Quire", "format": "WARC File Format 1.1"}
        told["description"] = self._description
        self._writer.write_record(self._writer.create_warcinfo_record(self._file.name, told))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._opened.close()

    def add(self, asked: str, answer: SiteResponse[bytes]) -> None:
        """Write an answer of status 200 to who asked for an address."""
        body = answer.body or b""
        kept = [(n, v) for n, v in answer.headers.multi_items() if n.lower() not in _DROPPED]
        headers = _import_warcio().statusandheaders.StatusAndHeaders(
            "200 OK", [*kept, ("Content-Length", str(len(body)))], protocol="HTTP/1.1"
        )
        if normalise_url(asked) != normalise_url(answer.url):
            via = BytesIO(f"via: {asked}\r\n".encode())
            self._writer.write_record(
                self._writer.create_warc_record(
                    answer.url, "metadata", payload=via, warc_content_type=_FIELDS
                )
            )
        self._writer.write_record(
            self._writer.create_warc_record(
                answer.url, "response", payload=BytesIO(body), http_headers=headers
            )
        )


def read_warc(file: Path, asked: Collection[str]) -> dict[str, SiteResponse[bytes]]:
    """The answers to who asks for these addresses, by address; the last one where there are more.

    Any WARC file will do, also of other programs. Bodies that are larger than a page may be are
    passed over.

    Raises:
        InputError: it cannot be read, or is no such file.
    """
    by_uri = {normalise_url(one): one for one in asked}
    found: dict[str, SiteResponse[bytes]] = {}
    try:
        with file.open("rb") as opened:
            for record in _import_warcio().archiveiterator.ArchiveIterator(opened):
                uri = normalise_url(record.rec_headers.get_header("WARC-Target-URI") or "")
                if record.rec_type == "metadata" and (via := _read_via(record)) in by_uri:
                    by_uri[uri] = by_uri[via]
                elif uri in by_uri and (answer := _read_answer(record)):
                    found[by_uri[uri]] = answer
    except OSError as error:
        raise InputError(f"{file} could not be read ({error.strerror}).") from error
    except InputError:
        raise
    except Exception as error:  # whatever a file that is none does to its reader
        raise InputError(f"{file} is no WARC file, or is damaged.") from error
    return found


def _read_via(record: Any) -> str:
    """The uri of the address that led to a record's; "" where none is named."""
    for line in record.content_stream().read(MAX_BYTES).decode(errors="replace").splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() == "via":
            return normalise_url(value.strip())
    return ""


def _read_answer(record: Any) -> SiteResponse[bytes] | None:
    """An answer with a page that is not too large."""
    headers = record.http_headers
    if record.rec_type != "response" or headers is None or headers.get_statuscode() != "200":
        return None
    body = record.content_stream().read(MAX_BYTES + 1)
    if len(body) > MAX_BYTES:
        return None
    kept = [(n, v) for n, v in headers.headers if n.lower() not in _DROPPED]
    return SiteResponse(record.rec_headers.get_header("WARC-Target-URI"), httpx.Headers(kept), body)


def _import_warcio() -> Any:
    """The package of the extra `archive`.

    Raises:
        InputError: it is not installed.
    """
    try:
        import warcio  # noqa: PLC0415
        import warcio.archiveiterator  # noqa: PLC0415
        import warcio.statusandheaders  # noqa: PLC0415
        import warcio.warcwriter  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise InputError("WARC files need a package more: pip install 'quire[archive]'.") from error
    return warcio
