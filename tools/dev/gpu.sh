# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# What runs where a GPU is: packed here, where the compiler is, and run there, where nothing can be
# installed.

# The CPython that machines with a GPU have.
GPU_PYTHON=3.12

# find_gpu_python: an interpreter of that version with its headers; fails where there is none.
find_gpu_python() {
  for python in "python$GPU_PYTHON" "$HOME"/.pyenv/versions/"$GPU_PYTHON".*/bin/python; do
    "$python" - 2>/dev/null <<'END' && return
import os, sys, sysconfig
header = os.path.join(sysconfig.get_path("include"), "Python.h")
sys.exit(not os.path.exists(header) or sys.version_info[:2] != (3, 12))
END
  done
  return 1
}

# need_gpu_python: what find_gpu_python has found, in build/device-python, with what the extensions are
# built with, as tools/requirements/python.txt has it.
need_gpu_python() {
  wanted=$(grep -E '^(nanobind|numpy)==' tools/requirements/python.txt)
  stamp=build/device-python/wanted.txt
  if [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
    return 0
  fi
  echo "dev: installing" $wanted "for $python into build/device-python" >&2
  "$python" -m venv --clear build/device-python >&2
  build/device-python/bin/python -m pip install --quiet --no-cache-dir \
    --disable-pip-version-check $wanted >&2 </dev/null
  echo "$wanted" >"$stamp"
}

dev_gpu_pack() {
  need_packages $PACKAGES_BUILD
  need_python ucx
  need_extension
  if find_gpu_python; then
    carried=extension
    need_gpu_python
    configure device -DPython_EXECUTABLE="$PWD/build/device-python/bin/python"
    cmake --build --preset device
  else
    carried=sources
    echo "dev: no CPython $GPU_PYTHON with its headers: the extension is built where the GPU is" >&2
    configure device -DUCXX_BUILD_PYTHON=OFF
    cmake --build build/device --target ucxx-perftest ucxx-info gpu_facts \
      gpu_stream_tests gpu_bench gpu_ucp_examples
  fi
  .venv/bin/python -B tools/gpu/pack.py build/device .venv/lib/python3*/site-packages build/gpu \
    "$carried"
}

# dev_gpu [NAME...] [--out DIR]: needs nothing but python3 and build/gpu.
dev_gpu() {
  if [ "${1:-}" = pack ]; then
    dev_gpu_pack
    return
  fi
  exec python3 -B tools/gpu --caller "$caller" "$@"
}
