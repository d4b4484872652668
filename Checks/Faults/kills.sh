#!/usr/bin/env bash
# 5 minutes
# Kills the tool 2,000 times while it changes key files, which must stay whole.
# Scripts/check kills [COUNT [SEED]].
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare

swift build --product sealpush
exec .build/oracles/bin/python Checks/Faults/kill_loop.py "$(swift build --show-bin-path)/sealpush" "$@"
