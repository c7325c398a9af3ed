#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# check.sh prefix        installs into the build folder, then moves the prefix
# check.sh find_package  builds consumer/ with CMake against the moved prefix, and runs it
# check.sh pkg_config    the same with the compiler and pkg-config alone
# check.sh tools         runs the installed programs
# check.sh shmem         builds programs of OpenSHMEM by oshcc, oshc++, pkg-config, and CMake where
#                        there is no UCX, and runs them
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$UCXX_BUILD_DIR/install-test
prefix=$work/moved
unset LD_LIBRARY_PATH

fail() { echo "check.sh: $*" >&2; exit 1; }

# The loaded libraries of FILE: all found, and nothing of ours or of UCX from the clone.
check_binding() {
  loaded=$(ldd "$1")
  echo "$loaded"
  case "$loaded" in *"not found"*) fail "$1 misses a library" ;; esac
  ucx=$(echo "$loaded" | grep -E 'libuc[a-z_]+\.so' | grep -vF "$prefix/" || true)
  if [ "$UCXX_UCX_KIND" = wheel ] && [ -n "$ucx" ]; then
    fail "$1 loads from outside the prefix: $ucx"
  fi
  if readelf -d "$1" | grep -E 'R(UN)?PATH' | grep -F "$UCXX_SOURCE_DIR" | grep -vF "$work"; then
    fail "$1 has a run path into the clone"
  fi
}

# OpenSHMEM inside a machine needs no UCX, and starts in milliseconds because it loads none.
check_without_ucx() {
  check_binding "$1"
  if ldd "$1" | grep -E 'libuc[pstm]\.so|libucxx\.so|libcrypto'; then fail "$1 loads UCX"; fi
}

case $1 in
prefix)
  rm -rf "$work"
  cmake --install "$UCXX_BUILD_DIR" --prefix "$work/first" >/dev/null
  mv "$work/first" "$prefix"
  check_binding "$prefix/$UCXX_LIBDIR/libucxx.so"
  if grep -rIlF -e "$work/first" -e "$UCXX_SOURCE_DIR/include" "$prefix/$UCXX_LIBDIR/cmake/ucxx" \
      "$prefix/$UCXX_LIBDIR/pkgconfig"; then
    fail "these files name a path of the build"
  fi
  ;;
find_package)
  cmake -S "$here/consumer" -B "$work/find_package" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
  cmake --build "$work/find_package"
  check_binding "$work/find_package/consumer"
  "$work/find_package/consumer"
  check_without_ucx "$work/find_package/consumer_shmem"
  "$prefix/bin/oshrun" -n 2 "$work/find_package/consumer_shmem"
  ;;
pkg_config)
  command -v pkg-config >/dev/null || exit 77
  export PKG_CONFIG_PATH="$prefix/$UCXX_LIBDIR/pkgconfig"
  # shellcheck disable=SC2046 # what pkg-config says is split into words
  "$CXX" -std=c++17 $(pkg-config --cflags ucxx) "$here/consumer/main.cpp" -o "$work/by_pkg_config" \
    $(pkg-config --libs ucxx)
  check_binding "$work/by_pkg_config"
  "$work/by_pkg_config"
  ;;
shmem)
  export UCXX_SHMEM_CXX="$CXX"
  "$prefix/bin/oshcc" -O2 "$here/consumer/shmem.c" -o "$work/by_oshcc"
  "$prefix/bin/oshc++" -O2 "$here/consumer/shmem.cpp" -o "$work/by_oshcxx"
  export PKG_CONFIG_PATH="$prefix/$UCXX_LIBDIR/pkgconfig"
  # shellcheck disable=SC2046 # what pkg-config says is split into words
  cc $(pkg-config --cflags ucxx_shmem) "$here/consumer/shmem.c" -o "$work/by_pkg_config_shmem" \
    $(pkg-config --libs ucxx_shmem)
  cmake -S "$here/consumer/shmem" -B "$work/find_shmem" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF -DCMAKE_DISABLE_FIND_PACKAGE_ucx=ON
  cmake --build "$work/find_shmem"
  for program in by_oshcc by_oshcxx by_pkg_config_shmem find_shmem/by_component; do
    check_without_ucx "$work/$program"
    "$prefix/bin/oshrun" -n 3 "$work/$program"
    "$work/$program"
  done
  ;;
tools)
  for tool in "$prefix"/bin/*; do
    [ -x "$tool" ] || continue
    case $tool in *oshcc | *oshc++) ;; *) check_binding "$tool" ;; esac
    "$tool" --help >/dev/null || fail "$tool --help failed"
  done
  ;;
*) fail "unknown step $1" ;;
esac
