# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The code in the how-tos is compiled: each block of C++ stands in an example."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ["event_loops.md", "first_transfer.md", "threads_and_progress.md", "which_transport.md"]


def stripped(text):
    """Return the lines of a text without their indentation, each behind a line end."""
    return "".join("\n" + line.strip() for line in text.splitlines() if line.strip()) + "\n"


class HowToTest(unittest.TestCase):
    """Looks at the tree."""

    def test_blocks_stand_in_examples(self):
        """A block that no example has, in one piece, was never compiled."""
        examples = [stripped(path.read_text()) for path in (ROOT / "examples").glob("*.cpp")]
        for page in PAGES:
            text = (ROOT / "docs" / page).read_text()
            for block in re.findall(r"^```cpp\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
                with self.subTest(page=page, block=block):
                    self.assertTrue(any(stripped(block) in example for example in examples))

    def test_links_lead_somewhere(self):
        """A file that is linked is there."""
        for page in PAGES:
            text = (ROOT / "docs" / page).read_text()
            for link in re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", text):
                with self.subTest(page=page, link=link):
                    self.assertTrue((ROOT / "docs" / link).exists())


if __name__ == "__main__":
    unittest.main()
