#!/usr/bin/env bash
# 5 minutes
# Runs all Swift tests, and the tool, with the C libraries of Debian 13, where OpenSSL has ML-KEM; changes no system file.
# Scripts/check debian13 [ARGUMENT …]
# Without arguments, the tool and the implementation in Python then exchange messages of xwing-aesgcm.
# Arguments go to the test program: --filter NAME runs the suites of that name alone.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-4}

if ! command -v patchelf >/dev/null; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get install -y -qq patchelf >/dev/null
fi
folder=$PWD/.build/debian13
[ -d "$folder/root" ] || Checks/Debian13/libraries "$folder"
libraries=("$folder"/root/usr/lib/*-linux-gnu)
loader=$(echo "$libraries"/ld-linux-*.so.*)

# Copies of the programs name that loader and those libraries, so the programs that they start need no environment.
swift build --build-tests >&2
built=$(swift build --show-bin-path)
programs=$folder/bin
rm -rf "$programs"
mkdir "$programs"
cp -a "$built"/*.xctest "$built"/*.resources "$programs/"
for name in sealpush sealpushd extension-process poisoned; do cp -a "$built/$name" "$programs/"; done
for program in "$programs"/*.xctest "$programs"/{sealpush,sealpushd,extension-process,poisoned}; do
  runtime=$(patchelf --print-rpath "$program")
  patchelf --set-interpreter "$loader" --force-rpath --set-rpath "$libraries:${runtime//\$ORIGIN/$built}" "$program"
done

# LibrariesTests replaces libraries, which these copies do not allow.
export OPENSSL_MODULES=$libraries/ossl-modules
"$programs"/*.xctest --testing-library swift-testing --skip LibrariesTests "$@"
[ $# = 0 ] || exit 0

Scripts/prepare >&2
printf '\n== every sealer, every opener, of xwing-aesgcm\n'
.build/oracles/bin/python Checks/Independent/matrix.py --suite xwing-aesgcm "$programs/sealpush"
printf '\n== messages, both ways with the tool\n'
.build/oracles/bin/python Checks/Independent/interoperate.py "$programs/sealpush"
