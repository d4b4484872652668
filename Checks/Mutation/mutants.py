"""Makes small faults in the package's code, one at a time, and shows that the Swift tests notice each.

Usage: mutants.py [NAME …], of faults or of modules; without one, all of them
       mutants.py promises [NUMBER …]: the faults of Promises.toml, each against the suite of its promise alone
"""
import concurrent.futures, dataclasses, os, pathlib, subprocess, sys, threading, time

import promises
from faults import Unusable, load
from package import PACKAGE, WORK, make
from runs import ALL_SECONDS, SECONDS, Run, leave_no_core, run


def chosen(faults, names):
    """The faults that are named, or whose modules are."""
    known = {fault.name for fault in faults} | {fault.module for fault in faults}
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"there is no fault or module '{unknown[0]}'")
    return [fault for fault in faults if not names or {fault.name, fault.module} & set(names)]


def build():
    """Builds the tests of the copy once, and gives the program that runs them."""
    log = WORK / "build.log"
    with open(log, "wb") as file:
        result = subprocess.run(
            ["swift", "build", "--build-tests", "-Xswiftc", "-suppress-warnings"], cwd=PACKAGE, stdout=file,
            stderr=subprocess.STDOUT, env=os.environ | {"SEALEDPUSH_STRICT": "0"})
    if result.returncode != 0:
        errors = [line for line in log.read_text(errors="replace").splitlines() if "error:" in line]
        sys.exit("\n".join(["a fault does not compile:", *sorted(set(errors))[:20], f"all of it: {log}"]))
    path = subprocess.run(
        ["swift", "build", "--show-bin-path"], cwd=PACKAGE, check=True, capture_output=True, text=True).stdout
    return next(pathlib.Path(path.strip()).glob("*PackageTests.xctest"))


def check(bundle, faults):
    """Makes sure that the tests pass with no fault on: else everything would look like a kill."""
    result = run(bundle, sorted({fault.tests for fault in faults}), seconds=ALL_SECONDS)
    if result.end != "passed":
        sys.exit(f"with no fault on: {result.end} {' '.join(result.tests[:5])}")


class Judge:
    """Runs the tests with a fault on, and the same tests without it wherever the end alone would say too little."""

    def __init__(self, bundle):
        self.bundle, self.lock, self.all_tests = bundle, threading.Lock(), None

    def is_killed(self, fault):
        """Whether a fault is noticed; prints its line."""
        result, end = self.ended(fault, fault.tests, SECONDS), ""
        if result.end == "passed":
            result, end = self.ended_by_any(fault), " (none of its own tests)"
        if result.is_kill:
            end = f"{result.end}: {''.join(result.tests[:1])}{end}"
        else:
            end = "SURVIVED" if result.end == "passed" else f"NOT JUDGED: {result.end}"
        print(f"{fault.module} {fault.name}: without it {fault.breaks}; {end}", flush=True)
        return result.is_kill

    def ended(self, fault, tests, seconds):
        """How some tests end. That they take too long is the fault's doing only if, right after, they do not without
        it: then they pass in a third of the time."""
        result = run(self.bundle, [tests], fault.number, seconds)
        if result.end == "timeout" and (without := run(self.bundle, [tests], seconds=seconds / 3)).end != "passed":
            return Run(f"timeout, and with no fault on within {seconds // 3} s: {without.end}")
        return result

    def ended_by_any(self, fault):
        """How all tests end, which must pass with no fault on: once it is needed, that is tried once."""
        with self.lock:
            if self.all_tests is None:
                self.all_tests = run(self.bundle, [".*"], seconds=ALL_SECONDS)
        if self.all_tests.end != "passed":
            return Run(f"all tests, with no fault on: {self.all_tests.end} {' '.join(self.all_tests.tests[:5])}")
        return self.ended(fault, ".*", ALL_SECONDS)


def main(names):
    leave_no_core()
    if names[:1] == ["promises"]:
        return keep(names[1:])
    start = time.monotonic()
    every = load()
    faults = chosen(every, names)
    make(every)
    bundle = build()
    print(f"built in {time.monotonic() - start:.0f} s", flush=True)
    check(bundle, faults)
    print(f"the tests pass with no fault on, after {time.monotonic() - start:.0f} s", flush=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        kills = list(pool.map(Judge(bundle).is_killed, faults))
    survivors = [fault.name for fault, is_killed in zip(faults, kills) if not is_killed]
    print(f"{len(faults) - len(survivors)} of {len(faults)} mutants killed in {time.monotonic() - start:.0f} s")
    if survivors:
        sys.exit("not killed: " + " ".join(survivors))


def keep(numbers):
    """Plants for each promise, or for the numbered ones, the faults that break it: the suite that it names must notice."""
    start = time.monotonic()
    faults = load()
    table = [row for row in promises.rows(faults) if row.fault and (not numbers or str(row.number) in numbers)]
    make(faults)
    bundle = build()
    check(bundle, [dataclasses.replace(row.fault, tests=row.pattern) for row in table])
    kept = 0
    for row in table:
        result = run(bundle, [row.pattern], row.fault.number)
        is_kept = result.is_kill and all(row.suite in test for test in result.tests)
        kept += is_kept
        print(f"{row.number} {row.words!r}, {row.fault.name}: {result.end} {''.join(result.tests[:1])}"
              + ("" if is_kept else f"; NOT NOTICED by {row.test}"), flush=True)
    print(f"{kept} of {len(table)} faults noticed by the test of their promise, {time.monotonic() - start:.0f} s")
    if kept < len(table) or not table:
        sys.exit(1)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Unusable, FileNotFoundError) as error:
        sys.exit(f"the faults do not apply: {error}")
