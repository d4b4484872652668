#!/usr/bin/env bash
# seconds
# Checks .github/workflows offline: GitHub's schema, zizmor's audits, and this project's own rules. Runs none of them.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare
exec env PYTHONDONTWRITEBYTECODE=1 .build/oracles/bin/python Checks/Workflows/check.py
