#!/usr/bin/env bash
# Compiles the opener: build.sh [FOLDER [OPTION OF JAVAC …]]
set -euo pipefail
folder=${1:-.build/jvm/main}
shift || true
mkdir -p "$folder"
javac --release 17 "$@" -d "$folder" "$(dirname "$0")"/src/sealedpush/*.java
