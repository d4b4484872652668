#!/usr/bin/env bash
# 2 minutes
# Adds a suite with a made-up KEM to a copy of the package: two files, and a line in each table that names suites.
# Then a key file, a public set, a sealed message and single keys of that suite go from end to end.
set -euo pipefail
cd "$(dirname "$0")/../.."
copy=.build/seam
rm -rf "$copy/Sources" "$copy/Tests" "$copy/Checks" "$copy/Snippets" "$copy/Package.swift"
mkdir -p "$copy/Tests"
cp -r Package.swift Sources Checks Snippets "$copy/"
cp -r Tests/Support Tests/ExtensionProcess "$copy/Tests/"
python3 Checks/Seam/tables.py . "$copy"
swift build --quiet --package-path "$copy" --build-tests
swift test --package-path "$copy" --skip-build
