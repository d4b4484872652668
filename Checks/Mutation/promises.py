"""Promises.toml: the faults that break each promise of Promises.md, and the suites that must notice."""
import dataclasses, re, tomllib

from faults import FOLDER, ROOT, Unusable, load

TABLE = FOLDER.parent / "Promises.toml"
MEMBERS = {"words", "fault", "unplanted", "test"}


@dataclasses.dataclass(frozen=True)
class Row:
    """Some words of a promise, the fault that breaks just these, or None if none can be planted, and the suite, with its
    module, that must notice."""

    number: int
    words: str
    fault: object
    test: str

    @property
    def suite(self):
        return self.test.rpartition(".")[2]

    @property
    def pattern(self):
        """A pattern for the names of the suite's tests, and no others."""
        return "^" + re.escape(self.test) + "/"


def promises():
    """The texts of Promises.md's promises by number, each on one line."""
    section = (ROOT / "Documentation/Assurance/Promises.md").read_text().split("## The promises")[1].split("\n## ")[0]
    parts = re.split(r"^### (\d+)\. ", section, flags=re.M)[1:]
    return {int(number): " ".join(text.split()) for number, text in zip(parts[::2], parts[1::2])}


def rows(faults):
    """The table's rows, which must fit Promises.md: each promise has a fault, each suite that it names has a row, and
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
