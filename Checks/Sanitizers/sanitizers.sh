#!/usr/bin/env bash
# 1 hour
# Runs the Swift tests and the tool under the address sanitizer and the thread sanitizer.
# Scripts/check sanitizers [address | thread]
set -euo pipefail
cd "$(dirname "$0")/../.."
sanitizers=("${@:-address}")
if [ $# = 0 ]; then sanitizers=(address thread); fi
Scripts/prepare

# A backtrace would print memory, and a sanitizer would take it for another fault.
export SWIFT_BACKTRACE=enable=no
# The check for leaks is off: it reports memory that tagged pointers hold, as in Swift's enums and Foundation, and
# memory of threads that end with the process.
export ASAN_OPTIONS=detect_leaks=0
# Tests of guarded memory expect the signal.
export TSAN_OPTIONS=handle_segv=0

for sanitizer in "${sanitizers[@]}"; do
  # A sanitizer multiplies memory use, disables mlock, and makes calls of its own between the counted ones.
  skipped=(MemoryTests LeftoverTests/keysInUse thereMayNotBeTheMemory)
  skipped+=("ExhaustionTests/(noThread|noLoop|nothingKept)" "StepsTests/(killedAtEachCall|eachCallFails)")
  # Without /proc, it writes to the standard error of the tool.
  skipped+=(MannersTests/argumentsThatTheToolCannotSee)
  build=.build/$sanitizer-sanitizer
  mkdir -p "$build"
  preload=()
  if [ "$sanitizer" = thread ]; then
    clang -Wall -Wextra -Werror -shared -fPIC -O1 Checks/Sanitizers/mutex.c -o "$build/mutex.so"
    preload=("LD_PRELOAD=$PWD/$build/mutex.so")
    # This sanitizer has files larger than these tests allow.
    skipped+=(LineOutputTests AttachTests/aDiskThatIsFull "[.]OutputTests/aDiskThatIsFull" aFileThatMayNotGrow)
    # It reads a byte now and then, and the test counts it.
    skipped+=(whatCannotBeWrittenLeavesWholeLines ContinuityStepsTests)
  fi

  # A sanitizer that sees nothing would pass everything, and one with false alarms would hide the real faults.
  for program in fault sound; do
    swiftc -sanitize="$sanitizer" "Checks/Sanitizers/$sanitizer-$program.swift" -o "$build/$program"
  done
  if env "${preload[@]}" "$build/fault" 2>/dev/null; then echo "a plain fault is not found"; exit 1; fi
  env "${preload[@]}" "$build/sound"

  swift build --build-tests --sanitize="$sanitizer" --scratch-path "$build"
  # One test runs at a time, with its own threads: if tests ran together, those that only compute would slow down those
  # that wait.
  env "${preload[@]}" swift test --skip-build --disable-xctest --no-parallel --sanitize="$sanitizer" \
    --scratch-path "$build" "${skipped[@]/#/--skip=}"
done
