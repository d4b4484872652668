#!/usr/bin/env bash
# 1 minute
# Compiles the phone's side in Java, and lets it open every vector, also when the tool asks.
# Scripts/check jvm [SEALPUSH]
set -euo pipefail
cd "$(dirname "$0")/../.."

tool=${1:-}
if [ -z "$tool" ]; then
  export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
  Scripts/prepare
  swift build --product sealpush
  tool=$(swift build --show-bin-path)/sealpush
fi
build=.build/jvm
check=Checks/Independent/jvm
rm -rf $build
mkdir -p $build

$check/build.sh $build

# Android's classes are stubs, and Firebase's too: Debian has neither.
javac --release 17 -nowarn -d $build/stubs $(find $check/stubs -name '*.java')
javac --release 17 -Werror -Xlint:all -cp $build/main:$build/stubs -d $build/android \
  $(find Examples/jvm/android -name '*.java')

# Android 13 has a part of Java 17's classes. Each of these came later.
if javap -c -p $build/main/sealedpush/*.class $build/android/sealedpush/android/*.class |
  grep -E 'Stream\.toList|Path\.of|Files\.(readString|writeString)|HexFormat|String\.(formatted|stripIndent|transform)'; then
  echo "these methods are not in Android's API level 33" >&2
  exit 1
fi

java=(java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp $build/main:$build/check)
"${java[@]}" sealedpush.CheckVectors Vectors
"${java[@]}" sealedpush.CheckDevice Vectors
"$tool" vectors verify --all --opener "${java[*]} sealedpush.Answer"
