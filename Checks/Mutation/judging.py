"""Finds which tests reach each mutant, and whether they notice it."""
import concurrent.futures, dataclasses, os, pickle, re, subprocess, threading, time

import targets
from package import PACKAGE, WORK
from runs import ALL_SECONDS, SECONDS, Run, run

# A byte for each of the last 24 bits of a mutant's number.
MARKS = 1 << 24
# The measurements of the last build.
MEMORY = WORK / "suites.pickle"
# The seconds from which a suite is slow.
SLOW = 10


@dataclasses.dataclass(frozen=True)
class Suite:
    """A suite of tests, or a test outside of suites; its time with no mutant on, and its marks. The marks are unknown if the
    suite does not pass while it leaves them, such as one that counts system calls."""

    name: str
    seconds: float
    marks: object

    @property
    def target(self):
        return self.name.partition(".")[0]

    def reaches(self, number):
        return self.marks is None or number % MARKS in self.marks


class Tests:
    """The suites; each runs once, alone, with no mutant on, before it judges any."""

    def __init__(self, bundle):
        self.bundle, self.suites, self.failures = bundle, {}, []
        names = subprocess.run(
            [bundle, "--testing-library", "swift-testing", "--list-tests"], cwd=PACKAGE, check=True,
            capture_output=True, text=True).stdout.splitlines()
        self.names = sorted({name.partition("/")[0] for name in names if "." in name})
        self.stamp = bundle.stat().st_mtime_ns
        if MEMORY.exists():
            stamp, suites = pickle.loads(MEMORY.read_bytes())
            self.suites = suites if stamp == self.stamp else {}

    def measure(self, wanted):
        """Runs the suites of some targets, unless they were run before on the same build."""
        names = [name for name in self.names if name.partition(".")[0] in wanted and name not in self.suites]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for name, suite in zip(names, pool.map(self.measured, names)):
                if suite:
                    self.suites[name] = suite
                    MEMORY.write_bytes(pickle.dumps((self.stamp, self.suites)))
        print(f"{len(names)} suites ran with no mutant on", flush=True)

    def measured(self, name):
        """A suite, after a run in which it must pass; None if it does not."""
        file = WORK / f"reached-{threading.get_ident()}"
        with open(file, "wb") as stream:
            stream.truncate(MARKS)
        os.chmod(file, 0o666)  # for tests that run as the user nobody for a while
        for reached in file, file, None:
            start = time.monotonic()
            result = run(self.bundle, [pattern(name)], seconds=ALL_SECONDS, reached=reached)
            seconds = time.monotonic() - start
            if result.end in ("passed", "no tests"):  # a suite may be off on this machine
                break
        else:
            self.failures.append(f"{name} judges nothing: with no mutant on, {result.end} {' '.join(result.tests[:3])}")
            print(self.failures[-1], flush=True)
            return None
        marks = frozenset(match.start() for match in re.finditer(b"\1", file.read_bytes())) if reached else None
        file.unlink()
        return Suite(name, seconds, marks)

    def reaching(self, mutant, is_own):
        """The suites that reach a mutant, either those of its module's tests or the others: the fast ones and the slow ones."""
        own = own_tests(mutant.module)
        reaching = [suite for suite in self.suites.values()
                    if suite.reaches(mutant.number) and (suite.target in own) == is_own]
        return ([suite for suite in reaching if suite.seconds < SLOW], [suite for suite in reaching if suite.seconds >= SLOW])


def all_tests():
    """The test targets."""
    return [name for name, (_, kind, _) in targets.targets().items() if kind == "test"]


def own_tests(module):
    """The module's test target; if it has none, the test targets that depend on it and are named after no module."""
    if f"{module}Tests" in targets.targets():
        return {f"{module}Tests"}
    direct = {name for name in all_tests() if module in targets.targets()[name][2]}
    return {name for name in direct if name.removesuffix("Tests") not in targets.targets()} or direct


def pattern(name):
    """A pattern for the names of a suite's tests, and no others."""
    return "^" + re.escape(name) + "/" if not name.endswith(")") else "^" + re.escape(name)


def limit(suites):
    """The time limit for suites together, with a mutant on."""
    return min(ALL_SECONDS, max(40, 20 + 4 * sum(suite.seconds for suite in suites)))


class Judge:
    """Runs tests with a mutant on, and the same tests without it if their end alone proves too little."""

    def __init__(self, tests):
        self.bundle, self.tests = tests.bundle, tests

    def by_own(self, mutant):
        """Judges a mutant by its module's tests, or a fault that was written by hand by the tests that it names."""
        if hasattr(mutant, "tests"):
            return self.ended(mutant.number, [mutant.tests], SECONDS)
        return self.by_suites(mutant, is_own=True)

    def by_others(self, mutant):
        """Judges a mutant that survived those by all tests."""
        results = [self.by_suites(mutant, is_own) for is_own in ([True, False] if hasattr(mutant, "tests") else [False])]
        return next((result for result in results if result.is_kill), results[-1])

    def by_suites(self, mutant, is_own):
        result = Run("not reached")
        for suites in self.tests.reaching(mutant, is_own):
            if suites:
                result = self.ended(mutant.number, [pattern(suite.name) for suite in suites], limit(suites))
                if result.end not in ("passed", "no tests"):
                    break
        return result

    def ended(self, number, tests, seconds):
        """How some tests end. A timeout counts against the mutant only if the tests then pass without it in a third of the
        time."""
        result = run(self.bundle, tests, number, seconds)
        if result.end == "timeout" and (without := run(self.bundle, tests, seconds=seconds / 3)).end != "passed":
            return Run(f"not judged: timeout, and with no mutant on within {seconds // 3:.0f} s: {without.end}")
        return result
