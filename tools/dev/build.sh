# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# Configure, build, install, and run what was built.

# configured PRESET [cmake arguments]: nothing that it depends on has changed since.
configured() {
  key="$PWD UCXX_UCX=${UCXX_UCX:-} $* $(cat CMakePresets.json tools/requirements/ucx.txt | cksum)"
  [ -f "build/$1/build.ninja" ] && [ "$(cat "build/$1/configured" 2>/dev/null)" = "$key" ]
}

# configure PRESET [cmake arguments]: where that is needed; ninja sees to everything else.
configure() {
  configured "$@" || { cmake --fresh --preset "$@" && echo "$key" >"build/$1/configured"; }
}

# configure_programs: build/dev for who needs no Python package: as it is, or without.
configure_programs() {
  configured dev || configure dev -DUCXX_BUILD_PYTHON=OFF
}

# build PRESET: the targets of the build preset.
build() {
  configure "$1" && cmake --build --preset "$1"
}

# from_caller PATH: the path as the caller meant it; ./dev itself works in the clone.
from_caller() {
  case $1 in
  /*) echo "$1" ;;
  *) echo "$caller/$1" ;;
  esac
}

dev_build() {
  need_packages $PACKAGES_BUILD
  need_ucx
  need_extension
  build dev
}

# Writes the stub of the extension: after each change of what Python sees of the bindings.
dev_stubs() {
  need_packages $PACKAGES_BUILD
  need_ucx
  need_extension
  configure dev
  cmake --build build/dev --target _core
  PYTHONPATH=$PWD/build/dev/python .venv/bin/python -B tools/stubs python/ucxx/_core.pyi
}

# Builds the pages of the whole clone; what Sphinx warns of is an error.
dev_docs() {
  need_packages $PACKAGES_BUILD $PACKAGES_DOCS
  need_ucx
  need_extension
  need_python docs
  configure dev
  cmake --build build/dev --target _shmem
  .venv/bin/python -B -m sphinx --fail-on-warning --quiet -c docs -d build/docs/doctrees \
    . build/docs/html
  echo build/docs/html/index.html
}

dev_install() {
  if [ $# -ne 1 ]; then
    echo "usage: ./dev install PREFIX" >&2
    exit 2
  fi
  need_packages $PACKAGES_BUILD
  need_ucx
  build release
  prefix=$(from_caller "$1")
  cmake --install build/release --prefix "$prefix"
  cat <<EOF

Installed into $prefix, which may be moved. Use it by
  CMake       -DCMAKE_PREFIX_PATH=$prefix, find_package(ucxx), ucxx::ucxx; ucxx::shmem for OpenSHMEM
  pkg-config  PKG_CONFIG_PATH=$prefix/lib/pkgconfig; ucxx, ucxx_shmem
  OpenSHMEM   $prefix/bin/oshcc, oshc++ and oshrun
EOF
}

# The wheel is for the interpreter of .venv.
dev_wheel() {
  need_packages $PACKAGES_BUILD
  need_python ucx
  need_extension
  .venv/bin/python -B tools/dev/portable_wheel.py
}

# Runs every benchmark whose name matches; each writes build/bench/NAME.json.
dev_bench() {
  need_packages $PACKAGES_BUILD
  need_ucx
  if echo prepared | grep -Eq -- "${1:-.}"; then
    need_python ucx
    need_peers  # MPI, beside which prepared transfers are measured
  fi
  build bench
  for program in build/bench/benchmarks/*; do
    if [ ! -f "$program" ] || [ ! -x "$program" ]; then continue; fi
    name=$(basename "$program")
    echo "$name" | grep -Eq -- "${1:-.}" || continue
    "$program" --benchmark_out="build/bench/$name.json" --benchmark_out_format=json
  done
  # The comparisons with other programs, in one run with them.
  if [ -x benchmarks/compare ]; then
    python3 benchmarks/compare --build build/bench --out build/bench "$@"
  fi
  if echo instructions | grep -Eq -- "${1:-.}"; then
    build dev
    python3 -B benchmarks/instructions.py build/dev build/bench
  fi
  if echo choices | grep -Eq -- "${1:-.}"; then
    python3 benchmarks/choices --build build/bench --out build/bench
  fi
  if echo shmem | grep -Eq -- "${1:-.}"; then
    need_oshmem
    need_python demo
    with_matplotlib benchmarks/shmem --build build/bench --out build/bench
  fi
}

# need_compared: what UCXX is built of for a comparison, and the programs that it is compared with.
need_compared() {
  need_packages $PACKAGES_BUILD
  need_ucx
  need_extension
  need_python demo
  need_rapids
  need_oshmem
}

dev_demo() {
  cat <<'EOF'
./dev demo takes about two minutes, and ten more on a fresh machine, which first gets packages and the build. It
sends files between two processes, and then measures, in this order: messages (C++ and Python beside ucx_perftest,
mpi4py, RAPIDS UCXX and asyncio streams), Dask over ucx:// and tcp://, OpenSHMEM in C, OpenSHMEM from Python.
Each part ends with a table; pictures and JSON go to build/demo, and commands to try next stand at the end.

EOF
  need_compared
  # Not the tests, which take most of the time.
  configure dev
  cmake --build build/dev --target ucxx-info ucxx-perftest example_send_files _core _shmem oshrun \
    example_shmem_ring example_shmem_histogram example_shmem_stencil
  mkdir -p build/demo
  for file; do
    shift
    set -- "$@" "$(from_caller "$file")"
  done
  MPLCONFIGDIR=$PWD/build/demo/matplotlib PYTHONPATH=$PWD/build/dev/python \
    .venv/bin/python -B tools/demo/demo.py --build build/dev --out build/demo "$@"
}

# Draws the JSON of ucxx-perftest beside the first file.
dev_plot() {
  [ $# -gt 0 ] || {
    echo "dev: plot needs a file that ucxx-perftest --json has written" >&2
    exit 2
  }
  need_python demo
  for file; do
    shift
    set -- "$@" "$(from_caller "$file")"
  done
  picture=${1%.json}.png
  with_matplotlib tools/demo/sweep.py "$picture" "$@"
  echo "$picture"
}

# with_matplotlib PROGRAM [ARGUMENT...]: a Python program that draws, with the package as it lies in the clone.
with_matplotlib() {
  MPLCONFIGDIR=$PWD/build/matplotlib PYTHONPATH=$PWD/python .venv/bin/python -B "$@"
}

# dev_figures [NAME...]: measures what docs/performance shows, into docs/data. Nothing else should run meanwhile.
dev_figures() {
  python3 -B tools/figures --list "$@" || exit 2
  case " $* " in *" --list "* | *" -h "* | *" --help "*) return ;; esac
  need_compared
  need_peers
  build bench
  configure dev
  cmake --build build/dev --target ucxx-info ucxx-perftest ucxx_kills _core _shmem oshrun
  export XDG_CACHE_HOME="$PWD/build/cache" MPLCONFIGDIR="$PWD/build/matplotlib" PYTHONPATH="$PWD/build/dev/python"
  # The kernels in Python run over Open MPI's OSHMEM as well, where it is installed.
  if [ -x /usr/bin/oshcc ]; then .venv/bin/python -B -m ucxx shmem adapt --oshcc /usr/bin/oshcc; fi
  .venv/bin/python -B tools/figures "$@"
}

# dev_pictures [NAME...]: the pictures and tables of the documents, from docs/data.
dev_pictures() {
  need_python demo
  with_matplotlib tools/pictures/pictures.py "$@"
}
