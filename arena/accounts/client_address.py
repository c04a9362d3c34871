"""Where a request comes from."""

import ipaddress

from django.http import HttpRequest

IPV6_PREFIX = 64
"""The network that a provider assigns to one customer, who can use a new address for each request."""


def client_address(request: HttpRequest) -> str:
    """Return the network address of the client: the peer's, or what a proxy of ARENA_PROXIES says it saw."""
    return str(request.META.get("REMOTE_ADDR") or "unknown")[:64]


def client_network(request: HttpRequest) -> str:
    """Return what rate limits count a client by: its IPv4 address, or its IPv6 network."""
    text = client_address(request)
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:  # a socket, or a name that a proxy made up
        return text
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False))
