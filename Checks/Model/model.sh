#!/usr/bin/env bash
# 3 minutes
# Searches a model of the protocol for attacks: it finds one without each rule, and none with all of them.
# Scripts/check model [--stories] [WORD …]
# Words choose the searches whose line has one of them; --stories prints their messages.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v maude >/dev/null; then
  echo "installing maude"
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq maude >/dev/null
fi
exec python3 Checks/Model/model.py "$@"
