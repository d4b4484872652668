"""A copy of the package that has every fault, each behind a switch, so that one build serves all of them."""
import os, pathlib, subprocess

import targets
from faults import ROOT, Unusable, by_path

WORK = ROOT / ".build/mutants"
PACKAGE = WORK / "package"
VARIABLE = "SEALEDPUSH_MUTANT"

SWITCH = """\
private import Glibc

/// The number of the fault that is on; 0: none.
private let active: Int = unsafe getenv("%s").map { unsafe atol($0) } ?? 0

/// Whether a fault is on.
@inline(never)
func mutant(_ number: Int) -> Bool { number == active }
""" % VARIABLE

# The tests give the tool that they run an environment of their own, which must have the switch, too.
CHILD = "Child.swift"
ITS_ENVIRONMENT = "surroundings.environment.map {"
MORE = """surroundings.environment.merging(
        ["%s": unsafe getenv("%s").map { unsafe String(cString: $0) } ?? "0"]) { $1 }.map {""" % (VARIABLE, VARIABLE)


def make(faults):
    """Makes the copy, or brings it up to date: files that are as they were are not built again."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
        capture_output=True, text=True).stdout.split("\0")
    wanted = {name: (ROOT / name).read_bytes() for name in names if name and (ROOT / name).is_file()}
    for path, own in by_path(faults).items():
        wanted[path] = mutated((ROOT / path).read_text(), own).encode()
    for module in {targets.owner(fault.path) for fault in faults}:
        wanted[f"{targets.folder(module)}/Mutants.swift"] = SWITCH.encode()
    path, source = child()
    wanted[path] = source.encode()
    for name, contents in wanted.items():
        write(PACKAGE / name, contents, ROOT / name)
    for path in there():
        if str(path.relative_to(PACKAGE)) not in wanted:
            path.unlink()


def child():
    """The path of what the tests run the tool with, and its text, made to hand the switch on."""
    files = [path for path in (ROOT / "Tests").rglob(CHILD) if path.read_text().count(ITS_ENVIRONMENT) == 1]
    if len(files) != 1:
        raise Unusable(f"not one file {CHILD} of Tests has the one place at which the switch is handed on")
    return str(files[0].relative_to(ROOT)), files[0].read_text().replace(ITS_ENVIRONMENT, MORE)


def mutated(source, faults):
    """A file's text with its faults, which are in the order of their places."""
    for fault in reversed(faults):
        start, end = fault.place(source)
        source = source[:start] + fault.switched + source[end:]
    return source


def write(path, contents, original):
    """Writes a file unless it is there already."""
    if path.is_file() and path.read_bytes() == contents:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(contents)
    if original.exists():
        path.chmod(original.stat().st_mode & 0o777)


def there():
    """The files of the copy, but for what a build leaves."""
    for folder, folders, names in os.walk(PACKAGE):
        folders[:] = [name for name in folders if name != ".build"]
        for name in names:
            yield pathlib.Path(folder) / name
