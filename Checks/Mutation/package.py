"""A copy of the package that has every fault and the chosen mutants, each behind a switch: one build serves them all."""
import os, pathlib, subprocess

import planting
import targets
from faults import ROOT, Unusable, by_path, sources

WORK = ROOT / ".build/mutants"
PACKAGE = WORK / "package"
VARIABLE = "SEALEDPUSH_MUTANT"
REACHED = "SEALEDPUSH_REACHED"
SWITCH = pathlib.Path(__file__).parent / "Switch.swift"

# The tests run the tool with an environment of their own, which must have the switch too.
CHILD = "Child.swift"
ITS_ENVIRONMENT = "surroundings.environment.map {"
MORE = """surroundings.environment.merging(
        ([%s] as [String]).compactMap { name in
          unsafe getenv(name).map { unsafe (name, String(cString: $0)) } }) { $1 }.map {""" % (
    f'"{VARIABLE}", "{REACHED}"')


def make(faults, mutants=()):
    """Makes the copy, or updates it: unchanged files are not built again. Returns the places of each file's changes, and the
    mutants that a fault leaves no place for."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
        capture_output=True, text=True).stdout.split("\0")
    # No test needs the snippets, and each of them would be a program to link.
    wanted = {name: (ROOT / name).read_bytes() for name in names
              if name and not name.startswith("Snippets/") and (ROOT / name).is_file()}
    own = {path: [] for path in sorted({mutant.path for mutant in mutants})}
    for mutant in mutants:
        own[mutant.path].append(mutant)
    planted, left_out, by_hand = {}, [], by_path(faults)
    for path in by_hand.keys() | own.keys():
        text = (ROOT / path).read_text()
        changes = [planting.of_fault(fault, text) for fault in by_hand.get(path, ())]
        count = len(changes)
        for mutant in own.get(path, ()):
            change = planting.of_mutant(mutant)
            if all(planting.fits(change, fault) for fault in changes[:count]):
                changes.append(change)
            else:
                left_out.append(mutant)
        wanted[path], spans = planting.plant(text.encode(), changes)
        planted[path] = [(changes[order].owner, span) for order, span in spans.items()]
    # Every module has the switch, so that it does not depend on the chosen mutants.
    for module, (folder, kind, _) in targets.targets().items():
        if kind in ("regular", "executable") and any(path.startswith(f"{folder}/") for path in sources()):
            wanted[f"{folder}/Mutants.swift"] = SWITCH.read_bytes()
    path, source = child()
    wanted[path] = source.encode()
    for name, contents in wanted.items():
        write(PACKAGE / name, contents, ROOT / name)
    for path in there():
        if str(path.relative_to(PACKAGE)) not in wanted:
            path.unlink()
    return planted, left_out


def child():
    """The path of the file that runs the tool for the tests, and its text, changed to pass the switch on."""
    files = [path for path in (ROOT / "Tests").rglob(CHILD) if path.read_text().count(ITS_ENVIRONMENT) == 1]
    if len(files) != 1:
        raise Unusable(f"not one file {CHILD} of Tests has the one place at which the switch is handed on")
    return str(files[0].relative_to(ROOT)), files[0].read_text().replace(ITS_ENVIRONMENT, MORE)


def write(path, contents, original):
    """Writes a file unless it is there already."""
    if path.is_file() and path.read_bytes() == contents:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(contents)
    if original.exists():
        path.chmod(original.stat().st_mode & 0o777)


def there():
    """The files of the copy, without those of a build."""
    for folder, folders, names in os.walk(PACKAGE):
        folders[:] = [name for name in folders if name != ".build"]
        for name in names:
            yield pathlib.Path(folder) / name
