#!/usr/bin/env bash
# a minute
# Lets the server of PushHTTP2 answer curl, nghttp and h2load, and its client ask nghttpd, with certificates by OpenSSL.
# It prints h2load's rates and ours on the same server, which tell something only beside each other.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare

missing=()
for package in nghttp2-client nghttp2-server curl openssl; do
  dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get install -y -qq "${missing[@]}" >/dev/null
fi

swift build -c release --product http2-peer >&2
peer=$(swift build -c release --show-bin-path)/http2-peer
folder=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null || true; rm -rf "$folder"' EXIT

failed=0
# expect WHAT PATTERN TEXT: the text must match.
expect() {
  if grep -qE "$2" <<<"$3"; then echo "held: $1"; else
    echo "FAILED: $1: $3"
    failed=1
  fi
}

"$peer" serve "$folder/root.pem" >"$folder/port" &
started+=($!)
until [ -s "$folder/port" ]; do sleep 0.1; done
port=$(cat "$folder/port")
url=https://localhost:$port
curl() { command curl --silent --show-error --http2 --cacert "$folder/root.pem" "$@" 2>&1; }

expect "curl gets what it sent, over HTTP/2" '^hello 2 200$' "$(curl -d hello -w ' %{http_version} %{http_code}' "$url/x")"
expect "curl verifies the root" 'certificate' "$(command curl -sS --http2 "$url/" 2>&1 || true)"
for version in 1.2 1.3; do
  expect "curl with TLS $version" '^200$' \
    "$(curl --tlsv$version --tls-max $version -o "$folder/out" -w '%{http_code}' "$url/")"
done
expect "TLS 1.1 is refused" 'alert|version|error' "$(curl --tls-max 1.1 --ciphers DEFAULT@SECLEVEL=0 "$url/" || true)"
expect "HTTP/1.1 is refused" 'alert|error' "$(command curl -sS --http1.1 --cacert "$folder/root.pem" "$url/" 2>&1 || true)"
head -c 60000 /dev/urandom >"$folder/large"
curl --data-binary "@$folder/large" -o "$folder/out" "$url/"
expect "a large body comes back as it was" '^same$' "$(cmp "$folder/large" "$folder/out" && echo same)"
head -c 70000 /dev/zero >"$folder/huge"
expect "a body over the limit is reset" 'ENHANCE_YOUR_CALM' \
  "$(curl --data-binary "@$folder/huge" "$url/" || true)"
expect "nghttp gets its answer" ':status: 200' "$(nghttp -nv --no-verify-peer "$url/" 2>&1)"
head -c 865 /dev/zero >"$folder/body"
result=$(h2load -n 20000 -c 1 -m 100 -d "$folder/body" "$url/" 2>&1)
expect "h2load gets 20000 answers of our server" '20000 succeeded, 0 failed, 0 errored' "$result"
grep finished <<<"$result"
expect "our client gets 20000 answers of our server" '^20000 answered' "$("$peer" load "$folder/root.pem" "$port" 20000 100)"

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$folder/key.pem" -out "$folder/cert.pem" \
  -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
mkdir -p "$folder/www/3/device"
head -c 100 /dev/zero >"$folder/www/3/device/0123456789abcdef"
other=$port
server=
# The next port may be somebody else's.
until command curl -s --http2 --cacert "$folder/cert.pem" -o "$folder/out" "https://localhost:$other/3/device/0123456789abcdef"; do
  if [ -z "$server" ] || ! kill -0 "$server" 2>/dev/null; then
    other=$((other + 1))
    nghttpd -d "$folder/www" --max-concurrent-streams=100 "$other" "$folder/key.pem" "$folder/cert.pem" &
    server=$!
    started+=("$server")
  fi
  sleep 0.1
done
result=$(h2load -n 20000 -c 1 -m 100 -d "$folder/body" "https://localhost:$other/3/device/0123456789abcdef" 2>&1)
echo "h2load with nghttpd: $(grep finished <<<"$result")"
for streams in 1 100 1000; do
  result=$("$peer" load "$folder/cert.pem" "$other" 20000 $streams)
  expect "our client gets 20000 answers of nghttpd, $streams at a time" '^20000 answered' "$result"
  echo "$result"
done
exit $failed
