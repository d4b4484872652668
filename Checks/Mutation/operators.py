"""The mutants that operators make: Planter finds them, and equal.toml lists those that change nothing."""
import collections, dataclasses, functools, hashlib, json, pathlib, re, shutil, subprocess, tempfile, tomllib

import planting
import targets
from faults import ROOT, Unusable, sources

FOLDER = pathlib.Path(__file__).parent
EQUAL = FOLDER / "equal.toml"
PROGRAM = ROOT / ".build/mutants/planter"
# Texts for people, and code that stands in for Apple's on Linux.
WITHOUT = re.compile(r"/(Wording|Manual)/|/Help\.swift$|/UserNotifications/")


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One change that an operator makes: its place, the original code, and the edits that plant it behind a switch."""

    id: str
    module: str
    path: str
    line: int
    column: int
    operator: str
    old: str
    new: str
    start: int
    end: int
    edits: tuple

    @functools.cached_property
    def number(self):
        """The number that switches the mutant on; it is the same in every build."""
        return int.from_bytes(hashlib.sha256(self.key.encode()).digest()[:7])

    @property
    def key(self):
        """The ID with the module: two modules with the same code may have the same ID."""
        return f"{self.module}/{self.id}"

    @property
    def place(self):
        return f"{self.path}:{self.line}:{self.column}"

    @property
    def line_of_text(self):
        return f"{self.line}:{self.column} {self.operator}: {self.change}"

    @property
    def change(self):
        return f"{short(self.old)} → {short(self.new)}" if self.old else f"{self.new}, at once"


def short(text):
    """A text on one short line."""
    return (text if len(text) <= 100 else text[:98] + "…") or "(nothing)"


def planter():
    """The program that finds mutants; it is compiled if it is older than its sources, and uses the compiler's own parser."""
    files = sorted((FOLDER / "Planter").glob("*.swift"))
    if not PROGRAM.exists() or any(file.stat().st_mtime > PROGRAM.stat().st_mtime for file in files):
        host = pathlib.Path(shutil.which("swiftc")).resolve().parents[1] / "lib/swift/host"
        PROGRAM.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["swiftc", "-O", "-swift-version", "6", "-I", host, "-L", host, "-Xlinker", "-rpath", "-Xlinker", host,
             "-lSwiftSyntax", "-lSwiftParser", "-lSwiftOperators", *files, "-o", PROGRAM], check=True)
    return PROGRAM


def found(paths, folder=ROOT, module=targets.owner):
    """All mutants of some files, in the order of their places."""
    groups = collections.defaultdict(list)
    for path in paths:
        groups[module(path)].append(path)
    arguments = [word for name, group in groups.items() for word in ("--", name, *group)][1:]
    if not arguments:
        return []
    output = subprocess.run(
        [planter(), folder, *arguments], check=True, capture_output=True, text=True).stdout
    mutants = []
    for line in output.splitlines():
        row = json.loads(line)
        edits = tuple((edit["start"], edit["end"], edit["text"]) for edit in row["edits"])
        mutants.append(Mutant(
            row["id"], row["module"], row["file"], row["line"], row["column"], row["operator"],
            row["original"], row["replacement"], row["start"], row["end"], edits))
    if len({mutant.key for mutant in mutants}) < len(mutants):
        twice, _ = collections.Counter(mutant.key for mutant in mutants).most_common(1)[0]
        raise Unusable(f"two mutants have the ID {twice}")
    return mutants


def candidates():
    """The files in which operators make mutants."""
    return [path for path in sources() if not WITHOUT.search(path) and targets.owner(path)]


def equal():
    """The reason why each mutant of equal.toml changes nothing that a test could notice."""
    table = tomllib.loads(EQUAL.read_text())
    if any(not isinstance(reason, str) or not reason for reason in table.values()):
        raise Unusable("equal.toml: an ID has no reason")
    return table


def check_equal():
    """Makes sure that equal.toml has only IDs of mutants."""
    ids = equal()
    names = {identifier.partition(":")[0] for identifier in ids}
    files = [path for path in candidates() if pathlib.Path(path).name in names]
    if gone := ids.keys() - {mutant.id for mutant in found(files)}:
        raise Unusable(f"equal.toml: there is no such mutant: {', '.join(sorted(gone))}")
    return len(ids)


def changed(mutants, revision):
    """The mutants of lines that have changed since a revision."""
    output = subprocess.run(
        ["git", "diff", "--unified=0", "--no-ext-diff", revision, "--", "Sources"], cwd=ROOT, check=True,
        capture_output=True, text=True).stdout
    ranges, path = collections.defaultdict(list), None
    for line in output.splitlines():
        if line.startswith("+++ "):
            path = line[6:]
        elif match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(match[1]), int(match[2] or 1)
            ranges[path].append(range(first, first + count))
    texts = {}

    def lines(mutant):
        text = texts.setdefault(mutant.path, (ROOT / mutant.path).read_bytes())
        return range(mutant.line, mutant.line + text[mutant.start:mutant.end].count(b"\n") + 1)
    return [
        mutant for mutant in mutants
        if any(own.start < new.stop and new.start < own.stop
               for own in [lines(mutant)] for new in ranges.get(mutant.path, ()))]


def check_example():
    """Makes sure that the operators make of Example.swift the mutants of Example.txt, and that all of them compile."""
    source = FOLDER / "Example.swift"
    mutants = found([source.name], FOLDER, lambda _: "Example")
    lines = [mutant.line_of_text for mutant in mutants]
    if lines != (expected := source.with_suffix(".txt").read_text().splitlines()):
        raise Unusable("Example.txt: " + ", ".join(sorted(set(lines) ^ set(expected))) + " (or another order)")
    with tempfile.TemporaryDirectory() as folder:
        planted = pathlib.Path(folder) / "Example.swift"
        planted.write_bytes(planting.plant(source.read_bytes(), [planting.of_mutant(mutant) for mutant in mutants])[0])
        result = subprocess.run(
            ["swiftc", "-typecheck", "-swift-version", "6", planted, FOLDER / "Switch.swift"], capture_output=True,
            text=True)
    if result.returncode:
        raise Unusable(f"Example.swift with its mutants does not compile: {result.stderr}")
    return len(mutants)
