#!/usr/bin/env bash
# 10 minutes
# Lists changes to the libraries' public interface, since the last tag, that break dependent code.
# Scripts/check api [VERSION] compares with another one. Before 1.0, a break needs a line in CHANGELOG.md and a new minor version.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare delivery
version=${1:-$(git describe --tags --abbrev=0 --match '[0-9]*' 2>/dev/null)} ||
  { echo "no tag names a version; name a version or a commit: Scripts/check api VERSION" >&2; exit 64; }
git rev-parse --quiet --verify "$version^{commit}" >/dev/null || { echo "there is no version '$version'" >&2; exit 64; }
build=.build/api
libraries=$(Checks/libraries.sh)
echo "compared with $version"

# The toolchain's own comparison understands what a change means for dependent code, but takes package symbols for public
# ones. So the names of all public symbols are compared, too.
status=0
swift package --scratch-path "$build" diagnose-api-breaking-changes "$version" || status=1

rm -rf "$build"/{old,new,source,symbols}
mkdir -p "$build/source"
git archive "$version" | tar -x -C "$build/source"

# symbols PACKAGE NAME: the symbols of a package's libraries. It is built from scratch: what is not compiled writes none.
symbols() {
  local graphs=$build/symbols/$2 library
  mkdir -p "$graphs/all"
  swift build --package-path "$1" --scratch-path "$build/$2" -Xswiftc -emit-symbol-graph \
    -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$graphs/all" -Xswiftc -symbol-graph-minimum-access-level \
    -Xswiftc public
  for library in $libraries; do
    # An older version may not have had it.
    find "$graphs/all" -name "$library.symbols.json" -o -name "$library@*.symbols.json" | xargs -r cp -t "$graphs"
  done
  rm -r "$graphs/all"
}
symbols "$build/source" old
symbols . new
python3 Checks/Documents/check_api.py "$build/symbols/old" "$build/symbols/new" || status=1
exit $status
