#!/usr/bin/env bash
# 40 minutes
# Runs the Swift tests in full where Scripts/test runs a sample: more seeds, phones, prefixes and pushes.
# Scripts/check volume [--width TESTS] [ARGUMENT …]
# TESTS run at a time (4). The other arguments are those of swift test: `--width 2 --filter PushDeliveryTests` sends 20,000
# pushes through each fault that a server can have, where none may be lost, and none doubled without being counted.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
export SEALEDPUSH_VOLUME=whole
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-4}
if [ "${1:-}" = --width ]; then
  export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${2:?}
  shift 2
fi
Scripts/prepare

swift build --build-tests
exec swift test --skip-build "$@"
