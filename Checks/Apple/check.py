"""Typechecks, bodies included, what is for Apple's systems: the libraries and the snippets that an app uses.

It proves itself first: planted faults must be found.
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import sdk
import standard_library

ROOT = sdk.HERE.parent.parent
CACHE = ROOT / ".build/apple"

SYSTEMS = [(standard_library.IOS, "18.0"), (standard_library.MACOS, "15.0"), (standard_library.IOS, "26.0")]

# Apple's systems have the module itself.
STAND_INS = {"UserNotifications"}

# The manifest, which sees Linux here, leaves out the other folder.
LINUX_ALONE = "Backends/Linux"

# It imports Testing, which is not part of an app.
NOT_IN_AN_APP = {"ExtensionTest"}


class Target:
    """A module to compile."""

    def __init__(self, name, sources, flags, dependencies=()):
        self.name, self.sources, self.flags, self.dependencies = name, sources, flags, dependencies


def libraries():
    """The libraries' targets, each after those that it needs."""
    manifest = json.loads(subprocess.run(["swift", "package", "dump-package"], capture_output=True, check=True).stdout)
    declared = {target["name"]: target for target in manifest["targets"] if target["type"] == "regular"}
    targets = {}

    def add(name):
        if name in targets or name in STAND_INS or name not in declared:
            return
        dependencies = [dependency["byName"][0] for dependency in declared[name]["dependencies"]]
        for dependency in dependencies:
            add(dependency)
        sources = [path for path in sorted((ROOT / "Sources" / name).rglob("*.swift")) if LINUX_ALONE not in str(path)]
        targets[name] = Target(name, sources, flags(declared[name]["settings"]), dependencies)

    for name in subprocess.run(["Checks/libraries.sh"], capture_output=True, text=True, check=True).stdout.split():
        add(name)
    return list(targets.values())


def flags(settings):
    """The compiler's arguments for a target's settings."""
    arguments = ["-package-name", "sealedpush", "-warnings-as-errors"]
    for setting in settings:
        for kind, value in setting["kind"].items():
            match kind:
                case "swiftLanguageMode":
                    arguments += ["-swift-version", value["_0"]]
                case "enableUpcomingFeature":
                    arguments += ["-enable-upcoming-feature", value["_0"]]
                case "enableExperimentalFeature":
                    arguments += ["-enable-experimental-feature", value["_0"]]
                case "strictMemorySafety":
                    arguments += ["-strict-memory-safety"]
                case "treatAllWarnings":
                    pass
                case _:
                    raise SystemExit(f"Package.swift has a setting that this check does not know: {kind}")
    return arguments


def snippets():
    """The snippets, each a module of its own, as in an app with the compiler's default settings."""
    return [
        Target(path.stem + "Snippet", [path], ["-swift-version", "6", "-warnings-as-errors"])
        for path in sorted((ROOT / "Snippets").glob("*.swift"))
        if path.stem not in NOT_IN_AN_APP
    ]


def check(system, targets, modules):
    """Compiles the targets, and returns a line for each, and its diagnostics."""
    results, failed = [], set()
    for target in targets:
        missing = failed.intersection(target.dependencies)
        if missing:
            diagnostics = [f"not checked, because of {', '.join(sorted(missing))}"]
        else:
            diagnostics = system.compile(target.name, target.sources, target.flags, modules)
        if diagnostics:
            failed.add(target.name)
        results.append((target.name, [line.replace(f"{ROOT}/", "") for line in diagnostics]))
    return results


# Each of these must be found: a file of Faults, and a part of the error's text.
FAULTS = {
    "body": "cannot convert return expression of type 'Int' to return type 'String'",
    "availability": "'span' is only available in iOS 26",
    "override": "method does not override any method from its superclass",
    "unsafe": "expression uses unsafe constructs but is not marked with 'unsafe'",
}


def prove(system, modules):
    """Stops unless each planted fault is found, and a file without a fault is not."""
    folder = sdk.HERE / "Faults"
    arguments = ["-swift-version", "6", "-strict-memory-safety", "-warnings-as-errors"]
    for name, text in {**FAULTS, "none": None}.items():
        found = system.compile(f"Fault_{name}", [folder / f"{name}.swift"], arguments, modules)
        if text is None and found or text and not any(text in line for line in found):
            raise SystemExit(f"the planted fault '{name}' gives:\n" + "\n".join(found))
        print(f"found: {text}" if text else "a file without a fault passes", flush=True)


def compare_copies():
    """Stops unless all modules have the same form of the file that each needs for itself."""
    if len({path.read_bytes() for path in (ROOT / "Sources").glob("*/ArraySpans.swift")}) != 1:
        raise SystemExit("the copies of ArraySpans.swift differ")


def main():
    os.chdir(ROOT)
    compare_copies()
    systems = [sdk.System(platform, version, CACHE) for platform, version in SYSTEMS]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="modules.", dir=CACHE))
    targets = libraries() + snippets()
    try:
        prove(systems[0], folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = []
            for number, system in enumerate(systems):
                modules = folder / str(number)
                modules.mkdir()
                jobs.append((system, pool.submit(check, system, targets, modules)))
            failures = sum([report(system, job.result()) for system, job in jobs])
    finally:
        shutil.rmtree(folder)
    print(f"{len(systems) * len(targets) - failures} passed, {failures} failed")
    sys.exit(failures > 0)


def report(system, results):
    """Prints a system's results, and returns how many targets failed."""
    for name, diagnostics in results:
        print(f"{system.name:10} {name:26} {f'{len(diagnostics)} errors' if diagnostics else 'passes'}")
        for line in diagnostics[:20]:
            print(f"  {line}")
    return sum(1 for _, diagnostics in results if diagnostics)


if __name__ == "__main__":
    main()
