# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# What each command needs from Debian (need_packages) and from PyPI (the others).

PACKAGES_BUILD="g++ cmake ninja-build pkg-config git ca-certificates libasio-dev libcli11-dev
  libfmt-dev libssl-dev nlohmann-json3-dev libgtest-dev libbenchmark-dev"
PACKAGES_TEST="clang libclang-rt-dev libucx-dev iproute2 python3"
PACKAGES_LINT="clang-format clang-tidy"
PACKAGES_DOCS="doxygen"
PACKAGES_OSHMEM="openmpi-bin libopenmpi-dev"

# need_packages NAME...: installs those that are missing, or says how and exits.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "dev: not a Debian; needed here under their names there: $*" >&2
    return 0
  fi
  # A .venv that is already there, or a python3 that is not Debian's, does without python3-venv.
  python3=$(command -v python3 || echo /usr/bin/python3)
  if [ ! -x .venv/bin/python ] && [ "$python3" = /usr/bin/python3 ]; then
    set -- "$@" python3-venv
  fi
  installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true)"
  missing=
  for package; do
    case $installed in
    *" installed:$package "*) ;;
    *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0

  install="apt-get install -y --no-install-recommends$missing"
  if [ "$(id -u)" = 0 ]; then
    sudo=
  elif sudo -n true 2>/dev/null; then
    sudo="sudo -n"
  else
    echo "dev: these packages are missing; install them with" >&2
    echo "sudo $install" >&2
    exit 1
  fi
  echo "dev: $install" >&2
  apt="$sudo env DEBIAN_FRONTEND=noninteractive"
  # The lists may be absent or old: try, then refresh them once.
  $apt $install >&2 </dev/null || { $apt apt-get update >&2 && $apt $install >&2 </dev/null; }
}

# need_oshmem: Debian's OSHMEM, beside which OpenSHMEM is measured. Where it cannot be installed the
# tables say so.
need_oshmem() {
  (need_packages $PACKAGES_OSHMEM) || echo "dev: OpenSHMEM is measured without OSHMEM beside it" >&2
}

# need_python NAME: the packages of tools/requirements/NAME.txt, in .venv. A copy of the file in
# .venv tells what is installed.
need_python() {
  wanted=tools/requirements/$1.txt
  stamp=.venv/$1.txt
  if [ -x .venv/bin/python ] && cmp -s "$wanted" "$stamp"; then
    return 0
  fi
  echo "dev: installing $wanted into .venv" >&2
  [ -x .venv/bin/python ] || python3 -m venv --clear .venv >&2
  .venv/bin/python -m pip install --quiet --no-cache-dir --disable-pip-version-check \
    -r "$wanted" >&2 </dev/null
  cp "$wanted" "$stamp"
}

# need_extension: what the Python package is built and tested with. The headers of Debian's Python
# are a package of their own.
need_extension() {
  python=.venv/bin/python
  [ -x "$python" ] || python=$(command -v python3)
  case $(readlink -f "$python") in
  /usr/bin/*) need_packages python3-dev ;;
  esac
  need_python python
}

# need_peers: the wheels of tools/requirements/peers.txt, each in build/peers/NAME.
need_peers() {
  wanted=tools/requirements/peers.txt
  stamp=build/peers/installed
  if cmp -s "$wanted" "$stamp"; then
    return 0
  fi
  echo "dev: installing $wanted into build/peers" >&2
  rm -rf build/peers
  sed '/^#/d' "$wanted" | while read -r package; do
    .venv/bin/python -m pip install --quiet --no-cache-dir --disable-pip-version-check --no-deps \
      --ignore-installed --prefix "$PWD/build/peers/${package%%=*}" "$package" >&2 </dev/null
  done
  cp "$wanted" "$stamp"
}

# need_distributed: other versions of Dask, of tools/requirements/distributed.txt, each in build/peers/distributed-VERSION.
need_distributed() {
  wanted=tools/requirements/distributed.txt
  sed '/^#/d' "$wanted" | while read -r version; do
    folder=build/peers/distributed-$version
    [ -e "$folder/installed" ] && continue
    echo "dev: installing distributed $version into $folder" >&2
    rm -rf "$folder"
    .venv/bin/python -m pip install --quiet --no-cache-dir --disable-pip-version-check --no-deps \
      --target "$folder" "dask==$version" "distributed==$version" >&2 </dev/null
    touch "$folder/installed"
  done
}

# need_rapids: tools/requirements/rapids.txt in build/rapids. Where it cannot be installed the demo
# does without, and says so.
need_rapids() {
  wanted=tools/requirements/rapids.txt
  stamp=build/rapids/installed
  if cmp -s "$wanted" "$stamp"; then
    return 0
  fi
  echo "dev: installing $wanted into build/rapids" >&2
  if .venv/bin/python -m venv --clear build/rapids >&2 &&
    build/rapids/bin/python -m pip install --quiet --no-cache-dir --disable-pip-version-check \
      -r "$wanted" >&2 </dev/null; then
    cp "$wanted" "$stamp"
  else
    rm -rf build/rapids
  fi
}

# need_ucx: the wheel, unless another UCX is asked for.
need_ucx() {
  case ${UCXX_UCX:-auto} in
  auto | wheel) need_python ucx ;;
  system) need_packages libucx-dev ;;
  esac
}
