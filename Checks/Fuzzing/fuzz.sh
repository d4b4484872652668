#!/usr/bin/env bash
# 10 minutes
# Fuzzes all code that reads untrusted input, under the address sanitizer.
# Scripts/check fuzz [SECONDS [HARNESS …]]
# Every harness, or those named, runs for that many seconds (60), two at a time, once planted faults have been found.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
shift $(($# > 0))
build=.build/fuzz
work=.build/fuzzing
corpus=Checks/Fuzzing/Corpus
words=Checks/Fuzzing/words.dict
names=("$@")
if [ ${#names[@]} = 0 ]; then names=($(ls "$corpus")); fi
for name in "${names[@]}"; do
  [ -d "$corpus/$name" ] || { echo "there is no harness '$name' among: $(ls "$corpus" | xargs)" >&2; exit 64; }
done
Scripts/prepare delivery

SEALEDPUSH_FUZZING=1 swift build -c release --scratch-path "$build" --sanitize=fuzzer \
  -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld -Xswiftc -enable-testing --product fuzz
fuzz=$PWD/$build/release/fuzz
mkdir -p "$work"
TMPDIR=$(mktemp -d -p /dev/shm)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

# A backtrace would print memory, and the address sanitizer would take it for another fault.
export SWIFT_BACKTRACE=enable=no

# A fuzzer without coverage of the package's modules, or without the address sanitizer, would find nothing.
planted() {
  local log=$work/$1.log
  if FUZZ_TARGET=$1 "$fuzz" -max_len=64 -max_total_time=300 -artifact_prefix="$work/" >"$log" 2>&1; then
    echo "a planted fault was not found: $log"
    exit 1
  fi
  grep -aqE "$2" "$log" || { echo "another fault than the planted one: $log"; exit 1; }
  grep -aqE 'Loaded 1 modules +\([0-9]{5,} ' "$log" || { echo "not all modules are covered: $log"; exit 1; }
}
planted planted-property 'planted-property: BrokenProperty'
planted planted-overflow 'AddressSanitizer: heap-buffer-overflow'
echo "planted faults are found"

run() {
  local name=$1 log=$work/$1.log length=8192 result="nothing found"
  if [ "$name" = blob ]; then length=70000; fi
  mkdir -p "$work/$name"
  FUZZ_TARGET=$name "$fuzz" -max_len=$length -timeout=10 -rss_limit_mb=1024 -max_total_time="$seconds" -dict="$words" \
    -print_final_stats=1 -artifact_prefix="$work/$name-" "$work/$name" "$corpus/$name" >"$log" 2>&1 \
    || { touch "$work/$name.failed"; result="FOUND SOMETHING: $log"; }
  printf '%-24s %12s runs %6s edges  %s\n' "$name" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)" \
    "$(grep -aoE ' cov: [0-9]+' "$log" | tail -n 1 | tr -dc 0-9)" "$result"
}
export -f run
export fuzz work corpus words seconds
rm -f "$work"/*.failed
printf '%s\0' "${names[@]}" | xargs -0 -n 1 -P 2 bash -c 'run "$1"' run
! compgen -G "$work/*.failed" >/dev/null
