#!/usr/bin/env bash
# 3 minutes
# Searches the tool's output and memory for secrets; looks for core files and timing leaks.
# Scripts/check secrets [COUNT [SEED] | TEXT]
# Known secrets go through every command, commands that hold keys are killed, and valgrind watches comparisons.
# COUNT commands are drawn at random, or those that have the TEXT are taken.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare

for product in sealpush sealpushd extension-process poisoned; do swift build --product "$product"; done
bin=$(swift build --show-bin-path)
.build/oracles/bin/python Checks/Secrets/constant_time.py "$bin/poisoned"
.build/oracles/bin/python Checks/Secrets/crashes.py "$bin/sealpush"
exec .build/oracles/bin/python Checks/Secrets/canaries.py "$bin/sealpush" "$@"
