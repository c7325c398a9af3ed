# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How the library is initialised when a name of `ucxx.shmem` is first used."""

from __future__ import annotations

import os
from collections.abc import Callable

_DEFAULTS: dict[str, bool | str | None] = {
    "initialize": True, "threads": False, "thread_level": "multiple", "finalize": None}
_LEVELS = ("single", "funneled", "serialized", "multiple")
_TRUTHS = {"1": True, "yes": True, "true": True, "on": True,
           "0": False, "no": False, "false": False, "off": False}


class Rc:
    """What `ucxx.shmem` does at its first use and at the end; set after the import, before that.

    Each can come from the environment, too: UCXX_SHMEM_RC_INITIALIZE=no. What the program sets counts
    more, until it deletes it: `del rc.threads`. Copies, and pickles, are settings by themselves.

    Attributes:
        initialize: whether the first use initialises the library.
        threads: whether it asks for `thread_level`; else for threads of which one calls the library.
        thread_level: 'single', 'funneled', 'serialized' or 'multiple'.
        finalize: whether the end of the program finalises the library. None is as True.
    """

    __module__ = "ucxx.shmem"

    initialize: bool
    threads: bool
    thread_level: str
    finalize: bool | None

    def __init__(self) -> None:
        """Take the defaults, and what the environment says."""
        for name in _DEFAULTS:
            delattr(self, name)

    def __call__(self, **settings: bool | str | None) -> None:
        """Set several at once.

        Raises:
            TypeError: there is no setting of a name.
            ValueError: a value is none of its setting.
        """
        for name, value in settings.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        """Set one. Raises as a call does."""
        if name not in _DEFAULTS:
            raise TypeError(_unknown(name))
        if name == "thread_level":
            right = value in _LEVELS
        else:
            right = isinstance(value, bool) or (value is None and name == "finalize")
        if not right:
            raise ValueError(f"rc: {name} = {value!r}: must be {_choices(name)}")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        """Set one to what the environment says, else to the default."""
        if name not in _DEFAULTS:
            raise AttributeError(_unknown(name))
        text = os.environ.get(f"UCXX_SHMEM_RC_{name.upper()}")
        setattr(self, name, _DEFAULTS[name] if text is None else _value(name, text))

    def __reduce__(self) -> tuple[Callable[..., Rc], tuple[dict[str, bool | str | None]]]:
        """Have a copy made by a function: pickle does not find the class where `__module__` says."""
        return _copy, (vars(self),)

    def __repr__(self) -> str:
        """Return where it is; `vars(rc)` has the settings."""
        return "<ucxx.shmem.rc>"

    @property
    def level(self) -> int:
        """The level of threads to ask for, one of THREAD: its values are the library's."""
        from ucxx.shmem._constants import THREAD

        return THREAD[self.thread_level.upper()] if self.threads else THREAD.SINGLE


def _copy(settings: dict[str, bool | str | None]) -> Rc:
    made = Rc()
    made(**settings)
    return made


def _unknown(name: str) -> str:
    return f"rc: there is no setting {name!r}: there are {', '.join(sorted(_DEFAULTS))}"


def _choices(name: str) -> str:
    if name == "thread_level":
        return "one of " + ", ".join(map(repr, _LEVELS))
    return "True, False or None" if name == "finalize" else "True or False"


def _value(name: str, text: str) -> bool | str | None:
    """Return what the environment says of a setting."""
    is_level = name == "thread_level"
    if text.lower() not in (_LEVELS if is_level else _TRUTHS):
        raise ValueError(f"UCXX_SHMEM_RC_{name.upper()}={text}: must be "
                         f"{_choices(name) if is_level else 'yes or no'}")
    return text.lower() if is_level else _TRUTHS[text.lower()]


rc = Rc()
