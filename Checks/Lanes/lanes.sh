#!/usr/bin/env bash
# 20 minutes
# Compares messages and signatures computed eight at a time with those computed alone, and the paths of secrets.
# Scripts/check lanes [COUNT]
# COUNT messages of each suite, with libcrypto_mb of Debian 13 and of Debian's unstable release: by default 100,000, or 4,096
# where the processor lacks AVX-512 IFMA and an emulated one has it. It needs root. A real one is also single-stepped.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "this check unpacks systems, so it needs root" >&2; exit 77; }
source Checks/systems.sh
grep -qw avx512ifma /proc/cpuinfo && isEmulated= || isEmulated=1
count=${1:-$([ "$isEmulated" ] && echo 4096 || echo 100000)}
mkdir -p .build/lanes
work=$(mktemp -d -p "$PWD/.build/lanes")
trap 'rm -rf "$work"' EXIT

swift build -c release --product lanes-proof --static-swift-stdlib >&2
proof=$(swift build -c release --show-bin-path)/lanes-proof
[ -d .build/debian13/root ] || Checks/Debian13/libraries .build/debian13
libraries=$(echo "$PWD"/.build/debian13/root/usr/lib/*-linux-gnu)
loader=$(echo "$libraries"/ld-linux-*.so.*)
unpack trixie "$work/trixie" libcrypto-mb11
unpack sid "$work/sid" libcrypto-mb12
clang -O1 -Wall -Wextra -Werror -std=gnu11 Checks/Lanes/path.c -o "$work/path"

printf '== %s messages of each suite without lanes\n' "$count"
SEALEDPUSH_LANES=off "$loader" --library-path "$libraries" "$proof" "$count" >"$work/expected"
awk '{ print $1 }' "$work/expected" | uniq -c | sed 's/$/, batches/'

status=0
for release in trixie sid; do
  lanes=$(echo "$work/$release"/usr/lib/*-linux-gnu)
  printf '\n== with %s\n' "$(cd "$lanes" && echo libcrypto_mb.so.[0-9][0-9])"
  # The units of deploy set MemoryDenyWriteExecute, under which memory that is both written and executed cannot be had.
  if readelf -lWd "$lanes"/libcrypto_mb.so.[0-9][0-9] | grep -E 'RWE|TEXTREL' >&2; then status=1; fi
  if [ ! "$isEmulated" ]; then
    "$loader" --library-path "$libraries:$lanes" "$proof" "$count" >"$work/answer" 2>"$work/states"
  else
    Checks/Lanes/emulate "$loader" "$libraries:$lanes" "$proof" "$count" >"$work/output"
    grep -E '^[a-z0-9-]+ [0-9]+ [0-9a-f.]+$' "$work/output" >"$work/answer"
    sed -n 's/^error: //p' "$work/output" >"$work/states"
  fi
  cat "$work/states"
  # Debian 13's library signs wrongly, which the test before its first use must notice.
  case $release in
    trixie) grep -q '^Ed25519: nothing: .* gives wrong answers' "$work/states" || status=1 ;;
    sid) grep -q '^Ed25519: libcrypto_mb' "$work/states" || status=1 ;;
  esac
  [ "$(grep -c ': libcrypto_mb' "$work/states")" -ge 4 ] || { echo "too little is computed in lanes" >&2; status=1; }
  if [ ! "$isEmulated" ]; then
    LD_LIBRARY_PATH=$lanes "$work/path" "$lanes"/libcrypto_mb.so.[0-9][0-9] || status=1
  fi
  if cmp -s "$work/expected" "$work/answer"; then echo "all results are equal"; else
    diff "$work/expected" "$work/answer" | head -n 5 >&2
    status=1
  fi
done
exit $status
