#!/bin/bash
# The folder that the package makes for the keys: nobody but the worker's user reads it, and that user rotates a key in it.
set -euo pipefail
own=$(mktemp -d)
trap 'rm -rf "$own" /etc/sealpushd/sender.jwks' EXIT
[ "$(stat -c '%U %G %a' /etc/sealpushd)" = 'sealpushd sealpushd 700' ]
[ "$(stat -c '%U %a' /etc/sealpushd/worker.env)" = 'root 644' ]
sealpush keys new --role sender --out "$own/sender.jwks" --quiet
install -m 600 -o sealpushd -g sealpushd "$own/sender.jwks" /etc/sealpushd
runuser -u sealpushd -- sealpush keys rotate --keys /etc/sealpushd/sender.jwks --quiet | grep -q '"keys"'
