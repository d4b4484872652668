#!/usr/bin/env bash
# 5 minutes
# Runs the tests of stores in PostgreSQL through PgBouncer in transaction mode, that of Debian 12 and that of 13.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-4}
Scripts/prepare
command -v patchelf >/dev/null || { [ "$(id -u)" = 0 ] || exec sudo "$0" "$@"; apt-get install -y -qq patchelf >/dev/null; }
swift build --build-tests

# A copy of Debian 13's program names that system's loader and libraries.
folder=$PWD/.build/debian13
[ -e "$folder/root/usr/sbin/pgbouncer" ] || Checks/Debian13/libraries "$folder"
libraries=("$folder"/root/usr/lib/*-linux-gnu)
newer=$(mktemp -d)
trap 'rm -rf "$newer"' EXIT
chmod 755 "$newer"
cp "$folder/root/usr/sbin/pgbouncer" "$newer"
patchelf --set-interpreter "$(echo "$libraries"/ld-linux-*.so.*)" --force-rpath --set-rpath "$libraries" "$newer/pgbouncer"

# What these ask of a server's own sessions is not a pooler's.
suites='PoolerTests|DirectoryTests|QueueTests|InboxTests|DeadLetterTests|ChallengeTests|RemovalTests|OutcomeTests'
suites+='|ProofOutboxTests|JointDeviceTests|MovingTests|LeaveTests|RowKeyTests|SealedProofTests|RefusedDeviceTests|CloneTests'
for program in /usr/sbin/pgbouncer "$newer/pgbouncer"; do
  echo "== $("$program" --version | head -n 1)"
  SEALEDPUSH_POOLED=1 SEALEDPUSH_PGBOUNCER=$program swift test --skip-build --filter "PushStoreTests\.($suites)"
done
