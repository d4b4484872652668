#!/usr/bin/env bash
# 10 minutes
# Kills workers while their store is restarted, cut off and full, and while clocks are an hour wrong, and counts what was lost or doubled.
#
# troubles.sh [JOBS [KILLS [sqlite|postgres]]]: 20000, 100 and both by default. As root, the stores are on a small disk.
exec "$(dirname "$0")/storm.sh" --troubles "${1:-20000}" "${2:-100}" "${@:3}"
