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

# stage_python [pytest arguments]: the tests of the Python package in build/dev.
stage_python() {
  results=build/python/results.xml
  rm -f "$results"
  echo "== python"
  if configure dev && cmake --build build/dev --target _core; then
    # 1: tests failed. With anything else what it has written is not the whole truth.
    PYTHONPATH=$PWD/build/dev/python .venv/bin/python -B -m pytest --junit-xml "$results" "$@" ||
      [ $? = 1 ] || rm -f "$results"
  fi
  stages="$stages $results"
}

summary() {
  python3 -B tools/dev/summary.py $stages
}

dev_test() {
  need_packages $PACKAGES_BUILD $PACKAGES_TEST
  need_ucx
  need_extension
  need_peers
  stages=
  if [ "${1:-}" = python ]; then
    shift
    stage_python "$@"
  elif [ $# -gt 0 ]; then
    stage dev -R "$@"
  else
    stage dev
    stage system
    stage fuzz
    stage_python
  fi
  summary
}

# dev_kills [N] [options of ucxx_kills]: for the night, with another seed each time.
dev_kills() {
  need_packages $PACKAGES_BUILD
  need_ucx
  configure_programs
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

# dev_faults [ROW...] [options of ucxx_faults]: the table of docs/faults.md.
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
    echo "usage: ./dev sanitize asan|ubsan|tsan [REGEX]" >&2
    exit 2
    ;;
  esac
  need_packages $PACKAGES_BUILD $PACKAGES_TEST
  need_ucx
  stages=
  preset=$1
  shift
  if [ $# -gt 0 ]; then
    stage "$preset" -R "$@"
  else
    stage "$preset"
  fi
  summary
}
