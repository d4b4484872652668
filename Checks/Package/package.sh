#!/usr/bin/env bash
# 20 minutes
# Packs the tools, and installs and runs them on bare Debian 12 and 13; tries the manuals, the completions and the image.
# Scripts/check package [twice | packed]
# twice: packs twice, and compares every byte. packed: tries what is in dist. It needs root, for the systems to install on.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "this check makes file systems to install on, so it needs root" >&2; exit 77; }

source Checks/systems.sh
need debootstrap lintian groff-base man-db zsh fish python3-venv openssl

say() { printf '\n== %s\n' "$*"; }

if [ "${1:-}" != packed ]; then
  say "pack"
  Scripts/package
fi
if [ "${1:-}" = twice ]; then
  say "pack again, from nothing"
  rm -rf .build/package-first .build/package/{dynamic,static}
  cp -r dist .build/package-first
  Scripts/package >/dev/null
  diff <(sort .build/package-first/SHA256SUMS) <(sort dist/SHA256SUMS)
  echo "the same bytes"
fi

say "checksums and SBOM"
(cd dist && sha256sum --quiet -c SHA256SUMS && echo "$(wc -l <SHA256SUMS) files fit their checksums")
if ! [ -x .build/spdx/bin/pyspdxtools ]; then
  python3 -m venv .build/spdx
  .build/spdx/bin/pip install --quiet --disable-pip-version-check 'spdx-tools==0.8.3'
fi
.build/spdx/bin/pyspdxtools --infile dist/*.spdx.json --version SPDX-2.3
python3 Checks/Package/sbom.py dist

say "lintian"
# The suppressed findings: a manual's section is free, a snapshot's changelog closes no bug, and Swift's runtime has its
# own copies.
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs,extra-license-file \
  dist/*.deb
echo "no error and no warning"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for tool in sealpush sealpushd; do
  say "the manual and the completions of $tool"
  dpkg-deb -x dist/${tool}_*.deb "$work/$tool"
  gunzip -c "$work/$tool/usr/share/man/man1/$tool.1.gz" >"$work/$tool.1"
  warnings=$(groff -ww -man -Tutf8 -Kutf8 "$work/$tool.1" 2>&1 >/dev/null)
  warnings+=$(man -l --warnings -E UTF-8 "$work/$tool.1" 2>&1 >"$work/page")
  [ -z "$warnings" ] || { echo "$warnings" >&2; exit 1; }
  echo "$(wc -l <"$work/page") lines without a warning"
  python3 Checks/Package/completions.py "$work/$tool/usr" $tool
done

say "the pages"
dpkg-deb -x dist/sealpush-doc_*.deb "$work/pages"
python3 Checks/Package/links.py "$work/pages/usr/share/doc/sealpush-doc"

say "the sources, for a package that builds without a network"
dpkg-deb -x dist/sealedpush-source_*.deb "$work/sources"
mkdir -p "$work/dependent/Sources/app"
cp Checks/Package/main.swift "$work/dependent/Sources/app"
sed "s|/usr/share|$work/sources/usr/share|" Checks/Package/manifest >"$work/dependent/Package.swift"
unshare -n swift build --package-path "$work/dependent" --quiet
"$work/dependent/.build/debug/app"

say "the static binary, with no file but /proc"
mkdir "$work/archive"
tar -xzf dist/sealpush-*-linux-*.tar.gz -C "$work/archive" --strip-components=1
mkdir "$work/archive/proc"
mkdir -m 1777 "$work/archive/tmp"
within "$work/archive" /bin/sealpush demo | tail -n 1
within "$work/archive" /bin/sealpush --version

say "the image"
storage=(--root "$work/storage" --runroot "$work/run" --storage-driver vfs)
cp dist/*.oci.tar "$work/image.tar"
# buildah makes a name from the path, and names have no capitals.
container=$(cd "$work" && buildah "${storage[@]}" from oci-archive:image.tar)
env -u TMPDIR buildah "${storage[@]}" run --isolation chroot "$container" -- /usr/bin/sealpush demo | tail -n 1

for suite in bookworm trixie; do
  say "bare Debian: $suite"
  bare "$suite" "$work/$suite"
  cp dist/*.deb Checks/Package/{story,startup,server,folder} "$work/$suite/tmp/"
  cp /etc/resolv.conf "$work/$suite/etc/"
  within "$work/$suite" sh -c 'install() {
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/tmp/log 2>&1 ||
        { cat /tmp/log >&2; exit 1; }
    }
    set -e
    apt-get update -qq
    install /tmp/sealpush_*.deb /tmp/sealpush-doc_*.deb
    grep -q "End-to-end encrypted" /usr/share/doc/sealpush-doc/README.md
    dpkg-query -W -f "\${Package} \${Version} needs \${Depends}\n" sealpush
    # A user who only seals needs no library for the server.
    if dpkg-query -W -f "\${Depends}" sealpush | grep -E "nghttp2|sqlite|libpq|systemd"; then exit 1; fi
    su nobody -s /bin/bash /tmp/story
    install openssl
    bash /tmp/startup
    install /tmp/sealpushd_*.deb
    dpkg-query -W -f "\${Package} \${Version} needs \${Depends}\n" sealpushd
    su nobody -s /bin/bash /tmp/server
    bash /tmp/folder
    dpkg --purge sealpushd >/dev/null
    if command -v sealpushd; then exit 1; fi
    # The store and the keys keep their owners.
    getent passwd sealpushd >/dev/null
    dpkg --purge sealpush >/dev/null
    if command -v sealpush; then exit 1; fi'
done

say "sizes"
ls -l dist | awk 'NR > 1 { printf "%10d %s\n", $5, $9 }'
python3 Checks/Package/sizes.py dist Documentation/Guides/Installing.md
stat -c '%10s %n' .build/package/{dynamic,static}/sealpush .build/package/dynamic/sealpushd
# sealpushd contains Foundation, because its stand-in runs the extension.
largest=16000000
for binary in .build/package/{dynamic,static}/sealpush; do
  [ "$(stat -c %s "$binary")" -le $largest ] || { echo "$binary has more than $largest bytes" >&2; exit 1; }
  ! grep -q libicu "$binary" || { echo "$binary has ICU" >&2; exit 1; }
done
