#!/usr/bin/env bash
# 15 minutes
# Fails each system call on the project's files, fills disks, and kills the tool while it changes key files.
# Scripts/check faults [calls [--quick | FLOW …] | kills [COUNT [SEED]]]
# calls: each call fails in turn, then disks are full and folders gone; --quick tries a selection. kills: 2,000 kills,
# after which the key files must be whole.
set -euo pipefail
cd "$(dirname "$0")/../.."
case ${1:-} in
  "" | calls | kills) ;;
  *) echo "there is no part '$1', but calls and kills" >&2; exit 64 ;;
esac
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare

for product in sealpush extension-process; do swift build --product "$product"; done
bin=$(swift build --show-bin-path)
python=.build/oracles/bin/python
failed=0
[ "${1:-}" = kills ] || "$python" Checks/Faults/inject.py "$bin" "${@:2}" || failed=1
[ "${1:-}" = calls ] || "$python" Checks/Faults/kill_loop.py "$bin/sealpush" "${@:2}" || failed=1
exit $failed
