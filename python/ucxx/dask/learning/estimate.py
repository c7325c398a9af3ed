# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A latency and a bandwidth that follow what is measured."""

from __future__ import annotations

import math

SHORTEST, _LONGEST = 1e-7, 10.0  # seconds of latency
QUICKEST, _SLOWEST = 1e-13, 1e-3  # seconds of a byte
_STEP = 0.2  # of the error of a prediction, that a transfer corrects
_MOST_ERROR = 1.6  # that is believed of one transfer: a factor of 5
_SPREAD_STEP = 0.1
_MOST_STEPS = 64  # of transfers that are told as one sum: by then nothing is left of what was believed
_SETTLED = 0.01  # error of a sum that more steps need not correct
_IDLE_S = 60.0  # after which little is left of what was learnt, if nothing is transferred


class Estimate:
    """What a transfer takes: `latency` + bytes x `per_byte`, in seconds.

    It begins with what is believed before. Each transfer corrects a fifth of the error of its prediction, the first ones
    more, latency and bandwidth by the share that each has in it. The error is a factor, and a large one counts as 5: a
    transfer that had to wait for something else changes little, and 20 transfers are enough to see a link become 100
    times slower. `spread` is the factor by which transfers usually miss the prediction.
    """

    __slots__ = ("_believed", "_deviation", "_prior", "_sums", "latency", "per_byte", "samples")

    def __init__(self, prior: Estimate | tuple[float, float]) -> None:
        """Begin with another estimate, or with seconds of latency and seconds of a byte."""
        latency, per_byte = (prior.latency, prior.per_byte) if isinstance(prior, Estimate) else prior
        self.latency: float = _between(SHORTEST, latency, _LONGEST)
        self.per_byte: float = _between(QUICKEST, per_byte, _SLOWEST)
        self._prior = (self.latency, self.per_byte)
        self.samples = 0
        self._believed = 0.0  # transfers whose correction is still there
        self._deviation = 0.0
        self._sums = 0

    @property
    def prior(self) -> tuple[float, float]:
        """The latency and the seconds of a byte that it began with."""
        return self._prior

    @property
    def spread(self) -> float:
        """The factor by which transfers usually miss the prediction: 1 is never."""
        return math.exp(self._deviation)

    def seconds(self, nbytes: float) -> float:
        """Return what a transfer takes."""
        return self.latency + nbytes * self.per_byte

    def learn(self, count: int, nbytes: int, seconds: float) -> None:
        """Correct it by some transfers, which had so many bytes and took so long in all."""
        each = (nbytes / count, max(seconds / count, SHORTEST))
        if self._sums:  # the first one tells how wrong the prior was
            self._deviation += max(_SPREAD_STEP, 1 / self._sums) * (abs(self._error(*each)) - self._deviation)
        self._sums += 1
        for _ in range(min(count, _MOST_STEPS)):
            self._correct(*each)
            if abs(self._error(*each)) < _SETTLED:
                break
        self.samples += count

    def _error(self, nbytes: float, seconds: float) -> float:
        return math.log(seconds / self.seconds(nbytes))

    def _correct(self, nbytes: float, seconds: float) -> None:
        error = _between(-_MOST_ERROR, self._error(nbytes, seconds), _MOST_ERROR)
        step = error * max(_STEP, 1 / (self._believed + 1))
        share = nbytes * self.per_byte / self.seconds(nbytes)
        step /= share**2 + (1 - share) ** 2  # so the prediction moves by the step, whatever the shares are
        self.latency = _between(SHORTEST, self.latency * math.exp(step * (1 - share)), _LONGEST)
        self.per_byte = _between(QUICKEST, self.per_byte * math.exp(step * share), _SLOWEST)
        self._believed += 1

    def fade(self, idle_s: float) -> None:
        """Go back towards what was believed first: so much time has passed without a transfer.

        A link that was slow for a while, and is not used for that reason, would never be seen to be fast again.
        """
        part = -math.expm1(-idle_s / _IDLE_S)
        self.latency *= (self._prior[0] / self.latency) ** part
        self.per_byte *= (self._prior[1] / self.per_byte) ** part
        self._believed *= 1 - part


def _between(least: float, value: float, most: float) -> float:
    return min(max(value, least), most)
