# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Every function of UCP has a meaning for handles of the library: ucp_names_check.py UCX_HEADERS INCLUDE.

A program that includes ucxx/ucp_condition.h may call any of them. One that is neither answered by the library, nor
refused, nor harmless takes a handle of the library for an address.
"""

import pathlib
import re
import sys
import unittest

UCX, INCLUDE = (pathlib.Path(sys.argv.pop(1)) for _ in range(2))

# They take no handle, one that UCX itself made for the library (a context, a worker), or no part in transfers.
HARMLESS = {
    "ucp_config_modify", "ucp_config_print", "ucp_config_read", "ucp_config_release", "ucp_get_version",
    "ucp_get_version_string", "ucp_lib_query", "ucp_context_query", "ucp_context_print_info", "ucp_mem_print_info",
    "ucp_worker_query", "ucp_worker_print_info", "ucp_worker_release_address", "ucp_worker_address_query",
    "ucp_request_alloc", "ucp_dt_create_generic", "ucp_dt_destroy", "ucp_dt_query", "ucp_memh_buffer_release",
}  # fmt: skip
# Of CUDA's device interface, whose objects come from UCX's endpoints alone, which are refused where they are made.
FOREIGN = "ucp_device_"


def functions(*headers):
    """Return the functions that headers declare."""
    found = set()
    for header in headers:
        text = re.sub(r"/\*.*?\*/|^\s*#[^\n]*(\\\n[^\n]*)*", "", header.read_text(), flags=re.DOTALL | re.MULTILINE)
        found |= set(re.findall(r"\b(ucp_\w+)\s*\([^;{}]*\)\s*(?:UCS_F_DEPRECATED\s*)?[;{]", text))
    return found


class NamesTest(unittest.TestCase):
    """What a source that includes the header may call."""

    def setUp(self):
        """Read both sides."""
        names = "".join((INCLUDE / f"ucxx/{name}.h").read_text() for name in ("ucp_names", "ucp_not_offered", "ucp_calls"))
        self.replaced = set(re.findall(r"#define (ucp_\w+)", names))
        self.of_ucx = functions(UCX / "ucp/api/ucp.h", UCX / "ucp/api/ucp_compat.h")

    def test_each_function_has_a_meaning(self):
        self.assertGreater(len(self.of_ucx), 80)
        unknown = {name for name in self.of_ucx if not name.startswith(FOREIGN)} - self.replaced - HARMLESS
        self.assertEqual(sorted(unknown), [])

    def test_none_is_both(self):
        self.assertEqual(sorted(self.replaced & HARMLESS), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
