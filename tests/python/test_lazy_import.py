# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""When a name of the package is imported: where it is first used. Each test is a process of its own."""

import ast
import importlib
import inspect
import pkgutil

import pytest

import ucxx

# What is in the process, of what takes its time.
HEAVY = """
import sys

def heavy():
    with open("/proc/self/maps") as maps:
        mapped = {"libucp" for line in maps if "/libucp" in line}
    return sorted(mapped | {"ucxx._core", "asyncio", "numpy"} & set(sys.modules))
"""


@pytest.fixture
def prints(run_python):
    """Return a function that runs a program, that must succeed, and returns what it printed."""

    def run(code, **environment):
        status, said = run_python(code, **environment)
        assert status == 0, said
        return said.rstrip("\n")

    return run


@pytest.mark.parametrize("code", [
    "import ucxx",
    "import ucxx.exceptions, ucxx.testing, ucxx.types, ucxx.utils",
    "from ucxx import UCXError, Tag, TagMaskFull, Feature, get_address, get_ucxpy_logger, types",
    "import ucxx; dir(ucxx); ucxx.utils.get_address('lo')",
])
def test_who_needs_no_ucx_loads_none(prints, code):
    assert prints(f"{HEAVY}\n{code}\nprint(heavy())") == "[]"


@pytest.mark.parametrize("code", [
    "import ucxx; ucxx.build_info()", "import ucxx; ucxx.__version__", "import ucxx.core",
    "from ucxx import init", "from ucxx import *", "from ucxx import _core",
])
def test_who_needs_ucx_loads_it(prints, code):
    assert prints(f"{HEAVY}\n{code}\nprint(heavy())") == "['asyncio', 'libucp', 'ucxx._core']"


def test_each_name_is_there_and_stays(prints):
    names = {*ucxx.__all__, "__version__", "__git_commit__", "__ucx_version__", "testing",
             "UCXError"}  # fmt: skip
    assert prints(f"""
import ucxx
for name in {sorted(names)!r}:
    assert name in dir(ucxx), name
    assert getattr(ucxx, name) is vars(ucxx)[name], name
print("fine")
""") == "fine"


def test_all_names_are_known_before_their_first_use(prints):
    code = "import ucxx; names = set(dir(ucxx)); assert names >= set(ucxx.__all__)\n"
    assert prints(f"{code}from ucxx import *\nprint(set(ucxx.__all__) - set(globals()))") == "set()"


def test_type_checkers_and_programs_find_the_same():
    wanted = {}
    for node in ast.walk(ast.parse(inspect.getsource(ucxx))):
        if isinstance(node, ast.ImportFrom) and node.col_offset:
            wanted |= {alias.name: node.module for alias in node.names}
    only_programs = {"_core", "shmem", "testing"}  # imports tell type checkers
    assert {name: home for name, home in ucxx._HOMES.items() if name not in only_programs} == wanted


@pytest.mark.parametrize(("code", "words"), [
    ("import ucxx; ucxx.nothing", "AttributeError: module 'ucxx' has no attribute 'nothing'"),
    ("from ucxx import nothing", "ImportError: cannot import name 'nothing' from 'ucxx'"),
    ("import ucxx.nothing", "ModuleNotFoundError: No module named 'ucxx.nothing'"),
])
def test_unknown_name(run_python, code, words):
    status, said = run_python(f"{HEAVY}\nimport atexit; atexit.register(lambda: print(heavy()))\n{code}")
    assert status == 1 and f"\n{words}" in said
    assert said.endswith("\n[]\n")


# Threads that use a first name each; whoever hangs is ended by the alarm.
THREADS = """
import faulthandler, os, sys, threading

sys.setswitchinterval(1e-5)

def use(names):
    barrier, failed = threading.Barrier(len(names)), []

    def get(name):
        barrier.wait()
        try:
            exec(name, {})
        except BaseException as error:
            failed.append((name, error))

    threads = [threading.Thread(target=get, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(failed, flush=True)
    os._exit(bool(failed))

for names in NAMES * 5:
    child = os.fork()
    if child == 0:
        faulthandler.dump_traceback_later(20, exit=True)
        use(names)
    assert os.waitpid(child, 0)[1] == 0, names
"""
FIRST = [
    ("import ucxx; ucxx.core", "import ucxx; ucxx.Endpoint"),
    ("import ucxx.core", "import ucxx._asyncio.endpoint", "import ucxx._asyncio.listener"),
    ("from ucxx import init", "from ucxx.core import UCXContext"),
    ("import ucxx; ucxx.build_info()", "from ucxx import _core", "import ucxx; ucxx.__version__"),
    ("from ucxx import *", "import ucxx; ucxx.trace", "import ucxx; ucxx.stats", "import ucxx.utils"),
]


@pytest.mark.parametrize("before", ["", "import ucxx\n"])
def test_threads_that_use_their_first_name_at_once(prints, before):
    said = prints(before + THREADS.replace("NAMES", repr(FIRST)))
    assert set(said.splitlines()) == {"[]"}


# Forks a child for each module, which imports it before any other of the package. What is large and
# not of the package is there already, once for all.
MODULES = """
import os, sys

import dask.dataframe, distributed, matplotlib.figure, numpy
assert not [name for name in sys.modules if name.partition(".")[0] == "ucxx"]

def order(name):
    __import__(name)
    names = list(sys.modules)
    return "ucxx._core" not in names or names.index("ucxx._process.load") < names.index("ucxx._core")

for name in NAMES:
    child = os.fork()
    if child == 0:
        os._exit(0 if order(name) else 1)
    assert os.waitpid(child, 0)[1] == 0, name
print("fine")
"""


def modules():
    """Return the names of all modules but the extension and those that lack what they need."""
    for module in pkgutil.walk_packages(ucxx.__path__, "ucxx."):
        if module.name not in ("ucxx._core", "ucxx.__main__"):
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                assert error.name.partition(".")[0] != "ucxx"
            else:
                yield module.name


def test_any_module_comes_first_and_loads_ucx_before_the_extension(prints):
    names = list(modules())
    assert {"ucxx._asyncio.endpoint", "ucxx.dask.comm", "ucxx.cli.root"} <= set(names)
    assert prints(MODULES.replace("NAMES", repr(names))) == "fine"


@pytest.mark.parametrize("made", [
    "ucxx.UCXConnectionResetError('gone')", "ucxx.Tag(7)", "ucxx.Feature.TAG", "ucxx.create_endpoint",
    "ucxx.get_worker_address()", "ucxx.build_info()",
])
def test_pickles_are_read_where_nothing_has_been_imported(prints, made):
    pickled = prints(f"import pickle, ucxx; print(pickle.dumps({made}))")
    assert prints(f"import pickle; print(type(pickle.loads({pickled})).__name__)") == prints(
        f"import ucxx; print(type({made}).__name__)")


def test_ucx_that_cannot_be_loaded_is_told_each_time(prints):
    assert prints("""
import ucxx

for name in ("core", "core", "init", "__version__", "Endpoint"):
    for use in (f"ucxx.{name}", f"from ucxx import {name}", f"hasattr(ucxx, {name!r})"):
        try:
            exec(use)
        except ImportError as error:
            print(error)
print(ucxx.UCXError.__name__)
""", UCXX_UCX="/nowhere").splitlines() == [
        *["UCXX_UCX=/nowhere: there is no lib/libucp.so.0"] * 15, "UCXError"]


def test_package_ends_after_the_handlers_that_its_import_precedes(prints):
    assert prints("""
import atexit, logging, ucxx

logging.basicConfig(format="%(name)s: %(message)s")
atexit.register(lambda: ucxx._core._log(1, "the last line"))
ucxx.core
""") == "ucxx.program: the last line"


def test_package_ends_with_a_process_that_has_used_nothing(prints):
    assert prints("import ucxx") == ""
