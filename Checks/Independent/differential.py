"""python3 differential.py [--seed N] [--cases N] PROGRAM: compares SealedPush with others on the same random input.

PROGRAM is built from Checks/Independent/Differential; it answers one question per line. Its result for a case must be the
other implementation's, or a refusal by a rule that has a name here. Any other case is printed in hexadecimal, and is a
failure. The seed is printed, and gives the same cases again, except the ephemeral keys of `cryptography`'s HPKE.
"""
import argparse, collections, json, random, subprocess, sys

import differential_base64url, differential_ciphers, differential_json, differential_keys
from differential_case import Answer, Difference

GENERATORS = {differential_json.case: 50, differential_base64url.case: 13, differential_ciphers.aead_case: 12,
              differential_ciphers.hpke_case: 13, differential_keys.case: 12}
BOTH, NEITHER = "accepted by both", "refused by both"
JSON_RULES = ("a byte order mark", "not UTF-8", "a surrogate in UTF-8", "half a surrogate pair", "a member twice",
              "NaN or Infinity", "deeper than 32")
KEY_RULES = ("a private member", "another alg", "another use", "y beside a key without", "a key twice",
             "devices' and senders' keys", "two active keys of a device", "small order, or not canonical",
             "a kid that is not the thumbprint")
TIMEOUT = 120  # seconds for all questions, which take only a few
# The outcomes that each kind must have had after this many cases.
ENOUGH = 10_000
OUTCOMES = {
    **dict.fromkeys(("json", "json-skipped"), (BOTH, NEITHER, *(f"ours stricter: {rule}" for rule in JSON_RULES))),
    **dict.fromkeys(("base64url-encode", "base64url-append", "aead-seal"), (BOTH,)),
    **dict.fromkeys(("base64url-decode", "base64url-bytewise"), (BOTH, NEITHER)),
    **dict.fromkeys(("aead-open", "hpke-seal", "hpke-open"), (BOTH, NEITHER)),
    "thumbprints": (BOTH, NEITHER, *(f"ours stricter: {rule}" for rule in KEY_RULES))}


def answers(program, cases):
    """An answer to each question; fewer if the program ended before the last."""
    questions = "".join(json.dumps(case.question()) + "\n" for case in cases)
    try:
        done = subprocess.run([program], input=questions.encode(), capture_output=True, timeout=TIMEOUT)
        output, end = done.stdout, f"{done.returncode}: {done.stderr[-500:].decode(errors='replace')}"
    except subprocess.TimeoutExpired as error:
        output, end = error.stdout or b"", f"no end after {TIMEOUT} s"
    lines = [json.loads(line) for line in output.split(b"\n")[:-1]]
    if len(lines) < len(cases):
        print(f"the program ended with {end}")
    return [Answer([bytes.fromhex(value) for value in line["accepted"]] if "accepted" in line else None,
                   line.get("refused")) for line in lines]


def compare(cases, found):
    """The number of cases of each kind with each outcome, and the number of those that differ."""
    counts, failures = collections.Counter(), 0
    for case, answer in zip(cases, found):
        try:
            counts[case.kind, case.outcome(answer)] += 1
        except Difference as difference:
            failures += 1
            if failures <= 10:
                print(f"FAILED {difference}\n  {json.dumps(case.question())}")
    if len(found) < len(cases):
        failures += 1
        print(f"FAILED no answer\n  {json.dumps(cases[len(found)].question())}")
    return counts, failures


def missing(counts):
    """The outcomes that no case had."""
    return [f"{kind}: {outcome}" for kind, outcomes in OUTCOMES.items() for outcome in outcomes
            if not counts[kind, outcome]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2 ** 32))
    parser.add_argument("--cases", type=int, default=ENOUGH)
    parser.add_argument("program")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}, {arguments.cases} cases", flush=True)
    rng = random.Random(arguments.seed)
    cases = [make(rng) for make in rng.choices(list(GENERATORS), GENERATORS.values(), k=arguments.cases)]
    counts, failures = compare(cases, answers(arguments.program, cases))
    for (kind, outcome), count in sorted(counts.items()):
        print(f"{count:6} {kind}: {outcome}")
    for outcome in missing(counts) if arguments.cases >= ENOUGH else ():
        failures += 1
        print(f"FAILED no case of {outcome}")
    print(f"{sum(counts.values())} passed, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
