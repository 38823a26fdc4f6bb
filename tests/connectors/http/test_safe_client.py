"""Untrusted addresses: what leads into a network is refused, on every way that leads there."""

import asyncio
import datetime
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from fakes.sites.web_pages import FakeSite
from pytest_socket import SocketConnectBlockedError

from connectors.http import safe_client as safe_http
from connectors.http.safe_client import MAX_REDIRECTS, WebError, is_public, make_safe_client

LookUp = Callable[[dict[str, list[str]]], list[str]]


@pytest.fixture(scope="module")
def running() -> Iterator[FakeSite]:
    """A website on 127.0.0.1."""
    with FakeSite() as site:
        yield site


@pytest.fixture
def site(running: FakeSite) -> FakeSite:
    """The website, which is not let through."""
    running.requests.clear()
    return running


@pytest.fixture
def allowed(site: FakeSite, monkeypatch: pytest.MonkeyPatch) -> FakeSite:
    """The same, let through by its address."""
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "intranet.test, 127.0.0.1")
    return site


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> LookUp:
    """Makes up a name service; returns the names that it was asked for."""

    def make(known: dict[str, list[str]]) -> list[str]:
        asked: list[str] = []

        def look_up(host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
            asked.append(host)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in known[host]]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        return asked

    return make


async def refusal(url: str, seconds: float = 5.0) -> WebError:
    """The error that a request ends in."""
    with pytest.raises(WebError) as caught:
        async with make_safe_client(seconds) as client:
            await client.get(url)
    return caught.value


LOOPBACK = ["127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "127.1", "0177.0.0.1", "0.0.0.0"]
LOOPBACK += ["0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::127.0.0.1]"]
LOOPBACK += ["localhost", "LOCALHOST", "①②⑦.0.0.1", "127。0。0。1"]
LOOPBACK += ["public.test@127.0.0.1", "public.test:80@localhost", "public.test\\@127.0.0.1"]


@pytest.mark.parametrize("host", LOOPBACK)
async def test_this_machine_is_not_asked_however_it_is_written(site: FakeSite, host: str) -> None:
    port = site.url.rpartition(":")[2]
    assert (await refusal(f"http://{host}:{port}/ok")).kind == "refused"
    assert site.requests == []


INSIDE = ["10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.1"]
INSIDE += ["224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "192.0.2.1"]
INSIDE += ["::127.0.0.1", "fc00::1", "fe80::1", "fe80::1%lo", "fec0::1", "ff02::1", "100::1"]
INSIDE += ["::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "2002:7f00:1::", "2001::1"]
INSIDE += ["2001:db8::1", "198.18.0.1"]


@pytest.mark.parametrize("address", INSIDE)
async def test_what_is_not_of_the_public_internet_is_refused(address: str, names: LookUp) -> None:
    assert not is_public(address)
    names({"trap.test": [address]})
    error = await refusal("http://trap.test/")
    assert (error.kind, address in str(error)) == ("refused", False)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.215.14", "2606:4700:4700::1111"])
def test_what_is_public_is_not_refused(address: str) -> None:
    assert is_public(address)


async def test_a_refusal_says_what_to_do() -> None:
    sentence = "localhost is no public host: name it in QUIRE_ALLOWED_HOSTS if it may be read"
    assert str(await refusal("http://localhost/")) == sentence


@pytest.mark.filterwarnings("ignore:A test tried to use")
async def test_of_a_name_s_addresses_only_public_ones_are_connected_to(
    site: FakeSite, names: LookUp
) -> None:
    names({"both.test": ["127.0.0.1", "8.8.8.8"]})
    port = site.url.rpartition(":")[2]
    with pytest.raises(ExceptionGroup) as caught:
        async with make_safe_client() as client:
            await client.get(f"http://both.test:{port}/ok")
    assert caught.group_contains(SocketConnectBlockedError, match=r"8\.8\.8\.8")
    assert site.requests == []


async def test_a_name_is_looked_up_once_and_what_was_checked_is_connected_to(
    allowed: FakeSite, names: LookUp
) -> None:
    """Else it could mean a public address when it is checked, and another one right after."""
    asked = names({"intranet.test": ["127.0.0.1"]})
    port = allowed.url.rpartition(":")[2]
    async with make_safe_client() as client:
        assert (await client.get(f"http://intranet.test:{port}/ok")).text == "a page"
    assert asked == ["intranet.test"]
    assert allowed.headers["host"] == f"intranet.test:{port}"


async def test_a_second_address_is_tried_where_the_first_is_dead(
    allowed: FakeSite, names: LookUp
) -> None:
    names({"intranet.test": ["::1", "127.0.0.1"]})
    port = allowed.url.rpartition(":")[2]
    async with make_safe_client() as client:
        assert (await client.get(f"http://intranet.test:{port}/ok")).status_code == 200


async def test_an_allowed_host_is_allowed_by_the_name_it_is_asked_by(allowed: FakeSite) -> None:
    port = allowed.url.rpartition(":")[2]
    assert (await refusal(f"http://localhost:{port}/ok")).kind == "refused"


@pytest.mark.parametrize(
    "target", ["http://localhost:{port}/ok", "http://10.0.0.1/", "//[::1]:{port}/ok"]
)
async def test_a_redirect_leads_nowhere_that_is_refused(allowed: FakeSite, target: str) -> None:
    url = f"{allowed.url}/to?{target.format(port=allowed.url.rpartition(':')[2])}"
    assert (await refusal(url)).kind == "refused"
    assert allowed.requests == ["GET /to"]


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/", "ws://127.0.0.1/"])
async def test_only_the_web_s_schemes_are_asked(allowed: FakeSite, target: str) -> None:
    assert (await refusal(target)).kind == "refused"
    assert (await refusal(f"{allowed.url}/to?{target}")).kind == "refused"
    assert allowed.requests == ["GET /to"]


async def test_a_redirect_is_followed_without_reading_its_body(allowed: FakeSite) -> None:
    async with make_safe_client(seconds=5) as client:  # the body takes minutes
        answer = await client.get(f"{allowed.url}/to?/ok")
    assert (answer.text, answer.url.path) == ("a page", "/ok")


async def test_a_redirect_without_end_is_left(allowed: FakeSite) -> None:
    error = await refusal(f"{allowed.url}/loop")
    assert (error.kind, str(error)) == ("failed", "127.0.0.1 redirects more than 5 times")
    assert len(allowed.requests) == MAX_REDIRECTS + 1


@pytest.mark.slow
@pytest.mark.parametrize("page", ["slow", "drip", "to?/slow"])
async def test_a_slow_server_costs_the_deadline_and_no_more(allowed: FakeSite, page: str) -> None:
    started = time.monotonic()
    assert (await refusal(f"{allowed.url}/{page}", seconds=0.5)).kind == "timeout"
    assert time.monotonic() - started < 20


@pytest.mark.slow
async def test_a_body_that_is_streamed_has_the_same_deadline(allowed: FakeSite) -> None:
    started = time.monotonic()
    url = f"{allowed.url}/drip"
    async with make_safe_client(seconds=0.5) as client, client.stream("GET", url) as answer:
        with pytest.raises(WebError, match=r"did not answer in time"):
            await answer.aread()
    assert time.monotonic() - started < 20


async def test_a_body_that_is_streamed_comes_whole(allowed: FakeSite) -> None:
    async with make_safe_client() as client, client.stream("GET", f"{allowed.url}/ok") as answer:
        assert await answer.aread() == b"a page"


@pytest.mark.slow
async def test_a_lookup_that_hangs_costs_the_deadline_and_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(15))
    started = time.monotonic()
    errors = await asyncio.gather(*(refusal(f"http://h{n}.test/", 0.5) for n in range(40)))
    assert {error.kind for error in errors} == {"timeout"}
    await asyncio.to_thread(int)  # the threads that all work in are free
    assert time.monotonic() - started < 12


@pytest.mark.parametrize("url", ["", "nothing", "http://", "http://a\nb/", "http://a:x/"])
async def test_what_is_no_web_address_is_refused(url: str) -> None:
    assert (await refusal(url)).kind == "refused"


@pytest.mark.parametrize(
    ("host", "kind"),
    [
        ("gone.invalid", "no host"),
        ("a..b.test", "no host"),
        ("a" * 64 + ".test", "no host"),
        ("silent.test", "failed"),
    ],
)
async def test_a_name_that_is_none_is_told_from_one_that_could_not_be_looked_up(
    host: str, kind: str
) -> None:
    assert (await refusal(f"http://{host}/")).kind == kind


async def test_a_closed_port_is_a_failure(allowed: FakeSite) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    error = await refusal(f"http://127.0.0.1:{port}/")
    assert (error.kind, str(error)) == ("failed", "127.0.0.1 could not be reached")


async def test_the_environment_s_proxies_and_passwords_are_not_used(
    allowed: FakeSite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    async with make_safe_client() as client:
        assert (await client.get(f"{allowed.url}/ok")).status_code == 200
    assert "authorization" not in allowed.headers


async def test_a_certificate_is_checked_against_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: LookUp
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate(tmp_path, "secure.test")))
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "secure.test,other.test")
    names({"secure.test": ["127.0.0.1"], "other.test": ["127.0.0.1"]})
    safe_http.make_tls_context.cache_clear()
    try:
        async with tls_server(tmp_path) as (port, asked), make_safe_client() as client:
            answer = await client.get(f"https://secure.test:{port}/")
            assert (answer.status_code, asked) == (204, ["secure.test"])
            assert (await refusal(f"https://other.test:{port}/")).kind == "failed"
    finally:
        safe_http.make_tls_context.cache_clear()


def certificate(folder: Path, name: str) -> Path:
    """Write a certificate for a name, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    form = serialization.Encoding.PEM
    plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(key.private_bytes(form, *plain))
    (folder / "certificate.pem").write_bytes(made.public_bytes(form))
    return folder / "certificate.pem"


@asynccontextmanager
async def tls_server(folder: Path) -> AsyncIterator[tuple[int, list[str | None]]]:
    """A server on loopback with that certificate; its port, and the names it was asked for."""
    asked: list[str | None] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    def note(connection: ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> None:
        asked.append(name)

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    context.sni_callback = note
    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1], asked
