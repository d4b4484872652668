"""Checks under valgrind that no branch and no address of comparisons and computations depends on a secret.

The secret is undefined memory, and valgrind reports each branch and address that depends on it, except those that
constant_time.supp allows for a reason. Where OpenSSL's own bookkeeping depends on it, the instructions are counted: their
number must be the same for every secret. Computations that leak must be reported.

Usage: constant_time.py POISONED_BINARY
"""
import pathlib, re, subprocess, sys, tempfile

FOLDER = pathlib.Path(__file__).parent
REPORTED = 99
# Computations, and the functions of libraries in which their instructions are counted; the first one leaks.
COUNTED = [("leaking-count", "leak"), ("p256-public-key", "EC_POINT_mul"), ("p256-shared-secret", "EC_POINT_mul"),
           ("p256-shared-secret", "EC_POINT_get_affine_coordinates"), ("p256-shared-secret", "BN_bn2binpad")]
SECRETS = (1, 77, 128, 200)


def valgrind(options, command, library):
    return subprocess.run(["valgrind", *options, *command], capture_output=True, text=True,
                          env={"LD_PRELOAD": library, "SWIFT_BACKTRACE": "enable=no"})


def instructions(binary, name, function, library):
    """The number of instructions that a function took, for each of a few secrets."""
    counts = []
    for secret in SECRETS:
        done = valgrind(["--tool=callgrind", "--callgrind-out-file=/dev/null", f"--toggle-collect={function}"],
                        [binary, name, str(secret)], library)
        counts += [int(count) for count in re.findall(r"Collected : (\d+)", done.stderr)]
    return counts


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.rsplit("\n\n", 1)[1])
    binary, faults = pathlib.Path(sys.argv[1]).resolve(), []
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/poison.so"
        subprocess.run(["clang", "-O1", "-shared", "-fPIC", FOLDER / "poison.c", "-o", library], check=True)
        names = subprocess.run([binary], capture_output=True, text=True, check=True).stdout.split()
        for name in names:
            done = valgrind(["-q", f"--suppressions={FOLDER / 'constant_time.supp'}", f"--error-exitcode={REPORTED}"],
                            [binary, name], library)
            expected = REPORTED if name.startswith("leaking-") else 0
            if done.returncode != expected or "computed" not in done.stdout:
                faults.append(name)
                print(f"FAILED {name}: {done.returncode}, not {expected}\n{done.stderr[:2000]}")
        for name, function in COUNTED:
            counts = instructions(binary, name, function, library)
            is_constant = len(counts) == len(SECRETS) and len(set(counts)) == 1 and counts[0] > 100
            if is_constant == name.startswith("leaking-") or len(counts) != len(SECRETS):
                faults.append(name)
                print(f"FAILED {name}: instructions of {function} for each secret: {counts}")
    print(f"{len(names)} computations and {len(COUNTED)} counts, {len(faults)} not as they should be")
    sys.exit(1 if faults or not names else 0)


if __name__ == "__main__":
    main()
