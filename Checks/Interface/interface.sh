#!/usr/bin/env bash
# 15 minutes
# Builds the libraries' reference, in which every symbol needs a comment, and lists changes that break dependent code.
# Scripts/check interface [reference | changes [VERSION]]
# reference: every library's DocC archive, without a warning, in .build/docs. changes: the public interface since a
# version, the last tag by default; before 1.0 a break needs a line in CHANGELOG.md and a new minor version.
set -euo pipefail
cd "$(dirname "$0")/../.."
part=${1:-all}
case $part in
  all | reference | changes) ;;
  *) echo "there is no part '$part', but reference and changes" >&2; exit 64 ;;
esac
version=${2:-$(git describe --tags --abbrev=0 --match '[0-9]*' 2>/dev/null || true)}
if [ "$part" = changes ]; then
  [ -n "$version" ] ||
    { echo "no tag names a version; name a version or a commit: Scripts/check interface changes VERSION" >&2; exit 64; }
fi
[ -z "$version" ] || git rev-parse --quiet --verify "$version^{commit}" >/dev/null ||
  { echo "there is no version '$version'" >&2; exit 64; }
Scripts/prepare delivery
# The modules with a reference: the products, and the modules that these export.
libraries=$(find Sources -type d -name '*.docc' -printf '%f\n' | sed 's/\.docc$//' | sort)

# symbols PACKAGE BUILD GRAPHS: builds a package, and writes the symbols of all its modules.
symbols() {
  mkdir -p "$3"
  swift build --package-path "$1" --scratch-path "$2" -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir \
    -Xswiftc "$PWD/$3" -Xswiftc -symbol-graph-minimum-access-level -Xswiftc public
}

# graphs_of LIBRARY GRAPHS FOLDER: copies a library's symbols, and its extensions of other modules' types, to a folder.
graphs_of() {
  mkdir -p "$3"
  find "$2" -name "$1.symbols.json" -o -name "$1@*.symbols.json" | xargs -r cp -t "$3"
}

reference() {
  local out=.build/docs build=.build/docs-build library own catalog
  symbols . "$build" "$build/symbol-graphs"
  rm -rf "$out" "$build/symbols-of"
  mkdir -p "$out"
  for library in $libraries; do
    own=$build/symbols-of/$library
    graphs_of "$library" "$build/symbol-graphs" "$own"
    catalog=$(find Sources -type d -name "$library.docc")
    docc convert "$catalog" --additional-symbol-graph-dir "$own" \
      --fallback-display-name "$library" --fallback-bundle-identifier "sealedpush.$library" \
      --warnings-as-errors --output-path "$out/$library.doccarchive"
    echo "$library: $(find "$out/$library.doccarchive/data/documentation" -name '*.json' | wc -l) pages"
  done
  python3 Checks/Interface/check_symbols.py "$build/symbols-of"
}

# The toolchain's own comparison understands what a change means for dependent code, but treats package symbols as
# public. So the names of all public symbols are compared too.
changes() {
  local build=.build/api library status=0
  echo "compared with $version"
  swift package --scratch-path "$build" diagnose-api-breaking-changes "$version" || status=1
  # Built from scratch: modules that are not compiled write no symbols.
  rm -rf "$build"/{old,new,source,symbols}
  mkdir -p "$build/source"
  git archive "$version" | tar -x -C "$build/source"
  symbols "$build/source" "$build/old" "$build/symbols/all-old"
  symbols . "$build/new" "$build/symbols/all-new"
  for library in $libraries; do
    # An older version may not have the library.
    for age in old new; do graphs_of "$library" "$build/symbols/all-$age" "$build/symbols/$age"; done
  done
  python3 Checks/Interface/check_api.py "$build/symbols/old" "$build/symbols/new" || status=1
  exit $status
}

if [ "$part" != changes ]; then reference; fi
if [ "$part" != reference ]; then
  [ -n "$version" ] || { echo "no tag names a version yet, so there is nothing to compare with"; exit 0; }
  changes
fi
