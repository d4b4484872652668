#!/usr/bin/env bash
# 10 minutes
# Kills three workers 1,000 times while they deliver 100,000 jobs, and counts what was lost, and what came twice.
#
# storm.sh [JOBS [KILLS]]: 100000 and 1000 by default. A kill every 0.3 seconds, and faults of APNs meanwhile.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare delivery
for product in sealpushd worker-storm; do swift build -c release --product "$product" >&2; done
programs=$(swift build -c release --show-bin-path)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$programs/worker-storm" "$programs/sealpushd" "$folder" "$folder/push.sqlite" "${1:-100000}" "${2:-1000}"
