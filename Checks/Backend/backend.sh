#!/usr/bin/env bash
# 5 minutes
# Runs the tests of Examples/backend, in Swift and in Python, against the stand-in for APNs and its phones.
# Also runs the code of Documentation/Testing.md and Documentation/Outbox.md, in other languages.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare
swift test --package-path Examples/backend --scratch-path .build/backend
swift build --product sealpush
swift build --product sealpushd
swift build --product Outbox
bin=$(swift build --show-bin-path)
.build/oracles/bin/python Checks/Backend/backend.py "$bin"
.build/oracles/bin/python Checks/Backend/page_code.py "$bin"
.build/oracles/bin/python Checks/Backend/outbox.py "$bin"
