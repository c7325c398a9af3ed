# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Who imports Dask and does not use ucx:// pays nothing; the others get it without a word more."""

import pytest


def test_importing_distributed_imports_nothing_of_ucxx(run_python):
    status, said = run_python("import sys, distributed\n"
                              "print([name for name in sys.modules if name.partition('.')[0] == 'ucxx'])")
    assert (status, said.strip()) == (0, "[]"), said


def test_the_hook_imports_the_standard_library_only(run_python):
    code = ("import sys; before = {name.partition('.')[0] for name in sys.modules}; import ucxx_dask_hook\n"
            "ucxx_dask_hook.register(None); ucxx_dask_hook.register(None)\n"
            "after = {name.partition('.')[0] for name, module in sys.modules.items() if module}\n"
            "print(after - before - sys.stdlib_module_names)\n"
            "print(sum(type(finder).__module__ == 'ucxx_dask_hook' for finder in sys.meta_path))")
    status, said = run_python(code)
    assert (status, said) == (0, "{'ucxx_dask_hook'}\n1\n")


@pytest.mark.parametrize("first", ["", "import ucxx\n", "import dask\n", "import ucxx.core\n"])
@pytest.mark.parametrize("scheme", ["ucx", "ucxx"])
def test_dask_finds_the_backend(run_python, first, scheme):
    status, said = run_python(f"{first}from distributed.comm.registry import get_backend\n"
                              f"print(type(get_backend({scheme!r})).__module__)")
    assert (status, said.strip()) == (0, "ucxx.dask.backend"), said


def test_dask_cuda_finds_what_it_asks_for(run_python):
    code = """
import distributed, sys
import distributed_ucxx
import dask
distributed_ucxx.config.setup_config()
assert dask.config.get("distributed-ucxx")["create-cuda-context"] is None
import distributed_ucxx.ucxx
assert distributed_ucxx.ucxx.ucxx is None
assert "ucxx" not in sys.modules
import ucxx
ucxx.init()
assert distributed_ucxx.ucxx.ucxx is ucxx
try:
    import distributed_ucxx.other
except ImportError:
    print("fine")
"""
    assert run_python(code) == (0, "fine\n")


def test_another_package_for_the_scheme_is_named(run_python, tmp_path):
    (tmp_path / "distributed_ucxx").mkdir()
    (tmp_path / "distributed_ucxx/__init__.py").write_text("real = True\n")
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import distributed_ucxx
assert distributed_ucxx.real
from distributed.comm.registry import get_backend
get_backend("ucx")
"""
    status, said = run_python(code)
    assert status == 0, said
    assert "distributed-ucxx is installed" in said
    assert "Uninstall one" in said
