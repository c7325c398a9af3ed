# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Comments that a reader cannot understand alone: they go on with what another one says."""

import dataclasses
import re

# A comment, behind code or on a line of its own.
COMMENT = re.compile(r"""^(?P<code>(?:[^"'/]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|/(?!/))*)//[/!<]*\s?(?P<text>.*)$""")
GOES_ON = re.compile(r"(?:Of|Or|It|Its|The same)\b|\.\.\.")


@dataclasses.dataclass
class Comment:
    """One comment, of one line or several."""

    line: int
    text: str

    @property
    def goes_on(self):
        """Whether it leans on another one."""
        return GOES_ON.match(self.text) is not None


def comments(text):
    """Yield the comments of a source, but for its licence."""
    begun = None  # what the lines before this one have
    for number, line in enumerate(text.split("\n"), 1):
        match = COMMENT.match(line)
        alone = match is not None and not match["code"].strip()
        if alone and begun is not None and match["text"]:
            begun.text += " " + match["text"]
            continue
        if begun is not None:
            yield begun
            begun = None
        if match is None or not match["text"] or match["text"].startswith(("SPDX", "Copyright", "clang-format")):
            continue
        begun = Comment(number, match["text"])
        if not alone:
            yield begun
            begun = None
    if begun is not None:
        yield begun
