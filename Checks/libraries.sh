#!/usr/bin/env bash
# Prints the names of the package's libraries, one per line. Package.swift is the one list; every script reads it here.
set -euo pipefail
cd "$(dirname "$0")/.."
swift package dump-package | python3 -c '
import json, sys
for product in json.load(sys.stdin)["products"]:
    if "library" in product["type"]:
        print(product["name"])'
