#!/usr/bin/env bash
# 15 minutes
# Sends 20,000 pushes through each fault that a server can have: none is lost, and none is doubled without being counted.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
export SEALEDPUSH_VOLUME=whole
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-2}
Scripts/prepare

swift build --build-tests
exec swift test --skip-build --filter PushDeliveryTests "$@"
