#!/usr/bin/env bash
# 3 minutes
# Lets three implementations written from FORMAT.md, and others' libraries, exchange data with ours.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare

swift build --build-tests
tool=$(swift build --show-bin-path)/sealpush
python=.build/oracles/bin/python
here=Checks/Independent

# run HEADING COMMAND …: prints a heading and runs a command.
run() {
  printf '\n== %s\n' "$1"
  shift
  "$@"
}

run "vectors against their schema" $python $here/check_schema.py
run "vectors, in Python" $python $here/check_vectors.py
run "vectors, in Node" node $here/node/check_vectors.mjs
run "vectors, in Java, and asked by the tool" $here/jvm.sh "$tool"
run "vectors, in Python, asked by the tool" "$tool" vectors verify --all --opener "$python $here/answer.py"
run "vectors, in Node, asked by the tool" "$tool" vectors verify --all --opener "node $here/node/answer.mjs"
run "every sealer, every opener" $python $here/matrix.py "$tool"
run "the packages of Examples, installed" $python $here/packages.py "$tool"
run "the page of APNs clients, with aioapns" $python $here/clients.py "$tool"
run "messages for Android, through a stand-in for FCM" $python $here/android.py "$tool"
run "messages, both ways with the tool" $python $here/interoperate.py "$tool"
run "attachments, both ways with the tool" $python $here/attachments.py "$tool"
run "key files, both ways with the tool" $python $here/key_files.py "$tool"
run "signed sets, both ways with the tool" $python $here/signed_tool.py "$tool"
run "other systems' envelopes, both ways with others' implementations" $python $here/compat.py
