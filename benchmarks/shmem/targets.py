# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a figure has to be: a number, or a multiple of another library's, or several of these."""


def as_shown(value):
    """Round to the digits of the table, so that it does not contradict itself."""
    return float(f"{value:.3g}")


class AtMost:
    """A value in the unit of the programs: nanoseconds, or bytes."""

    def __init__(self, value):
        self.value = value

    def text(self, show):
        """Return '4 ns'."""
        return show(self.value)

    def met(self, row):
        """Tell whether it holds; None where nothing was measured."""
        return row.ours and as_shown(row.ours.median) <= self.value


class Times:
    """So many times what another library takes."""

    def __init__(self, factor, library):
        self.factor, self.library = factor, library

    def text(self, _):
        """Return '0.5x OSHMEM'."""
        return f"{self.factor:g}x {self.library}"

    def met(self, row):
        """Tell whether it holds; None without that library."""
        ratio = row.ratio(self.library)
        return ratio and round(ratio.median, 2) <= self.factor


class Several:
    """All have to hold, or any; None where that depends on what was not measured."""

    def __init__(self, word, *parts):
        self.word, self.parts = word, parts

    def text(self, show):
        """Return '4 ns or 1.2x limit'."""
        return f" {self.word} ".join(part.text(show) for part in self.parts)

    def met(self, row):
        """Tell whether they hold."""
        decides = self.word == "or"
        found = [part.met(row) for part in self.parts]
        if decides in found:
            return decides
        return None if None in found else not decides
