#!/usr/bin/env bash
# 5 minutes
# Typechecks the libraries and snippets for iOS 18, iOS 26 and macOS 15, the tool and tests for macOS 15, against stubs.
# Nothing is linked or run. The standard library's modules are compiled once, into .build/apple.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec env PYTHONDONTWRITEBYTECODE=1 python3 Checks/Apple/check.py
