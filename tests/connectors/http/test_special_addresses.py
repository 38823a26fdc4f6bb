"""IANA's registries of special-purpose addresses: what they hold is not asked for."""

from ipaddress import ip_network

import pytest

from connectors.http.safe_client import is_public

IPV4 = [
    "0.0.0.0/8", "0.0.0.0/32", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24", "192.0.0.0/29", "192.0.0.8/32", "192.0.0.9/32",
    "192.0.0.10/32", "192.0.0.170/32", "192.0.0.171/32", "192.0.2.0/24", "192.88.99.0/24",
    "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
    "255.255.255.255/32", "224.0.0.0/4",
]  # fmt: skip
IPV6 = [
    "::1/128", "::/128", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64",
    "100:0:0:1::/64", "2001::/23", "2001::/32", "2001:1::1/128", "2001:1::2/128",
    "2001:1::3/128", "2001:2::/48", "2001:3::/32", "2001:4:112::/48", "2001:10::/28",
    "2001:20::/28", "2001:30::/28", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16",
    "fc00::/7", "fe80::/10", "ff00::/8",
]  # fmt: skip
PUBLIC = ["192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24", "2620:4f:8000::/48"]
"""Of the registries, what is reached from everywhere."""


@pytest.mark.parametrize("block", [*IPV4, *IPV6])
def test_no_address_of_a_special_block_is_public(block: str) -> None:
    network = ip_network(block)
    middle = network[network.num_addresses // 2]
    assert not any(is_public(str(one)) for one in (network[0], middle, network[-1]))


@pytest.mark.parametrize("block", PUBLIC)
def test_what_is_reached_from_everywhere_is_public(block: str) -> None:
    assert is_public(str(ip_network(block)[1]))


@pytest.mark.parametrize(
    "address",
    ["191.255.255.255", "192.0.1.0", "192.88.98.255", "192.88.100.0", "2001:200::1", "2003::1"],
)
def test_their_neighbours_are_public(address: str) -> None:
    assert is_public(address)
