"""The tests themselves reach nothing but this machine."""

import socket

import pytest
from pytest_socket import SocketConnectBlockedError


def test_a_connection_to_elsewhere_is_refused() -> None:
    with pytest.raises(SocketConnectBlockedError):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
