#!/usr/bin/env bash
# 10 minutes
# Makes each system call on the project's files fail, and looks at what is left and the next run.
# Then it fills disks and removes folders. Scripts/check faults [FLOW …] runs only these flows; --quick, a selection.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare

for product in sealpush extension-process; do swift build --product "$product"; done
exec .build/oracles/bin/python Checks/Faults/inject.py "$(swift build --show-bin-path)" "$@"
