"""Addresses that a visitor is sent on to: only places of this server."""

from urllib.parse import urlsplit


def make_local(path: str) -> str:
    r"""The path if it is one of this server, else its first page.

    Browsers read `//host`, `/\host` and either with a tab in it as another host's address.
    """
    plain = path.isascii() and path.isprintable() and "\\" not in path and " " not in path
    if not plain or not path.startswith("/") or path.startswith("//") or len(path) > 2_000:
        return "/"
    parts = urlsplit(path)
    return "/" if parts.scheme or parts.netloc else path
