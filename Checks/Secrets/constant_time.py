"""Under valgrind no branch and no address of a comparison depends on the secret, nor of what is computed with one.

The secret is undefined memory, of which valgrind reports each use that shows. Computations that leak must be reported.

Usage: constant_time.py POISONED_BINARY
"""
import pathlib, subprocess, sys, tempfile

SOURCE = pathlib.Path(__file__).parent / "poison.c"
REPORTED = 99


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.rsplit("\n\n", 1)[1])
    binary, faults = pathlib.Path(sys.argv[1]).resolve(), []
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/poison.so"
        subprocess.run(["clang", "-O2", "-shared", "-fPIC", SOURCE, "-o", library], check=True)
        names = subprocess.run([binary], capture_output=True, text=True, check=True).stdout.split()
        for name in names:
            done = subprocess.run(["valgrind", "-q", f"--error-exitcode={REPORTED}", binary, name], capture_output=True,
                                  text=True, env={"LD_PRELOAD": library, "SWIFT_BACKTRACE": "enable=no"})
            expected = REPORTED if name.startswith("leaking-") else 0
            if done.returncode != expected or "computed" not in done.stdout:
                faults.append(name)
                print(f"FAILED {name}: {done.returncode}, not {expected}\n{done.stderr[:2000]}")
    print(f"{len(names)} computations, {len(faults)} not as they should be")
    sys.exit(1 if faults or not names else 0)


if __name__ == "__main__":
    main()
