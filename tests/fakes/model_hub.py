"""A stand-in for a model hub: repositories of files, by commit, with the hashes of large ones."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.server import Fake

COMMIT = "0123456789abcdef0123456789abcdef01234567"

_LARGE = (".onnx", ".onnx_data")
"""What the hub keeps apart, and says the SHA-256 of."""


class FakeHub(Fake):
    """Holds repositories.

    Attributes:
        files: Bytes by repository and path.
        sent: Repository and path of each file that was sent, in order.
        tampered: Bytes that are sent in place of a file's, by path.
        gated: Repositories whose files are for those who asked.
    """

    def __init__(self, faults: Sequence[int] | None = None) -> None:
        """Sets the hub up, with nothing in it."""
        routes = [
            Route("/api/models/{repository:path}", self._info),
            Route("/{owner}/{name}/resolve/{revision}/{path:path}", self._file),
        ]
        super().__init__(routes, faults=faults)
        self.files: dict[str, Mapping[str, bytes]] = {}
        self.sent: list[tuple[str, str]] = []
        self.tampered: dict[str, bytes] = {}
        self.gated: set[str] = set()

    async def _info(self, request: Request) -> Response:
        repository, _, revision = request.path_params["repository"].partition("/revision/")
        if refusal := self._refuse(request, repository, revision):
            return refusal
        files = self.files[repository].items()
        siblings = [_describe(path, content) for path, content in files]
        body = {"id": repository, "modelId": repository, "sha": COMMIT, "siblings": siblings}
        return JSONResponse(body | {"private": False, "tags": [], "downloads": 0, "likes": 0})

    async def _file(self, request: Request) -> Response:
        repository = f"{request.path_params['owner']}/{request.path_params['name']}"
        path = request.path_params["path"]
        if refusal := self._refuse(request, repository, request.path_params["revision"]):
            return refusal
        content = self.files[repository].get(path)
        if content is None:
            return _error(404, "EntryNotFound")
        content = self.tampered.get(path, content)
        headers = {"X-Repo-Commit": COMMIT, "ETag": f'"{hashlib.sha256(content).hexdigest()}"'}
        if request.method == "GET":
            self.sent.append((repository, path))
        return Response(content, headers=headers, media_type="application/octet-stream")

    def _refuse(self, request: Request, repository: str, revision: str) -> Response | None:
        if status := self.refusal(request):
            return _error(status, "")
        if repository not in self.files:
            return _error(401, "RepoNotFound")
        if revision not in ("", "main", COMMIT):
            return _error(404, "RevisionNotFound")
        return _error(403, "GatedRepo") if repository in self.gated else None


def _describe(path: str, content: bytes) -> dict[str, Any]:
    told: dict[str, Any] = {"rfilename": path, "size": len(content)}
    if path.endswith(_LARGE):
        digest = hashlib.sha256(content).hexdigest()
        told["lfs"] = {"size": len(content), "sha256": digest, "pointerSize": 130}
    return told


def _error(status: int, code: str) -> Response:
    return JSONResponse({"error": code}, status, {"X-Error-Code": code} if code else {})
