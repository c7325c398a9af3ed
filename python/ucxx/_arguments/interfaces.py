# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Addresses: of this machine's network interfaces, and as a program gives them."""

import contextlib
import fcntl
import os
import socket
import struct

_SIOCGIFADDR = 0x8915  # Linux: sockios.h
_NAME_BYTES = 15
_IPV6 = "/proc/net/if_inet6"  # address, index, length of the prefix, scope, flags, name
_LINK_LOCAL = "20"


def get_address(ifname: str | None = None, use_ipv6: bool = False) -> str:
    """Return the IPv4 address of a network interface, as text.

    Args:
        ifname: its name. None: UCXPY_IFNAME of the environment, else the first interface that has an
            address, the loopback last.
        use_ipv6: return an IPv6 address, which is no link-local one.

    Raises:
        OSError: naming the interface, which is not there or has no such address.
    """
    if use_ipv6:
        return _ipv6_address(ifname or os.environ.get("UCXPY_IFNAME"))
    name = ifname or os.environ.get("UCXPY_IFNAME")
    if name:
        return _address_of(name)
    names = sorted((name for _, name in socket.if_nameindex()), key=lambda name: name == "lo")
    for name in names:
        try:
            return _address_of(name)
        except OSError:
            continue
    raise OSError(f"no interface has an IPv4 address: {', '.join(names) or 'there is none'}")


def is_number(address: str) -> bool:
    """Tell whether an address is an IP address; anything else is a name, whose look-up may take seconds."""
    for family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError):
            socket.inet_pton(family, address)
            return True
    return False


def _ipv6_address(wanted: str | None) -> str:
    try:
        with open(_IPV6, encoding="ascii") as file:
            lines = [line.split() for line in file]
    except FileNotFoundError:  # a kernel without IPv6
        lines = []
    found = [
        (name == "lo", digits)
        for digits, _, _, scope, _, name in lines
        if wanted in (None, "", name) and scope != _LINK_LOCAL
    ]
    if not found:
        where = f"interface {wanted!r} has" if wanted else "no interface has"
        raise OSError(f"{where} {'no' if wanted else 'an'} IPv6 address beyond its own link")
    return socket.inet_ntop(socket.AF_INET6, bytes.fromhex(min(found)[1]))


def _address_of(name: str) -> str:
    encoded = os.fsencode(name)
    if len(encoded) > _NAME_BYTES:
        raise OSError(f"interface {name!r}: a name has at most {_NAME_BYTES} bytes")
    asked = struct.pack("256s", encoded)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        try:
            answer = fcntl.ioctl(any_socket, _SIOCGIFADDR, asked)
        except OSError as error:
            reason = f"interface {name!r} has no IPv4 address: {error.strerror}"
            raise OSError(error.errno, reason) from None
    return socket.inet_ntoa(answer[20:24])
