#!/usr/bin/env bash
# 5 minutes
# Typechecks the libraries and snippets for iOS, macOS, Catalyst and visionOS, the tool and tests for macOS, against stubs.
# Nothing is linked or run. The standard library's modules are compiled once, into .build/apple.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec env PYTHONDONTWRITEBYTECODE=1 python3 Checks/Apple/check.py
