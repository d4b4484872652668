#!/usr/bin/env bash
# 1 hour
# Plants small faults in the code, one at a time; the Swift tests must notice each.
# Scripts/check mutants [MODULE, FILE or FAULT …] [--sample N] [--seed N] [--since REV] [--own] | promises [NUMBER …]
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare
PYTHONDONTWRITEBYTECODE=1 exec .build/oracles/bin/python Checks/Mutation/mutants.py "$@"
