"""A stand-in for LangSmith's tracing intake."""

import email
import email.message
import gzip
import json
from collections.abc import Sequence
from typing import Any

import zstandard
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.server import Fake, failure_headers, pause

INFO: dict[str, Any] = {
    "version": "0.12.0",
    "batch_ingest_config": {
        "use_multipart_endpoint": True,
        "scale_up_qsize_trigger": 1000,
        "scale_up_nthreads_limit": 16,
        "scale_down_nempty_trigger": 4,
        "size_limit": 100,
        "size_limit_bytes": 20971520,
    },
    "instance_flags": {"zstd_compression_enabled": True},
}


class FakeLangSmith(Fake):
    """Takes in whatever the langsmith client sends and keeps it.

    Attributes:
        bodies: Every body that came in on any path, decompressed, refused ones included.
    """

    def __init__(self, *, latency: float = 0.0, faults: Sequence[int] | None = None) -> None:
        """Sets the service up.

        Args:
            latency: Seconds that each delivery of runs takes.
            faults: Statuses for the first deliveries, before the fake behaves.
        """
        routes = [
            Route("/info", self._info),
            Route("/runs", self._run, methods=["POST"]),
            Route("/runs/batch", self._batch, methods=["POST"]),
            Route("/runs/multipart", self._multipart, methods=["POST"]),
            Route("/runs/{run_id}", self._run, methods=["PATCH"]),
            # Bodies sent to paths the fake does not know may hold secrets too.
            Route("/{path:path}", self._unknown, methods=["POST", "PATCH", "PUT"]),
        ]
        super().__init__(routes, latency=latency, faults=faults)
        self.bodies: list[bytes] = []
        self._runs: dict[str, dict[str, Any]] = {}

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The runs in the order they were first heard of, each merged from all its parts."""
        return list(self._runs.values())

    async def _info(self, request: Request) -> Response:
        return JSONResponse(INFO)

    async def _run(self, request: Request) -> Response:
        body = await self._keep(request)
        run = json.loads(body)
        run_id = request.path_params.get("run_id") or run["id"]
        return await self._settle(request, [(run_id, run)])

    async def _batch(self, request: Request) -> Response:
        batch = json.loads(await self._keep(request))
        runs = batch.get("post", []) + batch.get("patch", [])
        return await self._settle(request, [(run["id"], run) for run in runs])

    async def _multipart(self, request: Request) -> Response:
        body = await self._keep(request)
        return await self._settle(request, read_parts(request.headers["content-type"], body))

    async def _unknown(self, request: Request) -> Response:
        await self._keep(request)
        return JSONResponse({"detail": "Not Found"}, 404)

    async def _keep(self, request: Request) -> bytes:
        body = decompressed(await request.body(), request.headers.get("content-encoding", ""))
        self.bodies.append(body)
        return body

    async def _settle(
        self, request: Request, updates: Sequence[tuple[str, dict[str, Any]]]
    ) -> Response:
        """Merges the updates into the runs, unless the delivery is to fail."""
        status = self.refusal(request)
        await pause(request, self.latency)
        if status is not None:
            return JSONResponse({"detail": f"Error {status}"}, status, failure_headers(status))
        for run_id, update in updates:
            run = self._runs.setdefault(run_id, {"id": run_id})
            # An update repeats fields it has no news about as null.
            run |= {key: value for key, value in update.items() if value is not None}
        return JSONResponse({"message": "Runs ingested"}, 202)


def decompressed(body: bytes, encoding: str) -> bytes:
    """Undoes the content encoding of a body."""
    if encoding == "zstd":
        # The client streams into the frame, so its header does not tell the size.
        with zstandard.ZstdDecompressor().stream_reader(body, read_across_frames=True) as reader:
            return reader.read()
    return gzip.decompress(body) if encoding == "gzip" else body


def read_parts(content_type: str, body: bytes) -> list[tuple[str, dict[str, Any]]]:
    """Reads the runs out of a multipart body.

    A part is named "post.<id>" or "patch.<id>" for a run's main fields, with the field's name
    after a further dot for those sent on their own. Feedback and attachments are passed over.

    Args:
        content_type: The content type of the request, with the boundary.
        body: The decompressed body.

    Returns:
        The id and the fields of each part, in order.
    """
    header = f"Content-Type: {content_type}\r\n\r\n".encode()
    updates: list[tuple[str, dict[str, Any]]] = []
    for part in email.message_from_bytes(header + body).walk():
        kind, _, rest = str(part.get_param("name", "", "content-disposition")).partition(".")
        if kind not in {"post", "patch"}:
            continue
        run_id, _, field = rest.partition(".")
        value = json.loads(payload(part))
        updates.append((run_id, {field: value} if field else value))
    return updates


def payload(part: email.message.Message) -> bytes:
    """Gives the raw content of a part."""
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content
