# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# The tests: ctest and pytest run them, tools/dev/summary.py adds up what it wrote and decides.

# stage PRESET [ctest arguments]: builds and runs; a build that fails is a failed test.
stage() {
  preset=$1
  shift
  results=build/$preset/results.xml
  rm -f "$results"
  echo "== $preset"
  if build "$preset"; then
    # One more than there are processors: many tests wait.
    ctest --preset "$preset" -j "$(($(nproc) + 1))" --output-junit "$PWD/$results" "$@" || true
  fi
  stages="$stages $results"
}

# stage_python PRESET [pytest arguments]: the tests of the Python package in build/PRESET.
stage_python() {
  preset=$1
  shift
  results=build/$preset/python/results.xml
  rm -f "$results"
  echo "== python, $preset"
  if configure "$preset" && cmake --build "build/$preset" --target _core _shmem oshrun ucxx-perftest; then
    # 1: tests failed. With anything else what it has written is not the whole truth.
    env PYTHONPATH="$PWD/build/$preset/python" $(python_environment "$preset") \
      .venv/bin/python -B -m pytest --junit-xml "$results" "$@" || [ $? = 1 ] || rm -f "$results"
  fi
  stages="$stages $results"
}

# What an interpreter without sanitizer needs to load what was built with one. Its own leaks are not ours. Tests take its
# memory away: it is told so then, as without a sanitizer.
python_environment() {
  libstdcxx=$(g++ -print-file-name=libstdc++.so.6)
  case $1 in
  asan) echo "LD_PRELOAD=$(g++ -print-file-name=libasan.so):$libstdcxx ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 PYTHONMALLOC=malloc" ;;
  tsan) echo "LD_PRELOAD=$(g++ -print-file-name=libtsan.so):$libstdcxx" \
    "TSAN_OPTIONS=suppressions=$PWD/tests/sanitizers/tsan.supp:allocator_may_return_null=1 UCX_MEM_MMAP_HOOK_MODE=none" ;;
  ubsan) echo "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1" ;;
  esac
}

summary() {
  python3 -B tools/dev/summary.py $stages
}

dev_test() {
  need_packages $PACKAGES_BUILD $PACKAGES_TEST $PACKAGES_DOCS
  need_ucx
  need_extension
  need_python house
  need_python docs
  need_python demo  # MPI, beside which the kernels of ucxx.benchmarks.prk run
  need_oshmem       # and over which some of them run
  need_peers
  need_distributed
  stages=
  if [ "${1:-}" = python ]; then
    shift
    stage_python dev "$@"
  elif [ $# -gt 0 ]; then
    stage dev -R "$@"
  else
    stage dev
    stage system
    stage fuzz
    stage_python dev
  fi
  summary
}

# dev_kills [N] [options of ucxx_kills]: for the night, with another seed each time.
# dev_kills --shmem [N [SEED]]: PEs of OpenSHMEM.
dev_kills() {
  need_packages $PACKAGES_BUILD
  need_ucx
  configure_programs
  if [ "${1:-}" = --shmem ]; then
    cmake --build build/dev --target oshrun shmem_kills
    python3 -B tests/shmem/kills_check.py "$PWD/build/dev/src/shmem/oshrun" \
      "$PWD/build/dev/tests/shmem/shmem_kills" src/base/phases.h "${2:-2000}" "${3:-$(date +%s)}"
    return
  fi
  cmake --build build/dev --target ucxx_kills
  runs=10000
  case ${1:-} in
  [0-9]*)
    runs=$1
    shift
    ;;
  esac
  build/dev/tests/ucxx_kills --runs "$runs" --json build/kills.json \
    --commit "$(git describe --always --dirty 2>/dev/null || echo unknown)" "$@"
}

# dev_shmem_all: the tests of OpenSHMEM in combinations for which ./dev test has no time: as the release is
# compiled, by clang, and with 16 PEs; more seeds, rounds and kills.
dev_shmem_all() {
  need_packages $PACKAGES_BUILD $PACKAGES_TEST
  need_ucx
  stages=
  for preset in shmem clang; do
    results=build/$preset/results.xml
    rm -f "$results"
    echo "== $preset"
    if configure "$preset" -DUCXX_BUILD_PYTHON=OFF -DUCXX_SHMEM_ALL=ON &&
      cmake --build "build/$preset" --target shmem_tests; then
      ctest --preset "$preset" -R '^shmem\.' -j 2 --output-junit "$PWD/$results" || true
    fi
    stages="$stages $results"
  done
  summary
  dev_kills --shmem
}

# dev_prk_all: the Parallel Research Kernels in C, Numba and NumPy over this OpenSHMEM, OSHMEM, Open MPI and
# MPICH, with 1, 2, 3 and 4 PEs each. ./dev test runs a share of them.
dev_prk_all() {
  need_packages $PACKAGES_BUILD $PACKAGES_TEST
  need_ucx
  need_extension
  need_python demo
  need_peers
  need_oshmem
  stages=
  export UCXX_PRK_ALL=1
  stage_python dev tests/python/shmem/test_prk.py tests/python/shmem/test_prk_wrong.py -q
  summary
}

# dev_shmem_over: the tests of ucxx.shmem over Debian's OSHMEM, and over this library as if it were another one.
# What they lack and do wrong: tests/python/shmem/other_libraries.py.
dev_shmem_over() {
  need_packages $PACKAGES_BUILD $PACKAGES_TEST
  need_ucx
  need_extension
  need_oshmem
  configure_programs
  cmake --build build/dev --target _shmem oshrun
  export XDG_CACHE_HOME="$PWD/build/adapters" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  adapt="env PYTHONPATH=$PWD/build/dev/python .venv/bin/python -B -m ucxx shmem adapt"
  stages=
  $adapt --oshcc build/dev/src/shmem/oshcc --name foreign
  $adapt --oshcc /usr/bin/oshcc --name openmpi --launcher "/usr/bin/oshrun --mca osc ^rdma --oversubscribe"
  for library in foreign openmpi; do
    echo "== over $library"
    UCXX_SHMEM=$library
    export UCXX_SHMEM
    stage_python dev tests/python/shmem -q "$@"
    mv build/dev/python/results.xml "build/dev/python/$library.xml" && stages="${stages%/*}/$library.xml"
  done
  summary
}

# dev_faults [ROW...] [options of ucxx_faults]: the table of docs/explanation/faults.md.
dev_faults() {
  need_packages $PACKAGES_BUILD iproute2
  need_ucx
  configure_programs
  cmake --build build/dev --target ucxx_faults
  build/dev/tests/ucxx_faults --json build/faults.json \
    --commit "$(git describe --always --dirty 2>/dev/null || echo unknown)" "$@"
}

dev_sanitize() {
  case ${1:-} in
  asan | ubsan | tsan) ;;
  *)
    echo "usage: ./dev sanitize asan|ubsan|tsan [REGEX | python [OPTION...]]" >&2
    exit 2
    ;;
  esac
  need_packages $PACKAGES_BUILD $PACKAGES_TEST
  need_ucx
  need_extension
  stages=
  preset=$1
  shift
  if [ "${1:-}" = python ]; then
    shift
    # Installing the package builds it another way, and what a sanitizer keeps looks like a leak; the others start
    # programs of other projects.
    stage_python "$preset" --ignore tests/python/test_package.py --ignore tests/python/test_leaks.py --ignore tests/python/test_load.py \
      --ignore tests/python/test_types.py --ignore tests/python/test_pages.py \
      --ignore tests/python/shmem/test_prk.py --ignore tests/python/shmem/test_prk_wrong.py --ignore tests/python/shmem/test_prk_compare.py \
      --ignore tests/python/shmem/test_ping_pong.py --ignore tests/python/test_cli_shmem.py "$@"
  elif [ $# -gt 0 ]; then
    stage "$preset" -R "$@"
  else
    stage "$preset"
  fi
  summary
}
