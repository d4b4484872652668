#!/usr/bin/env bash
# 35 minutes
# Kills workers while they deliver, then also while their store crashes, and counts what was lost or doubled.
# Scripts/check storm [kills | troubles] [JOBS [KILLS [sqlite | postgres]]]
# kills: three workers are killed, messages are cancelled, and APNs makes faults (100,000 jobs, 1,000 kills). troubles:
# besides, the store is restarted, cut off and full, and clocks are an hour wrong (20,000 jobs, 100 kills). As root, its
# disk is a small one.
set -euo pipefail
cd "$(dirname "$0")/../.."
case ${1:-} in
  kills | troubles) parts=$1; shift ;;
  *) parts="kills troubles" ;;
esac
source Checks/Worker/stores
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare
for product in sealpushd worker-storm; do swift build -c release --product "$product" >&2; done
programs=$(swift build -c release --show-bin-path)

# storm PART JOBS KILLS ENGINE: runs one storm.
storm() {
  local list=()
  mkdir "$folder/$4"
  make_disk "$1"
  start_"$4"
  echo "$1, $4:"
  [ "$1" != troubles ] || readarray -t list < <(troubles_of_"$4")
  "$programs/worker-storm" "$programs/sealpushd" "$folder/$4" "$store" "$2" "$3" "${list[@]}" || failed=1
  stop_"$4"
  remove_disk
  rm -r "${folder:?}/$4"
}

failed=0
for part in $parts; do
  defaults=(100000 1000)
  [ "$part" = kills ] || defaults=(20000 100)
  for engine in ${3:-sqlite postgres}; do
    storm "$part" "${1:-${defaults[0]}}" "${2:-${defaults[1]}}" "$engine"
  done
done
exit $failed
