"""Which addresses webhooks may call: those on the public network, checked at each call.

Python's own `is_global` is not enough: it accepts IPv6 addresses that lead to private IPv4 addresses
(NAT64, 6to4), and differs between versions of Python. The ranges are those of the IANA registries of
special-purpose addresses.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

GLOBAL_IPV6 = ipaddress.ip_network("2000::/3")
"""All that was ever assigned. The rest is loopback, mapped IPv4, NAT64, private and multicast."""
SPECIAL = [
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24",
        "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
        "168.63.129.16/32",  # the host of Azure's virtual machines
        "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
    )
]  # fmt: skip


class AddressError(Exception):
    """An address that may not be called, and why."""


def check_url(url: str) -> None:
    """Raise AddressError unless this address may be called at all."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        host.encode("idna")
    except ValueError:
        raise AddressError(_("This address is invalid. Check the host name and the port.")) from None
    schemes = {"https"} if not settings.WEBHOOKS_TO_PRIVATE else {"https", "http"}
    if parts.scheme not in schemes or not host or parts.username is not None or parts.password is not None:
        raise AddressError(_("A webhook must be an https address without a username or password."))
    if port == 0 or not url.isprintable() or " " in url:
        raise AddressError(_("This address is invalid. Check the host name and the port."))
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        return  # a name, which is resolved at each call
    refuse_private(str(literal))


def public_address(host: str, port: int) -> str:
    """Resolve a host and return the address to connect to; raise AddressError if it has no public one.

    The caller must connect to this very address: a second look-up might answer differently.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError:  # a name with a label that is empty or too long
        raise AddressError(_("This address is invalid. Check the host name and the port.")) from None
    addresses = [str(entry[4][0]) for entry in found]
    public = [address for address in addresses if settings.WEBHOOKS_TO_PRIVATE or is_public(address)]
    if not public:
        refuse_private(addresses[0])
    return public[0]


def refuse_private(address: str) -> None:
    if not settings.WEBHOOKS_TO_PRIVATE and not is_public(address):
        raise AddressError(_("This address is not on the public network."))


def is_public(text: str) -> bool:
    """Return whether an address is on the public network and leads nowhere else."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if address.version == 6 and (address not in GLOBAL_IPV6 or "%" in text):
        return False
    return address.is_global and not any(address in network for network in SPECIAL)
