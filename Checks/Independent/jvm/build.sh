#!/usr/bin/env bash
# Compiles the opener in Java and its checks: build.sh FOLDER writes FOLDER/main and FOLDER/check.
set -euo pipefail
here=$(dirname "$0")
strict=(-Werror -Xlint:all)
"$here/../../../Examples/jvm/build.sh" "$1/main" "${strict[@]}"
javac --release 17 "${strict[@]}" -cp "$1/main" -d "$1/check" "$here"/sealedpush/*.java
