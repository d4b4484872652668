#!/usr/bin/env bash
# 1 minute
# Lets the clients of Examples/coprocess, in Python, Node, Go and Ruby, seal with the tool as a co-process.
# What they get must open, and a co-process that fails must leave them nothing to send.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare
missing=()
command -v go >/dev/null || missing+=(golang-go)
command -v ruby >/dev/null || missing+=(ruby)
if [ ${#missing[@]} -gt 0 ]; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null
fi
swift build --product sealpush
client=.build/coprocess/sealer
mkdir -p "$(dirname $client)"
GOCACHE=$PWD/.build/coprocess/go GOTOOLCHAIN=local go build -o $client Examples/coprocess/sealer.go
.build/oracles/bin/python Checks/Coprocess/clients.py "$(swift build --show-bin-path)/sealpush" \
  python node ruby go="$PWD/$client"
