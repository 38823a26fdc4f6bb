"""Bodies come out of their Content-Encoding a step at a time."""

import gzip
import zlib
from collections.abc import AsyncIterator, Callable

import hostile_documents as hostile
import httpx
import pytest
from fakes.server import Fake
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from connectors.http.decompress import STEP_BYTES, decompress_in_steps
from connectors.http.safe_client import make_safe_client

PACKED: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "X-GZIP": gzip.compress,
    "deflate": zlib.compress,
    "deflate ": lambda body: zlib.compress(body)[2:-4],
    "utf-8": lambda body: body,
    "identity": lambda body: body,
    "": lambda body: body,
}


async def parts(body: bytes, packing: str, size: int = 65_536) -> list[bytes]:
    """What a reader gets of a body that came over the network in pieces of a size."""

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(body), size):
            yield body[at : at + size]

    response = httpx.Response(200, headers={"Content-Encoding": packing}, content=pieces())
    await decompress_in_steps(response)
    return [part async for part in response.aiter_bytes()]


@given(st.sampled_from(sorted(PACKED)), st.binary(max_size=3_000), st.integers(1, 999))
async def test_a_body_comes_out_whole(packing: str, body: bytes, size: int) -> None:
    assert b"".join(await parts(PACKED[packing](body), packing, size)) == body


@pytest.mark.parametrize("packing", ["gzip", "deflate"])
async def test_no_piece_is_larger_than_a_step(packing: str) -> None:
    bomb = PACKED[packing](b" " * 5 * STEP_BYTES)
    found = await parts(bomb, packing)
    assert len(b"".join(found)) == 5 * STEP_BYTES
    assert max(map(len, found)) <= STEP_BYTES


@pytest.mark.parametrize("packing", ["gzip, gzip", "zstd", "br", "gzip,br"])
async def test_what_was_not_asked_for_is_not_unpacked(packing: str) -> None:
    with pytest.raises(httpx.DecodingError):
        await parts(gzip.compress(gzip.compress(b"a page")), packing)


async def test_what_stands_behind_the_end_is_left() -> None:
    taken: list[int] = []

    async def endless() -> AsyncIterator[bytes]:
        yield gzip.compress(b"a page") + b"x"
        while len(taken) < 99:
            taken.append(1)
            yield b"x"

    response = httpx.Response(200, headers={"Content-Encoding": "gzip"}, content=endless())
    await decompress_in_steps(response)
    assert await response.aread() == b"a page"
    assert taken == []


async def test_the_client_asks_for_what_is_unpacked_in_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    async def page(request: Request) -> Response:
        asked.append(request.headers["accept-encoding"])
        return Response(hostile.gzip_bomb(20), headers={"Content-Encoding": "gzip"})

    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
    with Fake([Route("/", page)]) as server:
        async with make_safe_client() as client, client.stream("GET", server.url) as answer:
            sizes = [len(part) async for part in answer.aiter_bytes()]
    assert asked == ["gzip, deflate"]
    assert (sum(sizes), max(sizes)) == (20 * 2**20, STEP_BYTES)
