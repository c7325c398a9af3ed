# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What is run: each job gives figures of a library, in nanoseconds or bytes."""

import tempfile
import time

from libraries import LIMIT, Absent, Limits

MS_OF_A_RUN = 2


def read_lines(text, median):
    """Return {figure: value} of what a program printed: `NAME BYTES BEST MEDIAN`."""
    found = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 4 and words[1].isdigit():
            found[f"{words[0]}:{words[1]}"] = float(words[3 if median else 2])
    return found


class Calls:
    """Some figures of calls.c, or of limits.c."""

    def __init__(self, pes, figures, kind="calls", crowded=False):
        self.pes, self.programs_figures, self.kind, self.crowded = pes, figures, kind, crowded

    @property
    def figures(self):
        """Return the names that lines have: 'put:8', or 'barrier@64' for another number of PEs."""
        return [self.name(figure) for figure in self.programs_figures]

    def name(self, figure):
        """Return the name that a line has for a figure of the program."""
        return figure if self.pes == 2 else f"{figure.split(':')[0]}@{self.pes}"

    def take(self, library, wanted):
        """Measure the wanted figures; return them and what was wrong."""
        arguments = [figure for figure in self.programs_figures if self.name(figure) in wanted]
        options = ["-t", MS_OF_A_RUN, *(["-c"] if self.crowded else [])]
        text, wrong = library.run(self.pes, "calls", *options, *arguments, crowded=self.crowded)
        return {self.name(figure): value for figure, value in read_lines(text, median=False).items()}, wrong


class Hello:
    """A job from its start to its end."""

    kind = "start"

    def __init__(self, pes):
        self.pes, self.figures = pes, [f"hello@{pes}"]

    def take(self, library, _):
        """Measure the time."""
        program = "calls" if isinstance(library, Limits) else "hello"
        begin = time.monotonic_ns()
        _, wrong = library.run(self.pes, program, crowded=self.pes > 2)
        return {} if wrong else {self.figures[0]: time.monotonic_ns() - begin}, wrong


class Process:
    """A figure of process.c; memory as more than that of an empty program, which has no wait."""

    kind = "process"

    def __init__(self, what, figures, median=False):
        self.what, self.figures, self.median = what, figures, median

    def take(self, library, _):
        """Measure it."""
        if isinstance(library, Limits) and self.what != "wake":
            raise Absent("an empty program")
        found, wrong = self.run(library)
        if self.what == "memory":
            empty, _ = self.run(Limits(LIMIT, library.folder.parent, library.environment))
            found = {figure: value - empty[figure] for figure, value in found.items()}
        return found, wrong

    def run(self, library):
        """Run the program."""
        text, wrong = library.run(2, "process", self.what)
        found = read_lines(text, self.median)
        return {figure.split(":")[0]: value for figure, value in found.items()}, wrong


class Syntax:
    """How long a compiler reads shmem.h."""

    kind, figures = "syntax", ["syntax"]

    def take(self, library, _):
        """Measure the time."""
        if isinstance(library, Limits):
            raise Absent("no header")
        flags = library.include_flags()
        with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
            print("#include <shmem.h>", file=file, flush=True)
            begin = time.monotonic_ns()
            library.compile("cc", "-std=c11", "-fsyntax-only", *flags, file.name)
            return {"syntax": time.monotonic_ns() - begin}, None
