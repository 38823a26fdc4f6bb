"""Taking a body out of its Content-Encoding, a step at a time.

httpx unpacks at once whatever came over the network at once, 64 KB at most: as gzip that is up to
64 MB, as Zstandard or packed twice up to gigabytes, before a reader can look at how much it was.
"""

import zlib
from collections.abc import AsyncIterator

import httpx

ACCEPT_ENCODING = "gzip, deflate"
"""What may be asked for; httpx would also ask for what it is not unpacked from here."""
STEP_BYTES = 2**20
"""Bytes that are unpacked at once."""

_ENCODINGS = {"gzip", "x-gzip", "deflate", "x-deflate", "br", "zstd", "compress", "x-compress"}
"""Other words stand there, too, such as `utf-8`, and mean nothing."""


async def decompress_in_steps(response: httpx.Response) -> None:
    """Give a response a body that is unpacked step by step: a hook of httpx.

    A body that is packed twice or in another way than `ACCEPT_ENCODING` is a `DecodingError` for
    whoever reads it.
    """
    words = response.headers.get("content-encoding", "").casefold().split(",")
    packings = [word for part in words if (word := part.strip()) in _ENCODINGS]
    if packings and isinstance(response.stream, httpx.AsyncByteStream):
        del response.headers["content-encoding"]  # or httpx would unpack it once more
        response.stream = _DecompressedBody(response.stream, ", ".join(packings).replace("x-", ""))


class _DecompressedBody(httpx.AsyncByteStream):
    def __init__(self, body: httpx.AsyncByteStream, packing: str) -> None:
        self._body = body
        self._packing = packing

    async def __aiter__(self) -> AsyncIterator[bytes]:
        unpack = None
        async for part in self._body:
            unpack, left = unpack or self._make_decompressor(part), part
            while left and not unpack.eof:
                try:
                    yield unpack.decompress(left, STEP_BYTES)
                except zlib.error as error:
                    raise httpx.DecodingError(str(error)) from error
                left = unpack.unconsumed_tail
            if unpack.unused_data:  # it goes on behind its end
                return
        if unpack:
            yield unpack.flush()

    async def aclose(self) -> None:
        await self._body.aclose()

    def _make_decompressor(self, first: bytes) -> "zlib._Decompress":
        if self._packing == "gzip":
            return zlib.decompressobj(zlib.MAX_WBITS | 16)
        if self._packing == "deflate":  # some servers leave out the header of RFC 1950
            headed = first[:1] and first[0] & 15 == zlib.DEFLATED
            return zlib.decompressobj(zlib.MAX_WBITS if headed else -zlib.MAX_WBITS)
        raise httpx.DecodingError(f"the body is packed as {self._packing}")
