#!/usr/bin/env bash
# 2 minutes
# Sends through Debian's squid and tinyproxy, with a password and without, to the stand-in for APNs.
# Scripts/check proxy [squid] [tinyproxy]
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
for part in "$@"; do
  case $part in
    squid | tinyproxy) ;;
    *) echo "there is no part '$part', but squid and tinyproxy" >&2; exit 64 ;;
  esac
done
Scripts/prepare
missing=()
for package in squid tinyproxy-bin openssl util-linux; do
  dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
for product in sealpush sealpushd; do swift build --product "$product"; done
exec .build/oracles/bin/python Checks/Proxy/proxy.py "$(swift build --show-bin-path)" "$@"
