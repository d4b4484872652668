"""Plants small faults in the package's code, one at a time, and shows that the Swift tests notice each.

Usage: mutants.py [MODULE, FILE or FAULT …] [--sample N] [--seed N] [--since REV] [--own]
       mutants.py promises [NUMBER …]: the faults of Promises.toml, each against only the suite of its promise
"""
import argparse, collections, concurrent.futures, pathlib, random, sys, time

import operators, promises, targets
from compiling import Compiling
from faults import Unusable, load, sources
from judging import Judge, Tests, all_tests, own_tests
from runs import ALL_SECONDS, leave_no_core, run

ENDS = ("planted", "not compiling", "equal", "killed", "survived", "not judged")


class Tally:
    """Counts how the mutants of each operator and each module ended."""

    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)

    def count(self, mutant, *ends):
        for row in ("operator", mutant.operator), ("module", mutant.module):
            self.rows[row].update(ends)

    def print(self):
        for kind in "operator", "module":
            print("\n" + f"{kind:22}" + "".join(f"{end:>15}" for end in ENDS))
            rows = {name: counter for (own, name), counter in sorted(self.rows.items()) if own == kind}
            rows["all"] = sum(rows.values(), collections.Counter())
            for name, counter in rows.items():
                print(f"{name:22}" + "".join(f"{counter[end]:15}" for end in ENDS))


def arguments(words):
    parser = argparse.ArgumentParser(prog="Scripts/check mutants", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="MODULE, FILE or FAULT")
    parser.add_argument("--sample", type=int, metavar="N", help="plant N of the operators' mutants, at random")
    parser.add_argument("--seed", type=int, help="repeats a sample; the seed is printed")
    parser.add_argument("--since", metavar="REV", help="plant the operators' mutants in lines that have changed since a revision")
    parser.add_argument("--own", action="store_true", help="judge each mutant only by the tests of its module")
    return parser.parse_args(words)


def chosen(options, every):
    """The faults written by hand and the mutants that the arguments name. --sample and --since choose only mutants."""
    names, paths, faults = set(options.names), [], []
    for name in options.names:
        own = [path for path in sources() if name in (targets.owner(path), path, pathlib.Path(path).name)]
        by_hand = [fault for fault in every if name in (fault.name, targets.owner(fault.path))]
        if not own and not by_hand:
            sys.exit(f"there is no module, file or fault '{name}'")
        paths += own
        faults += by_hand
    if not names:
        paths, faults = sources(), every
    candidates = set(operators.candidates())
    mutants = operators.found([path for path in dict.fromkeys(paths) if path in candidates])
    if options.since:
        mutants = operators.changed(mutants, options.since)
    if options.sample is not None:
        seed = options.seed if options.seed is not None else random.randrange(1 << 32)
        print(f"a sample of {options.sample} of {len(mutants)} mutants, --seed {seed}", flush=True)
        picked = set(random.Random(seed).sample(sorted(mutant.key for mutant in mutants), min(options.sample, len(mutants))))
        mutants = [mutant for mutant in mutants if mutant.key in picked]
    is_part = options.since or options.sample is not None
    return [] if is_part else list(dict.fromkeys(faults)), mutants


def main(words):
    leave_no_core()
    if words[:1] == ["promises"]:
        return keep(words[1:])
    options, start = arguments(words), time.monotonic()
    every, tally = load(), Tally()
    operators.check_equal()
    faults, mutants = chosen(options, every)
    reasons = operators.equal()
    for mutant in mutants:
        tally.count(mutant, *(["equal"] if mutant.id in reasons else []))
    compiling = Compiling(every, [mutant for mutant in mutants if mutant.id not in reasons])
    bundle = compiling.build()
    for mutant in compiling.dropped:
        tally.count(mutant, "not compiling")
    for mutant in compiling.mutants:
        tally.count(mutant, "planted")
    print(f"built with {len(compiling.mutants)} mutants in {time.monotonic() - start:.0f} s; {len(compiling.dropped)} do "
          f"not compile, {len(compiling.left_out)} are where a fault stands that was written by hand", flush=True)
    tests, things = Tests(bundle), faults + compiling.mutants
    judge, results = Judge(tests), {}
    modules = {thing.module for thing in things}
    tests.measure(set().union(*(own_tests(module) for module in modules)))
    judge_all(judge.by_own, things, results)
    left = [thing for thing in things if not results[thing].is_kill]
    print(f"{len(left)} of {len(things)} are left for the other tests, after {time.monotonic() - start:.0f} s", flush=True)
    if left and not options.own:
        modules = {thing.module for thing in left}
        tests.measure({name for name in all_tests() if modules & targets.reached(name)})
        judge_all(judge.by_others, left, results)
    for thing, result in results.items():
        if isinstance(thing, operators.Mutant):
            tally.count(thing, ended(result))
    tally.print()
    left = [thing for thing in things if not results[thing].is_kill]
    print(f"\n{len(things) - len(left)} of {len(things)} killed in {time.monotonic() - start:.0f} s")
    if left or tests.failures:
        lines = [line(thing, results[thing]) for thing in left]
        sys.exit("\n".join(["not killed:", *sorted(lines), *tests.failures]))


def judge_all(judge, things, results):
    """Judges faults and mutants, two at a time, and prints each."""
    def judged(thing):
        results[thing] = better(judge(thing), results.get(thing))
        print(line(thing, results[thing]), flush=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(judged, things))


def better(result, earlier):
    """The stronger of two results: to be reached by tests that pass proves more than not to be reached."""
    return earlier if earlier and result.end == "not reached" else result


def ended(result):
    """How a mutant ended, in the tables' words."""
    if result.is_kill:
        return "killed"
    return "survived" if result.end in ("passed", "not reached", "no tests") else "not judged"


def line(thing, result):
    """A line about the end of a fault or a mutant."""
    if isinstance(thing, operators.Mutant):
        text, identifier = f"{thing.place} {thing.operator}: {thing.change}", f" [{thing.id}]"
    else:
        text, identifier = f"{thing.module} {thing.name}: without it {thing.breaks}", ""
    if result.is_kill:
        return f"{text}; {' '.join((result.end, *result.tests[:1]))}"
    end = {"passed": "SURVIVED", "not reached": "SURVIVED, no test reaches it"}.get(result.end, f"NOT JUDGED, {result.end}")
    return f"{text}; {end}{identifier}"


def keep(numbers):
    """Plants the faults that break each promise, or the numbered ones: the suite that the promise names must notice."""
    start, faults = time.monotonic(), load()
    table = [row for row in promises.rows(faults) if row.fault and (not numbers or str(row.number) in numbers)]
    bundle = Compiling(faults, []).build()
    without = run(bundle, sorted({row.pattern for row in table}), seconds=ALL_SECONDS)
    if without.end != "passed":
        sys.exit(f"with no fault on: {without.end} {' '.join(without.tests[:5])}")
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
