#!/usr/bin/env bash
# 20 minutes
# Plants small faults in the code, one at a time; the Swift tests must notice each.
# Scripts/check mutants [FAULT or MODULE …], or promises [NUMBER …]. The first run also builds the package from scratch.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare
PYTHONDONTWRITEBYTECODE=1 exec .build/oracles/bin/python Checks/Mutation/mutants.py "$@"
