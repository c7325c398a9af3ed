# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Receives into memory of a device, and sends from it, over the driver that stands in for CUDA's."""

import inspect

import device_receives
import device_tasks
import pytest

# The process dies when the processor touches memory of a device.
UNREACHABLE = "unreachable"
OTHERS = {"each_device_copies_in_its_context": "unreachable,devices=2"}


def programs(module):
    """Return the names of functions that are programs: those that need nothing."""
    return [
        name
        for name, thing in vars(module).items()
        if inspect.isfunction(thing) and thing.__module__ == module.__name__
        and not name.startswith("_") and not inspect.signature(thing).parameters
    ]


@pytest.mark.parametrize("name", programs(device_receives))
def test_program(run_over_stand_in, name):
    settings = OTHERS.get(name, UNREACHABLE)
    run_over_stand_in(f"import device_receives\ndevice_receives.{name}()", UCXX_CUDA_STAND_IN=settings)


MODES = ("loop", "blocking", "polling", "thread", "thread-polling")


@pytest.mark.parametrize("name", programs(device_tasks))
@pytest.mark.parametrize("mode", MODES)
def test_task(run_over_stand_in, name, mode):
    code = f"import device_tasks\ndevice_tasks.run(device_tasks.{name}, {mode!r})"
    said = run_over_stand_in(code, UCXX_CUDA_STAND_IN=UNREACHABLE)
    assert said.count("the cancel has come too late to give a message") == said.count(device_tasks.STAYED)


def test_a_process_without_a_device(run_over_stand_in):
    run_over_stand_in("import device_without\ndevice_without.run()", UCXX_CUDA_STAND_IN=UNREACHABLE)
