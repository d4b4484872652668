#!/usr/bin/env bash
# 2 minutes
# Opens the pages of `sealpushd apns` and `sealpushd page` in Chromium, with hostile texts; .build/pictures has screenshots.
# Scripts/check page [renew]
# renew: only renews the pictures of the documents, in Documentation/Images.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare
missing=()
for package in chromium chromium-driver; do
  dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null
fi
if ! .build/browser/bin/python -c 'import selenium, httpx, h2' 2>/dev/null; then
  /usr/bin/python3 -m venv --clear .build/browser
  .build/browser/bin/pip install --quiet --disable-pip-version-check 'selenium>=4' 'httpx[http2]>=0.27'
fi
swift build --product sealpush
swift build --product sealpushd
if [ "${1:-}" = renew ]; then
  exec .build/browser/bin/python Checks/Page/pictures.py "$(swift build --show-bin-path)" Documentation/Images
fi
for page in page operators; do
  .build/browser/bin/python "Checks/Page/$page.py" "$(swift build --show-bin-path)" .build/pictures
done
