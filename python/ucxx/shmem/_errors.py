# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Exceptions of several classes: the one that tells what is wrong, and those that shmem4py raises there."""


class SizeError(ValueError, AssertionError):
    """More elements than an array has, or not as many as the call wants."""

    __module__ = "ucxx.shmem"


class DtypeError(TypeError, AssertionError, AttributeError):
    """Arrays of dtypes that differ, or of one that has no such operation."""

    __module__ = "ucxx.shmem"


class NotSymmetricError(ValueError, KeyError, AssertionError):
    """Memory that is not symmetric: it never was, or it is freed."""

    __module__ = "ucxx.shmem"
    __str__ = ValueError.__str__  # that of KeyError quotes the text


class HandleError(ValueError, RuntimeError):
    """A team or context that is none, or of which there can be none."""

    __module__ = "ucxx.shmem"
