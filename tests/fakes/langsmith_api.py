"""A stand-in for LangSmith's tracing intake."""

import email
import json
from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.server import Fake

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
    "instance_flags": {},
}
"""What has the client send runs in multipart bodies, uncompressed."""


class FakeLangSmith(Fake):
    """Takes in whatever the langsmith client sends and keeps it.

    Attributes:
        bodies: Every body that came in, on any path: those that nobody knows may hold secrets too.
    """

    def __init__(self) -> None:
        """Sets the service up."""
        super().__init__(
            [
                Route("/info", self._info),
                Route("/{path:path}", self._keep, methods=["POST", "PATCH", "PUT"]),
            ]
        )
        self.bodies: list[bytes] = []
        self._runs: dict[str, dict[str, Any]] = {}

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The runs in the order they were first heard of, each merged from all its parts."""
        return list(self._runs.values())

    async def _info(self, request: Request) -> Response:
        return JSONResponse(INFO)

    async def _keep(self, request: Request) -> Response:
        body = await request.body()
        self.bodies.append(body)
        if request.url.path != "/runs/multipart":
            return JSONResponse({"detail": "Not Found"}, 404)
        for run_id, update in read_parts(request.headers["content-type"], body):
            run = self._runs.setdefault(run_id, {"id": run_id})
            # An update repeats fields it has no news about as null.
            run |= {key: value for key, value in update.items() if value is not None}
        return JSONResponse({"message": "Runs ingested"}, 202)


def read_parts(content_type: str, body: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    """Reads the id and the fields of each part of a multipart body.

    A part is named "post.<id>" or "patch.<id>" for a run's main fields, with the field's name
    after a further dot for those sent on their own. Feedback and attachments are passed over.
    """
    header = f"Content-Type: {content_type}\r\n\r\n".encode()
    for part in email.message_from_bytes(header + body).walk():
        kind, _, rest = str(part.get_param("name", "", "content-disposition")).partition(".")
        content = part.get_payload(decode=True)
        if kind in {"post", "patch"} and isinstance(content, bytes):
            run_id, _, field = rest.partition(".")
            value = json.loads(content)
            yield run_id, {field: value} if field else value
