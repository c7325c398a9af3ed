#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# send_files_check.sh PROGRAM: two processes send files, whose copies must be equal; then a sender
# whose receiver is killed, and wrong arguments.
set -eu
program=$1
export UCX_TLS=tcp UCX_NET_DEVICES=lo
work=$(mktemp -d)
receiver=
trap '[ -z "$receiver" ] || kill -9 "$receiver" 2>/dev/null || true; rm -rf "$work"' EXIT

fail() {
  echo "send_files_check.sh: $*" >&2
  cat "$work"/*.log >&2
  exit 1
}

# Starts a receiver; sets receiver and port.
listen() {
  rm -f "$work/receiver.log"
  timeout 40 "$program" --listen 0 "$work/came" >"$work/receiver.log" 2>&1 &
  receiver=$!
  tries=0
  until port=$(sed -n 's/^listening at port //p' "$work/receiver.log" 2>/dev/null) && [ -n "$port" ]; do
    tries=$((tries + 1))
    [ $tries -lt 400 ] || fail "the receiver did not listen"
    sleep 0.05
  done
}

: >"$work/empty"
printf x >"$work/one byte"
listen
timeout 40 "$program" "127.0.0.1:$port" "$program" "$work/empty" "$work/one byte" "$0" \
  >"$work/sender.log" 2>&1 || fail "the sender failed"
wait "$receiver" || fail "the receiver failed"
receiver=
for file in "$program" "$work/empty" "$work/one byte" "$0"; do
  cmp "$file" "$work/came/$(basename "$file")" || fail "$file differs"
done

if timeout 40 "$program" 127.0.0.1:1 "$0" >"$work/sender.log" 2>&1; then fail "nobody listens"; fi
grep -q '^send_files: ' "$work/sender.log" || fail "no message for a peer that is not there"

status=0
"$program" 2>"$work/sender.log" || status=$?
[ $status = 2 ] || fail "without arguments: status $status"
