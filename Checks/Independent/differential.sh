#!/usr/bin/env bash
# 1 minute
# Compares our JSON, base64url, AEADs, HPKE and JWK Sets with others' on 10,000 random inputs.
# Scripts/check differential [--seed N] [--cases N]
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare

swift build --product differential
exec .build/oracles/bin/python Checks/Independent/differential.py "$@" "$(swift build --show-bin-path)/differential"
