# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The types that mypy sees: of the extension, of the package, and of programs that use it."""

import enum
import importlib
import inspect
import os
import re
import runpy
import subprocess
import sys

import pytest

import ucxx
from test_docs import programs

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

# What stubtest says of everything that nanobind binds: classes of its metaclass, functions of its
# types. It cannot look into them; into the methods of _core.pat it can.
NOT_SEEN = r"""
ucxx\._core\.\w+
.*\.(__init__|__buffer__|__nb_\w+__|__class_getitem__)
ucxx\._core\.\w+\.(create|from)\w*
"""


def check(root, *arguments):
    """Run a tool of mypy, which must find nothing."""
    done = subprocess.run([sys.executable, "-m", *map(str, arguments)], cwd=root, check=False,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "MYPYPATH": str(root / "python")})
    assert done.returncode == 0, done.stdout


def test_stub_is_that_of_the_extension(root, tmp_path):
    subprocess.run([sys.executable, "-B", root / "tools/stubs", tmp_path / "_core.pyi"], check=True)
    stub = (root / "python/ucxx/_core.pyi").read_text()
    assert (tmp_path / "_core.pyi").read_text() == stub, "the stub is old: run ./dev stubs"


def test_stub_has_the_parameters_of_the_methods(root, tmp_path):
    (tmp_path / "not_seen").write_text(NOT_SEEN)
    check(root, "mypy.stubtest", "ucxx._process.start", "ucxx._core", "--concise", "--ignore-unused-allowlist",
          "--allowlist", tmp_path / "not_seen")


def test_package_is_typed(root):
    check(root, "mypy")


def test_typed_program_is_right(root):
    check(root, "mypy", "tests/python/typed_program.py")


def test_typed_program_runs(root):
    runpy.run_path(str(root / "tests/python/typed_program.py"), run_name="__main__")
    ucxx.reset()


def test_programs_of_the_documents_are_typed(root, tmp_path):
    names = []
    for number, program in enumerate(programs()):
        name = re.sub(r"\W+", "_", program.id)
        names.append(tmp_path / f"{name}_{number}.py")
        names[-1].write_text(program.values[0])
    check(root, "mypy", "--allow-untyped-decorators", *names)  # such as Numba's


@pytest.mark.parametrize("wrong", [
    "ep.send(5)", "ep.tag_send(b'', '7')", "await ep.flush(condition=1)",
    "x: str = await ep.recv(bytearray(1))", "ep.recv(bytearray(1)).wait_on('stream')",
    "await ep.send_multi(5)", "ucxx.create_listener(print, '80')"])
def test_misuse_is_found(wrong, root, tmp_path):
    (tmp_path / "wrong.py").write_text(
        f"import ucxx\n\nasync def use(ep: ucxx.Endpoint) -> None:\n    {wrong}\n")
    with pytest.raises(AssertionError, match="Found 1 error"):
        check(root, "mypy", tmp_path / "wrong.py")


def members(module):
    """Give (name, thing) of each public name of a module, and of its classes."""
    for name in getattr(module, "__all__", vars(module)):
        thing = getattr(module, name)
        if name.startswith("_") or not getattr(thing, "__module__", "").startswith("ucxx"):
            continue
        yield name, thing
        if isinstance(thing, type) and not issubclass(thing, enum.Enum | BaseException):
            for one in set(dir(thing)).difference(dir(int)):
                if not one.startswith("_"):
                    yield f"{name}.{one}", inspect.getattr_static(thing, one)


@pytest.mark.parametrize("module", ["", ".anyio", ".core", ".exceptions", ".testing", ".trio", ".types"])
def test_public_names_have_docstrings(module):
    module = importlib.import_module(f"ucxx{module}")
    assert not [name for name, thing in members(module) if not inspect.getdoc(thing)]
