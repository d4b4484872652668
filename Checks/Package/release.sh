#!/usr/bin/env bash
# 20 minutes
# Rehearses a release in a clone: a tag, packages, an SBOM, an image, signed checksums, archives for PyPI and npm. Publishes nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare package
source Checks/systems.sh
need minisign python3-venv
command -v npm >/dev/null || need npm

say() { printf '\n== %s\n' "$*"; }
fail() { echo "$*" >&2; exit 1; }
[ -z "$(git status --porcelain)" ] || fail "commit first: a release is of a commit"
version=$(sed -n 's/.*static let text = "\(.*\)"/\1/p' Sources/Tools/PushCommands/Version.swift)

say "the version is $version everywhere"
grep -q "^## $version, 20" CHANGELOG.md || fail "CHANGELOG.md has no $version with a date"
grep -q "from: \"$version\"" README.md || fail "README.md names another version"
grep -q "^version = \"$version\"" Examples/python/pyproject.toml || fail "the package for Python has another version"
grep -q "\"version\": \"$version\"" Examples/node/package.json || fail "the package for Node has another version"
for file in deploy/kubernetes/*.yaml; do
  ! grep -E 'image: .*sealpushd:' "$file" | grep -v ":$version$" || fail "$file names another version"
done

say "a tag in a clone"
clone=.build/release/clone
# The clone stays, because its builds serve again.
rm -rf .build/release/{python,node,rehearsal.pub,rehearsal.key} "$clone/dist"
[ -d "$clone" ] || git clone -q . "$clone"
git -C "$clone" fetch -q "$PWD" HEAD
git -C "$clone" checkout -q --detach FETCH_HEAD
git -C "$clone" -c user.name=rehearsal -c user.email=rehearsal@example.com tag -f -a "$version" -m "$version"

say "packages"
(cd "$clone" && Scripts/package)
files=$clone/dist
for name in "sealpush_$version-1_"*.deb "sealpushd_$version-1_"*.deb "sealpush-doc_$version-1_all.deb" \
  "sealedpush-source_$version-1_all.deb" "sealpush-$version-linux-"*.tar.gz "sealpush-$version-linux-"*.oci.tar \
  "sealpush-$version-linux-"*.spdx.json "sealedpush-$version-source.tar.gz"; do
  [ -n "$(find "$files" -name "$name")" ] || fail "there is no $name"
done

say "the archives for PyPI and npm"
[ -x .build/upload/bin/twine ] || { python3 -m venv .build/upload && .build/upload/bin/pip install --quiet build twine; }
.build/upload/bin/python -m build --outdir "$files" "$clone/Examples/python" >/dev/null
.build/upload/bin/twine check --strict "$files/sealedpush-$version"-py3-none-any.whl "$files/sealedpush-$version.tar.gz"
(cd "$files" && npm pack --silent "../Examples/node")
python3 -m venv --clear .build/release/python
.build/release/python/bin/pip install --quiet "$files/sealedpush-$version"-py3-none-any.whl
.build/release/python/bin/python -c 'import sealedpush; print("the package for Python can be imported")'
mkdir -p .build/release/node
(cd .build/release/node && npm install --silent --no-audit --no-fund "../clone/dist/sealedpush-$version.tgz" &&
  node --input-type=module -e 'import "sealedpush"; console.log("the package for Node can be imported")')

say "checksums, with a key that is thrown away"
(cd "$files" && rm SHA256SUMS && sha256sum -- * >SHA256SUMS && sha256sum --quiet -c SHA256SUMS)
minisign -G -W -p .build/release/rehearsal.pub -s .build/release/rehearsal.key >/dev/null
minisign -S -s .build/release/rehearsal.key -m "$files/SHA256SUMS" -t "sealpush $version" >/dev/null
minisign -V -p .build/release/rehearsal.pub -m "$files/SHA256SUMS"

say "what would be published"
ls -l "$files" | awk 'NR > 1 { printf "%10d %s\n", $5, $9 }'
