# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The table, and the report that holds the same."""

from libraries import LIMIT, OSHMEM, OSHMEM_BASIC, UCXX

HEAD = ["figure", "UCXX", "OSHMEM", "ratio", "limit", "ratio", "target", "met?"]
BASIC_HEAD = ["the same", "UCXX", "OSHMEM, --mca scoll ^mpi", "ratio"]


def times_text(ratio):
    """Return '0.52' or '0.004'."""
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.1g}"


class Row:
    """A line with what was measured."""

    def __init__(self, line, found):
        self.line, self.found = line, found
        self.ours = found[UCXX].middle(line.figure)

    def middle(self, library):
        """Return the value of a library, or None."""
        return self.found[library].middle(self.line.figure) if library in self.found else None

    def ratio(self, library):
        """Return UCXX's value as so many times another's, or None."""
        if library not in self.found:
            return None
        return self.found[UCXX].ratio(self.line.figure, self.found[library])

    def met(self):
        """Tell whether the target is met; None without one, or where it was not measured."""
        if not self.line.target:
            return None
        return self.line.figure not in self.found[UCXX].failed and self.line.target.met(self)

    def value_text(self, library):
        """Return '3.81 ns', 'failed' or '-'."""
        if library in self.found and self.line.figure in self.found[library].failed:
            return "failed"
        middle = self.middle(library)
        return self.line.show(middle.median) if middle else "-"

    def ratio_text(self, library):
        """Return '0.52 (0.49 .. 0.61)'."""
        ratio = self.ratio(library)
        if not ratio:
            return "-"
        return "{} ({} .. {})".format(*(times_text(value) for value in (ratio.median, ratio.least, ratio.most)))

    def cells(self):
        """Return the columns."""
        target = f"<= {self.line.target.text(self.line.show)}" if self.line.target else "-"
        met = {True: "yes", False: "NO", None: "-"}[self.met()]
        return [self.line.title, self.value_text(UCXX), self.value_text(OSHMEM), self.ratio_text(OSHMEM),
                self.value_text(LIMIT), self.ratio_text(LIMIT), target, met]

    def basic_cells(self):
        """Return the columns of the second table."""
        return [self.line.title, self.value_text(UCXX), self.value_text(OSHMEM_BASIC),
                self.ratio_text(OSHMEM_BASIC)]

    def json(self):
        """Return it for the report."""
        values = {title: {**middle.json(), "text": self.line.show(middle.median)}
                  for title in self.found if (middle := self.middle(title))}
        ratios = {title: ratio.json() for title in self.found if title != UCXX and (ratio := self.ratio(title))}
        return {"title": self.line.title, "figure": self.line.figure, "bar": self.line.bar, "values": values,
                "ratios": ratios, "met": self.met(),
                "target": self.line.target and self.line.target.text(self.line.show)}


def aligned(cells):
    """Yield the lines of a table; the first is its head."""
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    for number, line in enumerate(cells):
        yield " | ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
        if number == 0:
            yield "-|-".join("-" * width for width in widths)


def text_of(rows):
    """Yield the lines of both tables."""
    yield from aligned([HEAD, *[row.cells() for row in rows]])
    others = [row.basic_cells() for row in rows if row.middle(OSHMEM_BASIC)]
    if others:
        yield ""
        yield from aligned([BASIC_HEAD, *others])
