#!/usr/bin/env bash
# 2 minutes
# Builds every library's reference into .build/docs; fails at a warning or an undocumented symbol.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/prepare delivery

libraries=$(Checks/libraries.sh)
out=.build/docs
build=.build/docs-build
graphs=$build/symbol-graphs
rm -rf "$out"
mkdir -p "$out" "$graphs"

swift build --scratch-path "$build" -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir \
  -Xswiftc "$PWD/$graphs" -Xswiftc -symbol-graph-minimum-access-level -Xswiftc public

for library in $libraries; do
  # Its own symbols, and its extensions of others' types.
  own=$build/symbols-of/$library
  rm -rf "$own"
  mkdir -p "$own"
  find "$graphs" -name "$library.symbols.json" -o -name "$library@*.symbols.json" | xargs cp -t "$own"
  docc convert "Sources/$library/$library.docc" --additional-symbol-graph-dir "$own" \
    --fallback-display-name "$library" --fallback-bundle-identifier "sealedpush.$library" \
    --warnings-as-errors --output-path "$out/$library.doccarchive"
  echo "$library: $(find "$out/$library.doccarchive/data/documentation" -name '*.json' | wc -l) pages"
done
python3 Checks/Documents/check_symbols.py "$build/symbols-of"
