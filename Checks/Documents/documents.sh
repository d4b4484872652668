#!/usr/bin/env bash
# 1 minute
# Runs the documents' commands, follows their links, and looks for the tests and files that they name.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare

swift build --build-tests
exec .build/oracles/bin/python Checks/Documents/check_documents.py "$(swift build --show-bin-path)/sealpush"
