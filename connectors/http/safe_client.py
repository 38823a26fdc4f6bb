"""Fetching addresses that come from documents and from the web, and may be a trap.

An address may lead to this machine or into the network around it: to a router, to a cloud's
metadata service, to a database. So the name is looked up here, only public addresses are
connected to, and the connection goes to the very address that was checked: the name cannot mean
another one a moment later. Every hop of a redirect is checked alike. Any port is allowed.

`QUIRE_ALLOWED_HOSTS` names hosts that are let through, as they stand in addresses.
"""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import Future
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address, ip_network
from threading import Thread
from typing import Any, Literal

import httpcore
import httpx

from connectors.http.decompress import ACCEPT_ENCODING, decompress_in_steps
from schema.errors import ConnectorError
from schema.settings import get_settings

SECONDS = 20.0
"""Longest that one request may take, with its redirects and the reading of its body."""

CONNECT_SECONDS = 5.0
READ_SECONDS = 10.0
MAX_REDIRECTS = 5
MAX_ADDRESSES = 2  # of one host that are tried: a machine may only believe that it speaks IPv6

_UNICAST = IPv6Network("2000::/3")
_SPECIAL = tuple(
    map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20"))
)
"""Of IANA's registries of special-purpose addresses, what some version of Python takes for public.
A few in the first and third are public by name, but lead to a service of the network around us."""


class WebError(ConnectorError):
    """A page may not or could not be fetched.

    `kind` is `refused` for what is never asked, `no host` for a name that does not exist,
    `timeout`, or `failed` for all else that goes wrong on the way.
    """

    def __init__(
        self, message: str, kind: Literal["refused", "no host", "timeout", "failed"]
    ) -> None:
        code = "connector_timeout" if kind == "timeout" else "connector_failed"
        super().__init__(message, code=code, retryable=kind == "failed")
        self.kind = kind


def make_safe_client(seconds: float = SECONDS) -> httpx.AsyncClient:
    """A client for addresses that nobody vouches for; what it cannot fetch is a WebError.

    It follows five redirects, and takes neither proxies nor passwords from the environment.

    Args:
        seconds: deadline of each request, from its sending to the last byte of its body.
    """
    return _SafeClient(seconds)


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet's.

    Of IPv6 only global unicast is: what stands for IPv4 (mapped, translated by NAT64, 6to4)
    could mean any address of the network around us.
    """
    ip = ip_address(address)
    if not ip.is_global or any(ip in network for network in _SPECIAL):  # CGNAT's are not global
        return False
    return not ip.is_multicast if isinstance(ip, IPv4Address) else ip in _UNICAST


class _SafeClient(httpx.AsyncClient):
    def __init__(self, seconds: float) -> None:
        super().__init__(
            transport=_SafeTransport(),
            trust_env=False,
            follow_redirects=True,
            max_redirects=MAX_REDIRECTS,
            timeout=httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
            headers={"User-Agent": "Quire", "Accept-Encoding": ACCEPT_ENCODING},
            event_hooks={
                "request": [_check_scheme],
                "response": [_skip_redirect_body, decompress_in_steps],
            },
        )
        self._seconds = seconds

    def build_request(self, method: str, url: httpx.URL | str, **rest: Any) -> httpx.Request:
        try:
            return super().build_request(method, url, **rest)
        except httpx.InvalidURL as error:
            raise WebError("this is no web address", "refused") from error

    async def send(
        self, request: httpx.Request, *, stream: bool = False, **rest: Any
    ) -> httpx.Response:
        host = request.url.host
        deadline = asyncio.get_running_loop().time() + self._seconds
        try:
            async with asyncio.timeout_at(deadline):
                response = await super().send(request, stream=stream, **rest)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            raise _to_web_error(error, host) from error
        if stream and isinstance(response.stream, httpx.AsyncByteStream):
            response.stream = _DeadlineBody(response.stream, host, deadline)
        return response


async def _check_scheme(request: httpx.Request) -> None:
    if request.url.scheme not in ("http", "https"):
        raise WebError("only addresses of http and https are fetched", "refused")


async def _skip_redirect_body(response: httpx.Response) -> None:
    """Httpx would read it to its end, however long it is."""
    if response.has_redirect_location and isinstance(response.stream, httpx.AsyncByteStream):
        await response.stream.aclose()
        response.stream = httpx.ByteStream(b"")


def _to_web_error(error: Exception, host: str) -> WebError:
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        return WebError(f"{host} did not answer in time", "timeout")
    if isinstance(error, httpx.InvalidURL):  # such as javascript:alert(1)
        return WebError(f"{host} redirects to what is no web address", "refused")
    if isinstance(error, httpx.TooManyRedirects):
        return WebError(f"{host} redirects more than {MAX_REDIRECTS} times", "failed")
    if isinstance(error, httpx.ConnectError):
        return WebError(f"{host} could not be reached", "failed")
    return WebError(f"{host} did not answer as a web server does", "failed")


class _DeadlineBody(httpx.AsyncByteStream):
    """A body that is read before its request's deadline or not at all."""

    def __init__(self, body: httpx.AsyncByteStream, host: str, deadline: float) -> None:
        self._body = body
        self._host = host
        self._deadline = deadline

    async def __aiter__(self) -> AsyncIterator[bytes]:
        parts = aiter(self._body)
        while True:
            try:
                async with asyncio.timeout_at(self._deadline):
                    part = await anext(parts)
            except StopAsyncIteration:
                return
            except httpx.DecodingError:  # the page's fault, not the way's: another try is no help
                raise
            except (httpx.HTTPError, TimeoutError) as error:
                raise _to_web_error(error, self._host) from error
            yield part

    async def aclose(self) -> None:
        await self._body.aclose()


class _SafeTransport(httpx.AsyncHTTPTransport):
    """The transport of httpx, with connections made by `_CheckedNetwork`."""

    def __init__(self) -> None:
        super().__init__(verify=make_tls_context())
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=make_tls_context(), network_backend=_CheckedNetwork()
        )


@lru_cache(maxsize=1)
def make_tls_context() -> ssl.SSLContext:
    """Certificates as all of httpx has them. Reading them takes 20 ms."""
    return httpx.create_ssl_context()


class _CheckedNetwork(httpcore.AnyIOBackend):
    """Connects to addresses that were checked.

    The pool begins TLS afterwards, for the host's name: certificates are checked against that.
    """

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  (the signature is httpcore's)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        async with asyncio.timeout(timeout):
            addresses = await _look_up(host, port)
        if not is_allowed(host):
            addresses = [address for address in addresses if is_public(address)]
        addresses = addresses[:MAX_ADDRESSES]
        share = timeout / len(addresses) if timeout and addresses else None
        message = f"{host} is no public host: name it in QUIRE_ALLOWED_HOSTS if it may be read"
        failure: Exception = WebError(message, "refused")
        for address in addresses:
            try:
                return await super().connect_tcp(
                    address, port, share, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure


def is_allowed(host: str) -> bool:
    """Whether `QUIRE_ALLOWED_HOSTS` names a host, which may then stand inside our network."""
    named = (name.strip() for name in get_settings().allowed_hosts.casefold().split(","))
    return host.casefold().rstrip(".") in {name.strip("[]") for name in named if name}


async def _look_up(host: str, port: int) -> list[str]:
    """The addresses of a name, in the system's order.

    In a thread of its own: a lookup can hang for half a minute and cannot be stopped. It must
    neither use up the threads that others work in, nor keep the process from ending.
    """
    answer: Future[list[Any]] = Future()
    answer.set_running_or_notify_cancel()  # whoever gives up waiting does not cancel it
    Thread(target=_resolve, args=(host, port, answer), name="look up", daemon=True).start()
    try:
        found = await asyncio.wrap_future(answer)
    except UnicodeError as error:  # a label of the name is empty or too long
        raise WebError(f"{host} is no host's name", "no host") from error
    except socket.gaierror as error:
        if error.errno in (socket.EAI_NONAME, socket.EAI_NODATA):
            raise WebError(f"there is no host {host}", "no host") from error
        raise WebError(f"the name {host} could not be looked up", "failed") from error
    return list(dict.fromkeys(address[0] for *_, address in found))


def _resolve(host: str, port: int, answer: "Future[list[Any]]") -> None:
    try:
        answer.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError) as error:
        answer.set_exception(error)
