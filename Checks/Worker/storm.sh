#!/usr/bin/env bash
# 25 minutes
# Kills three workers 1,000 times on each engine while they deliver 100,000 jobs, and counts what was lost or doubled.
#
# storm.sh [--troubles] [JOBS [KILLS [sqlite|postgres]]]: 100000, 1000 and both by default, with faults of APNs. With
# --troubles the store is in trouble, too: Scripts/check troubles.
set -euo pipefail
cd "$(dirname "$0")/../.."
source Checks/Worker/stores
with_troubles=
if [ "${1:-}" = --troubles ]; then with_troubles=1; shift; fi
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare
for product in sealpushd worker-storm; do swift build -c release --product "$product" >&2; done
programs=$(swift build -c release --show-bin-path)
make_disk

failed=0
for engine in ${3:-sqlite postgres}; do
  mkdir "$folder/$engine"
  start_"$engine"
  echo "$engine:"
  list=()
  [ -z "$with_troubles" ] || readarray -t list < <(troubles_of_"$engine")
  "$programs/worker-storm" "$programs/sealpushd" "$folder/$engine" "$store" "${1:-100000}" "${2:-1000}" "${list[@]}" ||
    failed=1
  stop_"$engine"
done
exit "$failed"
