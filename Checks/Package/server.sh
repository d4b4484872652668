#!/bin/bash
# Registers a phone, enqueues a notification, delivers it to the stand-in and backs the store up, all with the installed
# tools, as a user who is nobody in particular.
set -euo pipefail
folder=$(mktemp -d)
cd "$folder"
trap 'kill "${apns:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT

sealpushd --version
for role in sender identity device; do sealpush keys new --role "$role" --out "$role.jwks" --quiet; done
sealpush keys export --keys sender.jwks --out sender.pub.jwks
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey_ABCDE12345.p8
chmod 600 AuthKey_ABCDE12345.p8
mkfifo ready
sealpushd apns --topic com.example.app --keys device.jwks --senders sender.pub.jwks --port 0 --page 0 --json >ready &
apns=$!
read -r line <ready
port=$(sed 's/.*"port":\([0-9]*\).*/\1/' <<<"$line") token=$(sed 's/.*"token":"\([0-9a-f]*\)".*/\1/' <<<"$line")

enrol=(sealpush keys enrol --keys device.jwks --identity identity.jwks --topic com.example.app --token "$token"
  --environment sandbox --audience https://push.example.com --quiet)
accept=(sealpushd devices accept --store push.sqlite --registration ada-1 --audience https://push.example.com
  --from sender.jwks --quiet)
"${enrol[@]}" | "${accept[@]}" --person ada --new --request request.json >/dev/null || [ $? = 75 ]
"${enrol[@]}" --answer request.json --senders sender.pub.jwks | "${accept[@]}" | grep -q '"registered"'

sealpushd enqueue --store push.sqlite --person ada <<<'{"aps":{"alert":"Lunch at noon?"}}' >/dev/null
sealpushd queue --store push.sqlite | grep -q '^ready: 1'
sealpushd work --store push.sqlite --from sender.jwks --key-file AuthKey_ABCDE12345.p8 --key-id ABCDE12345 \
  --team-id FGHIJ67890 --endpoint "127.0.0.1:$port" --trust apns-root.pem --once 2>&1 | grep -q '"done":1'
sealpushd store backup copy.sqlite --store push.sqlite --quiet
sealpushd store check --store copy.sqlite | grep -q '^proven devices: 1$'
# libpq is there, and there is no server.
{ sealpushd queue --store postgresql://127.0.0.1:1/push 2>&1 || [ $? = 75 ]; } | grep -q 'no connection'
sealpushd demo | tail -n 1

# Nobody enables a worker before its keys are there.
getent passwd sealpushd | grep -q ':/var/lib/sealpushd:'
grep -q '^User=sealpushd$' /usr/lib/systemd/system/sealpushd.service
if ls /etc/systemd/system/*/sealpushd.service 2>/dev/null; then exit 1; fi
ls /usr/share/bash-completion/completions/sealpushd /usr/share/zsh/vendor-completions/_sealpushd \
  /usr/share/fish/vendor_completions.d/sealpushd.fish /usr/share/man/man1/sealpushd.1.gz >/dev/null
