#!/bin/bash
# Makes keys, seals, opens and shows a message with the installed tool, as a user who is nobody in particular.
set -euo pipefail
folder=$(mktemp -d)
cd "$folder"
trap 'rm -rf "$folder"' EXIT

sealpush --version
sealpush keys new --role device --out device.jwks 2>/dev/null
sealpush keys new --role sender --out sender.jwks 2>/dev/null
sealpush keys export --keys device.jwks --out device.pub.jwks
sealpush keys export --keys sender.jwks --out sender.pub.jwks
payload='{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"}},"chat":42}'
message=(--topic com.example.app --in sealed.json)
echo "$payload" | sealpush seal --to device.pub.jwks --from sender.jwks --topic com.example.app --out sealed.json
sealpush open --keys device.jwks --senders sender.pub.jwks "${message[@]}" | grep -q 'Lunch at noon?'
sealpush simulate --keys device.jwks --senders sender.pub.jwks "${message[@]}" | grep -q '^body *Lunch at noon?$'
sealpush simulate --keys device.jwks --senders sender.pub.jwks "${message[@]}" --json | grep -q '"outcome":"opened"'
# The passphrase and the password need libsodium and OpenSSL.
echo 'a long passphrase' >words && chmod 600 words
sealpush keys passphrase --keys device.jwks --new-passphrase-file words 2>/dev/null
sealpush open --keys device.jwks --passphrase-file words --senders sender.pub.jwks "${message[@]}" >/dev/null
echo hello | sealpush seal --format openssl-salted --secret words --unauthenticated --out salted.json
sealpush open --format openssl-salted --secret words --unauthenticated --in salted.json | grep -q hello
sealpush demo | tail -n 1
# Documentation is in its place, as far as the system keeps any.
ls /usr/share/bash-completion/completions/sealpush /usr/share/zsh/vendor-completions/_sealpush \
  /usr/share/fish/vendor_completions.d/sealpush.fish /usr/share/man/man1/sealpush.1.gz >/dev/null
source /usr/share/bash-completion/completions/sealpush
COMP_WORDS=(sealpush keys ro) COMP_CWORD=2
_sealpush
[ "${COMPREPLY[*]}" = rotate ]
