"""Tries faults at every call that the project makes on the files that it writes, and checks the files afterwards.

Each flow runs once undisturbed, which lists its calls. Then it runs again for each call and each fault for calls of that
kind, or for a selection of them if a run is slow. The call fails, once or from then on; a part is written; the process is
killed before, in or after the call; the folder is moved or removed. Then the flow meets disks that are really full or
read-only, a folder that it must not write, and a missing folder. After each, the files are complete, the status and the
messages are right, and the next run works.

"old" and "new" are the states of the files, and "partly" means that only the first of several are new. For the extension
they are what was shown: the placeholder, everything, or less. Each run of the tool makes the same calls, except
`seal --lines`; on that command and on the extension, a fault is tried up to ten times. "missed" counts the faults whose
call none of these runs made; no flow may miss all of its faults.

Usage: inject.py PRODUCTS_FOLDER [--quick] [FLOW ...]
"""
import collections, json, os, pathlib, shutil, subprocess, sys, tempfile, time

import conditions, extension_flows, lines_flow, tool_flows
from injection import Injection
from interposed import Interposer
from workshop import Workshop

FLOWS = tool_flows.FLOWS + lines_flow.FLOWS + extension_flows.FLOWS
# Each way of writing small and large files, replacing others or not, and line by line.
QUICK = ["keys rotate", "open --out", "attach open", "extension, new folder", "seal --lines"]
COLUMNS = ["old", "partly", "new", "removed", "missed", "broken"]


def print_row(name, tally, seconds):
    numbers = [tally[column] for column in ("calls", "faults", *COLUMNS)]
    print(f"{name:28}" + "".join(f"{number:>9}" for number in numbers) + f"{seconds:>9.1f}", flush=True)


def try_calls(injections, is_quick):
    """Tries every fault at every call; returns the tally of all, and a list of faults found."""
    total, broken = collections.Counter(), []
    for injection in injections:
        begin = time.perf_counter()
        found = injection.try_all(is_quick)
        for text in found:
            print(f"BROKEN: {text}", flush=True)
        broken += found
        total += injection.tally
        print_row(injection.flow.name, injection.tally, time.perf_counter() - begin)
    return total, broken


def try_conditions(names, products, library):
    """Tries conditions as root and, in another process, as the user nobody; returns a list of faults found."""
    begin = time.perf_counter()
    tallies, broken = conditions_of_user(names, products, library)
    if os.geteuid() == 0:
        others, found = as_nobody(lambda: conditions_of_user(names, products, library), products)
        broken += found
        tallies |= {name: collections.Counter(tally) for name, tally in others.items() if name not in tallies}
    else:
        print("not tried: full and read-only disks, which root alone can mount")
    for text in broken:
        print(f"BROKEN: {text}", flush=True)
    for name, tally in tallies.items():
        print_row(name, tally, time.perf_counter() - begin)
    return sum(tallies.values(), collections.Counter()), broken


def conditions_of_user(names, products, library):
    """Tries the conditions that this user can bring about."""
    injections = prepared(names, products, library)
    tallies, broken = conditions.try_all(injections)
    if not broken:
        shutil.rmtree(injections[0].workshop.root)
    return tallies, broken


def as_nobody(work, products):
    """The result of `work` in a process of the user nobody, if that user can start the tool: the toolchain's folder, which
    has its libraries, may be closed to others."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            os.setgroups([])
            os.setgid(conditions.NOBODY)
            os.setuid(conditions.NOBODY)
            with open(writer, "w") as pipe:
                json.dump(work() if can_start(products / "sealpush") else None, pipe)
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader) as pipe:
        text = pipe.read()
    os.wait()
    if text == "null":
        print("not tried: a read-only folder, as the user nobody cannot start the tool")
        return {}, []
    return json.loads(text) if text else ({}, ["as nobody, nothing was tried"])


def can_start(tool):
    try:
        return subprocess.run([tool, "--version"], capture_output=True).returncode == 0
    except OSError:
        return False


def prepared(names, products, library):
    """The flows in this user's own folder, which is removed if no fault was found."""
    workshop = Workshop(products, pathlib.Path(tempfile.mkdtemp(prefix="faults.")).resolve())
    return [Injection(flow, workshop, Interposer(library)) for flow in FLOWS if flow.name in names]


def main():
    words = [word for word in sys.argv[1:] if word != "--quick"]
    is_quick = len(words) < len(sys.argv) - 1
    known = [flow.name for flow in FLOWS]
    if not words or set(words[1:]) - set(known):
        sys.exit(f"{__doc__.splitlines()[-1]}\nflows: {', '.join(known)}")
    names = words[1:] or (QUICK if is_quick else known)
    # In a folder that the user nobody can read, too.
    products = pathlib.Path(tempfile.mkdtemp(prefix="faults.")).resolve()
    products.chmod(0o755)
    for program in ("sealpush", "extension-process"):
        shutil.copy(pathlib.Path(words[0]) / program, products)
    library = Interposer.build(products)
    print(f"{'':28}" + "".join(f"{column:>9}" for column in ("calls", "faults", *COLUMNS, "seconds")))
    begin = time.perf_counter()
    injections = prepared(names, products, library)
    total, broken = try_calls(injections, is_quick)
    more, found = try_conditions(names, products, library)
    print_row("all", total + more, time.perf_counter() - begin)
    if not broken + found:
        for folder in (products, injections[0].workshop.root):
            shutil.rmtree(folder)
    sys.exit(1 if broken + found else 0)


if __name__ == "__main__":
    main()
