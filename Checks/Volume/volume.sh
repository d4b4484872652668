#!/usr/bin/env bash
# 30 minutes
# Runs the Swift tests in full where Scripts/test runs a sample: more seeds, phones and prefixes.
# Scripts/check volume [ARGUMENT …] passes its arguments to swift test.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
export SEALEDPUSH_VOLUME=whole
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-4}
Scripts/prepare

swift build --build-tests
exec swift test --skip-build "$@"
