"""The faults of Faults/*.toml: a file for each module, a table for each fault."""
import dataclasses, functools, pathlib, re, tomllib, zlib

import targets

FOLDER = pathlib.Path(__file__).parent / "Faults"
ROOT = targets.ROOT
KINDS = ("expression", "statement", "text")
LEAST = 120
# What no longer compiles behind a switch: a declaration, or an argument with its label; part of a block does not either.
UNPLANTABLE = re.compile(r"(guard let|guard var|let|var|func|case) |\w+: ")
MEMBERS = {"breaks", "file", "in", "becomes", "tests", *KINDS}


class Unusable(Exception):
    """A fault that is not written as README.md says, or whose text is not in its file exactly once; or too few faults."""


@dataclasses.dataclass(frozen=True)
class Fault:
    """One small fault: its place, the original code, and the code that replaces it."""

    number: int
    name: str
    module: str
    file: str
    breaks: str
    kind: str
    old: str
    new: str
    context: str
    tests: str

    @functools.cached_property
    def path(self):
        """The file's path in the package: the file of that name in the module, or otherwise the only one in Sources."""
        every = [path for path in sources() if path.endswith(f"/{self.file}")]
        own = [path for path in every if targets.owner(path) == self.module]
        if len(found := own or every) != 1:
            raise Unusable(f"{self.name}: there are {len(found)} files {self.file}, and not one, for {self.module}")
        return found[0]

    def place(self, source):
        """The beginning and the end of the original code in the file's text."""
        start = only(source, self.context, self) + only(self.context, self.old, self)
        return start, start + len(self.old)


@functools.cache
def sources():
    """The paths of all files of Sources."""
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / "Sources").rglob("*.swift"))]


def only(text, part, fault):
    """The place of a part that the text must have exactly once."""
    if (count := text.count(part)) != 1:
        raise Unusable(f"{fault.name}: its text is {count} times, and not once, in {fault.path}")
    return text.index(part)


def is_whole(code):
    """Whether each bracket that a piece of code opens is closed in it."""
    return all(code.count(left) == code.count(right) for left, right in ("()", "[]", "{}"))


def load():
    """All faults, in the order of the files."""
    faults, names = [], set()
    for path in sorted(FOLDER.glob("*.toml")):
        for name, table in tomllib.loads(path.read_text()).items():
            kinds = [kind for kind in KINDS if kind in table]
            if name in names or len(kinds) != 1 or table.keys() - MEMBERS:
                raise Unusable(f"{name}: there are two of that name, or it has not the members that it must have")
            names.add(name)
            old = table[kinds[0]]
            if kinds[0] != "text" and (UNPLANTABLE.match(old) or "MUTANT" in table["becomes"] or not is_whole(old)
                                       or not is_whole(table["becomes"])):
                raise Unusable(f"{name}: its {kinds[0]} cannot stand behind a switch, so it must be a text")
            faults.append(Fault(
                zlib.crc32(name.encode()), name, path.stem, table["file"], table["breaks"], kinds[0], old,
                table["becomes"], table.get("in", old), table["tests"]))
    if len(faults) < LEAST:
        raise Unusable(f"there are {len(faults)} faults, fewer than {LEAST}")
    return faults


def by_path(faults):
    """The faults of each file, in the order of their places; none may overlap."""
    files = {}
    for fault in faults:
        files.setdefault(fault.path, []).append(fault)
    for path, own in files.items():
        source = (ROOT / path).read_text()
        own.sort(key=lambda fault: fault.place(source))
        for one, next in zip(own, own[1:]):
            if one.place(source)[1] > next.place(source)[0]:
                raise Unusable(f"{one.name} and {next.name} overlap")
    return files
