#!/usr/bin/env bash
# 2 minutes
# Holds the OpenAPI file of the enrolment service against the running server: a phone's whole way, and random requests.
# Scripts/check service [EXAMPLES]
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare
swift build --product sealpush
swift build --product sealpushd
exec .build/oracles/bin/python Checks/Service/service.py "$(swift build --show-bin-path)" "$@"
