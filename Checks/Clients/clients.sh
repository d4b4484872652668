#!/usr/bin/env bash
# 9 minutes
# Lets other programs and languages work with ours: clients of seal --lines, of HTTP/2, and whole backends.
# Scripts/check clients [coprocess] [http2] [servers] [crowd] [backend]
# coprocess: the clients of Examples/coprocess, in Python, Node, Go and Ruby, and co-processes that fail. http2: curl,
# nghttp, h2load and nghttpd. servers: nginx, haproxy and h2o get pushes. crowd: httpx, aioapns, PyAPNs2, Node and Java
# send pushes to the stand-in. backend: Examples/backend, and the code of Testing.md and Outbox.md, against the stand-in.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
parts=("${@:-coprocess}")
if [ $# = 0 ]; then parts=(coprocess http2 servers crowd backend); fi
for part in "${parts[@]}"; do
  case $part in
    coprocess | http2 | servers | crowd | backend) ;;
    *) echo "there is no part '$part', but coprocess, http2, servers, crowd and backend" >&2; exit 64 ;;
  esac
done
Scripts/prepare

# need PACKAGE …: installs the packages that this machine lacks.
need() {
  local package missing=() as_root=()
  for package in "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

bin=$(swift build --show-bin-path)
python=.build/oracles/bin/python

coprocess() {
  command -v go >/dev/null || need golang-go
  command -v ruby >/dev/null || need ruby
  swift build --product sealpush
  local client=$PWD/.build/coprocess/sealer
  mkdir -p "$(dirname "$client")"
  GOCACHE=$PWD/.build/coprocess/go GOTOOLCHAIN=local go build -o "$client" Examples/coprocess/sealer.go
  "$python" Checks/Clients/coprocess.py "$bin/sealpush" python node ruby go="$client"
}

http2() {
  need nghttp2-client nghttp2-server curl openssl
  swift build -c release --product http2-peer
  Checks/Clients/http2 "$(swift build -c release --show-bin-path)/http2-peer"
}

servers() {
  need nginx-light haproxy h2o openssl
  for product in sealpush sealpushd; do swift build --product "$product"; done
  Checks/Clients/servers "$bin"
}

crowd() {
  need openssl
  command -v java >/dev/null || need default-jdk-headless
  swift build --product sealpushd
  local old=.build/pyapns2/bin/python
  # This library needs older versions of what the others need.
  "$old" -c 'import hyper' 2>/dev/null || {
    /usr/bin/python3 -m venv --clear .build/pyapns2
    .build/pyapns2/bin/pip install --quiet --disable-pip-version-check apns2
  }
  "$python" Checks/Clients/crowd/crowd.py "$bin" "$old"
}

backend() {
  # A package that depends on this one does not turn warnings into errors.
  env -u SEALEDPUSH_STRICT swift test --package-path Examples/backend --scratch-path .build/backend
  for product in sealpush sealpushd Outbox; do swift build --product "$product"; done
  for program in backend page_code outbox; do "$python" "Checks/Clients/$program.py" "$bin"; done
}

for part in "${parts[@]}"; do
  printf '\n== %s\n' "$part"
  "$part"
done
