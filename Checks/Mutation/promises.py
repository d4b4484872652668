"""Shows of each promise of SECURITY.md that its tests turn red without it: plants the faults of Promises.toml, one at a
time, and runs for each the one suite that stands there.

Usage: promises.py [NUMBER …], of promises; without one, all of them
"""
import dataclasses, re, sys, time, tomllib

from faults import FOLDER, ROOT, Unusable, load

TABLE = FOLDER.parent / "Promises.toml"
MEMBERS = {"words", "fault", "unplanted", "test"}


@dataclasses.dataclass(frozen=True)
class Row:
    """Words of a promise, the fault that breaks just that, or None if none can be planted, and the suite, with its module,
    that must notice."""

    number: int
    words: str
    fault: object
    test: str

    @property
    def suite(self):
        return self.test.rpartition(".")[2]


def promises():
    """The texts of SECURITY.md's promises, by number, each in one line."""
    section = (ROOT / "SECURITY.md").read_text().split("## The promises")[1].split("\n## ")[0]
    parts = re.split(r"^(\d+)\. ", section, flags=re.M)[1:]
    return {int(number): " ".join(text.split()) for number, text in zip(parts[::2], parts[1::2])}


def rows(faults):
    """The table's rows, which must fit SECURITY.md: each promise has a fault, each suite that it names has a row, and
    each row has words and a suite of its promise."""
    by_name, texts, table = {fault.name: fault for fault in faults}, promises(), []
    for number, entries in tomllib.loads(TABLE.read_text()).items():
        for entry in entries:
            if entry.keys() - MEMBERS or ("fault" in entry) == ("unplanted" in entry):
                raise Unusable(f"promise {number}: a row has other members than it must have")
            if "fault" in entry and entry["fault"] not in by_name:
                raise Unusable(f"promise {number}: there is no fault {entry['fault']}")
            table.append(Row(int(number), entry["words"], by_name.get(entry.get("fault")), entry["test"]))
    for row in table:
        text = texts.get(row.number, "")
        for part in (row.words, f"`{row.suite}`"):
            if part not in text:
                raise Unusable(f"promise {row.number} has not the words: {part}")
    for number, text in texts.items():
        own = [row for row in table if row.number == number]
        if not any(row.fault for row in own):
            raise Unusable(f"promise {number} has no fault")
        if missing := set(re.findall(r"`(\w+(?:Tests|Pitfalls))`", text)) - {row.suite for row in own}:
            raise Unusable(f"promise {number}: no row for {', '.join(sorted(missing))}")
    return table


def main(numbers):
    from mutants import build, check
    from package import make
    from runs import leave_no_core, run

    leave_no_core()
    start = time.monotonic()
    faults = load()
    table = [row for row in rows(faults) if row.fault and (not numbers or str(row.number) in numbers)]
    make(faults)
    bundle = build()
    check(bundle, [dataclasses.replace(row.fault, tests=pattern(row)) for row in table])
    kept = 0
    for row in table:
        result = run(bundle, [pattern(row)], row.fault.number)
        is_kept = result.is_kill and all(row.suite in test for test in result.tests)
        kept += is_kept
        print(f"{row.number} {row.words!r}, {row.fault.name}: {result.end} {''.join(result.tests[:1])}"
              + ("" if is_kept else f"; NOT NOTICED by {row.test}"), flush=True)
    print(f"{kept} of {len(table)} faults noticed by the test of their promise, {time.monotonic() - start:.0f} s")
    if kept < len(table) or not table:
        sys.exit(1)


def pattern(row):
    """What the tests of a row's suite, and no others, have in their names."""
    return "^" + re.escape(row.test) + "/"


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Unusable, FileNotFoundError, KeyError) as error:
        sys.exit(f"Promises.toml does not fit: {error}")
