#!/usr/bin/env bash
# Prints the names of the package's libraries, one per line. Only Package.swift lists them; every script reads the list
# here.
set -euo pipefail
cd "$(dirname "$0")/.."
swift package dump-package | python3 -c '
import json, sys
for product in json.load(sys.stdin)["products"]:
    if "library" in product["type"]:
        print(product["name"])'
