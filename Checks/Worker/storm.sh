#!/usr/bin/env bash
# 20 minutes
# Kills three workers 1,000 times on each engine while they deliver 100,000 jobs, and counts what was lost or doubled.
#
# storm.sh [JOBS [KILLS [sqlite|postgres]]]: 100000, 1000 and both by default. A kill every 0.3 seconds, and faults of APNs.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare
for product in sealpushd worker-storm; do swift build -c release --product "$product" >&2; done
programs=$(swift build -c release --show-bin-path)
folder=$(mktemp -d)
as_postgres=()
postgres=$(find /usr/lib/postgresql -maxdepth 2 -name bin | sort -V | tail -n 1)
stop() {
  "${as_postgres[@]}" "$postgres/pg_ctl" -D "$folder/cluster/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT

# A cluster of this check's own, which only a socket in its folder leads to. PostgreSQL does not run as root.
start_postgres() {
  chmod 755 "$folder"
  mkdir "$folder/cluster"
  if [ "$(id -u)" = 0 ]; then
    as_postgres=(runuser -u postgres --)
    chown postgres "$folder/cluster"
  fi
  "${as_postgres[@]}" "$postgres/initdb" -D "$folder/cluster/data" -U postgres -A trust >/dev/null
  "${as_postgres[@]}" "$postgres/pg_ctl" -D "$folder/cluster/data" -l "$folder/cluster/log" -w \
    -o "-k $folder/cluster -c listen_addresses=''" start >/dev/null
}

failed=0
for engine in ${3:-sqlite postgres}; do
  echo "$engine:"
  case $engine in
  sqlite) store=$folder/push.sqlite ;;
  postgres)
    start_postgres
    store="postgresql://postgres@/postgres?host=$folder/cluster"
    ;;
  *) echo "an engine is sqlite or postgres" >&2; exit 64 ;;
  esac
  mkdir "$folder/$engine"
  "$programs/worker-storm" "$programs/sealpushd" "$folder/$engine" "$store" "${1:-100000}" "${2:-1000}" || failed=1
done
exit "$failed"
