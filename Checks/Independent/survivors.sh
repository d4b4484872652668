#!/usr/bin/env bash
# 8 minutes
# Takes each rule of FORMAT.md out of the implementation in Python, one at a time: vectors must notice.
# Scripts/check survivors [WORD …]
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare

exec .build/oracles/bin/python Checks/Independent/survivors.py "$@"
