#!/usr/bin/env bash
# 10 minutes
# Plants, for each promise of SECURITY.md, the fault that breaks it; the suite that the promise names must notice.
# Scripts/check promises [NUMBER …]. It shares the build of Scripts/check mutants.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare
PYTHONDONTWRITEBYTECODE=1 exec .build/oracles/bin/python Checks/Mutation/promises.py "$@"
