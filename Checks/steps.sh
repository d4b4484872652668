# Steps of Scripts/test and .ci/run, which source this. If verbose is set, all output is shown at once.
output=.build/test-output
mkdir -p "$output"

# step NAME COMMAND...: runs a command, prints its last line and its time, and exits if it fails.
step() {
  local name=$1 log status=0 start=$SECONDS
  shift
  log="$output/${name//[^a-zA-Z0-9]/-}.txt"
  printf '\n== %s\n' "$name"
  if [ -n "$verbose" ]; then
    "$@" </dev/null 2>&1 | tee "$log" || status=$?
  else
    "$@" </dev/null >"$log" 2>&1 || status=$?
    [ $status != 0 ] || tail -n 1 "$log" | cut -c 1-200
  fi
  if [ $status != 0 ]; then
    printf '\nFAILED: %s, with status %d after %d s. All of its output: %s\n' \
      "$name" $status $((SECONDS - start)) "$log"
    failures "$log"
    exit 1
  fi
  printf '%d s\n' $((SECONDS - start))
}

# failures LOG: prints what failed, in eight lines at most: issues of Swift tests, or else tests that hang, or else
# errors, or else the last lines.
failures() {
  local found
  found=$(grep -aE '✘ .* recorded an issue|Fatal error|unexpected signal' "$1" || hanging "$1" ||
    grep -aE 'error:' "$1" || tail -n 8 "$1")
  awk '!seen[$0]++' <<<"$found" | head -n 8 | cut -c 1-240
  local count
  count=$(awk '!seen[$0]++' <<<"$found" | wc -l)
  [ "$count" -le 8 ] || echo "and $((count - 8)) more like these"
}

# hanging LOG: the Swift tests that began and did not end, if there are any.
hanging() {
  sed -E 's/(◇|✔|✘) Test /\n\1 Test /g' "$1" | awk '
    /^◇ Test .* started\.$/ && !/^◇ Test (case|run) / { sub(/^◇ Test /, ""); sub(/ started\.$/, ""); open[$0]++ }
    /^(✔|✘) Test .* (passed|failed) after / {
      sub(/^(✔|✘) Test /, ""); sub(/ (with [0-9]+ test cases? )?(passed|failed) after .*/, ""); open[$0]--
    }
    END { for (name in open) if (open[name] > 0) { print "hangs: " name; found = 1 } exit !found }'
}

# beside NAME COMMAND...: starts a step in the background; `join` waits for it. A second one is refused until then, because
# nobody would see it fail.
beside() {
  [ -z "${companion:-}" ] || { echo "$1 would run beside $companion_name, and join waits for one alone" >&2; exit 1; }
  step "$1, beside the rest" "${@:2}" &
  companion=$!
  companion_name=$1
  trap 'kill $companion 2>/dev/null || true' EXIT
}

join() {
  printf '\n== %s\n' "$companion_name"
  wait "$companion"
  companion=
  trap - EXIT
}
