#!/usr/bin/env bash
# 1 minute
# Runs the documents' commands, and follows their links and what they say of tests and files.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare

swift build --build-tests
exec .build/oracles/bin/python Checks/Documents/check_documents.py "$(swift build --show-bin-path)/sealpush"
