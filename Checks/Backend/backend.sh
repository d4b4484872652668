#!/usr/bin/env bash
# 5 minutes
# Runs the tests of Examples/backend, in Swift and in Python, against the stand-in for APNs and its phones.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare
swift test --package-path Examples/backend --scratch-path .build/backend
swift build --product sealpush
swift build --product sealpushd
.build/oracles/bin/python Checks/Backend/backend.py "$(swift build --show-bin-path)"
