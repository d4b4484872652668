"""Typechecks the code for Apple's systems, function bodies included: the libraries and the snippets that an app uses.

It tests itself first: it must find planted faults.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import example
import sdk
import standard_library

ROOT = sdk.HERE.parent.parent
CACHE = ROOT / ".build/apple"

# The oldest systems that the package declares, and newer ones.
SYSTEMS = [
    (standard_library.IOS, "17.0"), (standard_library.MACOS, "14.0"), (standard_library.IOS, "18.0"),
    (standard_library.IOS, "26.0"), (standard_library.CATALYST, "17.0"), (standard_library.VISIONOS, "1.0"),
]

# One imports Testing, which is not part of an app; the other is only for Linux.
NOT_IN_AN_APP = {"ExtensionTest", "Outbox"}

# They seal sequences whose errors have a type, which iOS has from 18 on.
NOT_ON_THE_OLDEST = {"JobQueue", "PersonQueue"}

# Package.swift declares them only on Linux, and this check runs on Linux.
LINUX_ALONE = {
    "ScenarioTests", "UserNotificationsTests", "extension-process", "poisoned", "lanes-proof", "PushNetwork", "PushNetworkTests", "http2-peer",
    "PushDelivery", "PushDeliveryTests", "PushStandIn", "PushStandInTests", "PushStore", "PushStorePostgres",
    "PushStoreTests", "PushWorker", "PushWorkerTests", "StoreSupport", "worker-storm", "sealpushd"}

# What SwiftPM generates for a target with resources.
RESOURCES = "import Foundation\nextension Foundation.Bundle { static var module: Bundle { Bundle.main } }\n"


class Target:
    """A module to compile."""

    def __init__(self, name, sources, flags, dependencies=(), variant="", error=None):
        self.name, self.sources, self.flags, self.dependencies = name, sources, flags, dependencies
        # A fault is compiled last, into a folder of its own.
        self.variant = variant
        # A part of the error that the target must have; None if it must have no error.
        self.error = error


class Package:
    """The targets that Package.swift declares, for the platform that is built for, as SwiftPM chooses them."""

    def __init__(self):
        dump = subprocess.run(["swift", "package", "dump-package"], capture_output=True, check=True).stdout
        declared = json.loads(dump)["targets"]
        self.declared = {
            target["name"]: target
            for target in declared
            if target["type"] != "system" and target["name"] not in LINUX_ALONE
        }

    def targets(self, platform, roots=None):
        """The targets that `roots` need (by default all targets), each after the ones that it depends on."""
        found = {}

        def add(name):
            if name in found:
                return
            dependencies = [other for other, holds in self.dependencies(name, platform) if holds]
            for other in dependencies:
                add(other)
            found[name] = self.target(name, dependencies, platform)

        for name in roots or self.declared:
            if name not in self.not_built(platform):
                add(name)
        return list(found.values())

    def not_built(self, platform):
        """Targets on which others depend only on other platforms: SwiftPM does not build them here."""
        return {other for name in self.declared for other, holds in self.dependencies(name, platform) if not holds}

    def dependencies(self, name, platform):
        """The names of a target's dependencies, each with a Boolean: whether its condition holds."""
        for dependency in self.declared[name]["dependencies"]:
            ((other, condition),) = dependency.values()
            condition = condition or {}
            platforms = condition.get("platformNames") or [platform.name]
            if other in self.declared:
                yield other, platform.name in platforms and not condition.get("traits")

    def target(self, name, dependencies, platform):
        target = self.declared[name]
        kind = "Tests" if target["type"] == "test" else "Sources"
        folder = ROOT / (target.get("path") or f"{kind}/{name}")
        excluded = [folder / path for path in target["exclude"]]
        sources = [
            path for path in sorted(folder.rglob("*.swift")) if not any(path.is_relative_to(other) for other in excluded)
        ]
        if target["resources"] and kind == "Tests":
            sources.append(RESOURCES)
        return Target(name, sources, [*flags(target["settings"]), "-enable-testing"], dependencies)


def flags(settings):
    """The compiler's arguments for a target's settings."""
    arguments = ["-package-name", "sealedpush", "-warnings-as-errors"]
    # Nothing is linked.
    for setting in (setting for setting in settings if setting["tool"] != "linker"):
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
                case "unsafeFlags":
                    arguments += [word for word in value["_0"] if word != "-Xfrontend"]
                case "treatAllWarnings":
                    pass
                case _:
                    raise SystemExit(f"Package.swift has a setting that this check does not know: {kind}")
    return arguments


def imports(path):
    """The libraries that a file imports."""
    return [name for name in re.findall(r"^import ((?:Sealed)?Push\w*)$", path.read_text(), re.MULTILINE)]


def snippets(is_oldest):
    """The snippets, each a module of its own, as in an app with the compiler's default settings."""
    left_out = NOT_IN_AN_APP | (NOT_ON_THE_OLDEST if is_oldest else set())
    return [
        Target(path.stem + "Snippet", [path], ["-swift-version", "6", "-warnings-as-errors"], imports(path))
        for path in sorted((ROOT / "Snippets").glob("*.swift"))
        if path.stem not in left_out
    ]


# The tests that a simulator runs, which are compiled for the oldest iOS.
SCHEME = ROOT / ".swiftpm/xcode/xcshareddata/xcschemes/Simulator.xcscheme"

EXAMPLE = ROOT / "Examples/iOS"


def example_targets():
    """The example's targets, with the settings of its project.yml."""
    settings = ["-swift-version", "6", "-warnings-as-errors", "-enable-upcoming-feature", "MemberImportVisibility"]
    for name, part in example.FOLDERS.items():
        sources = sorted([*(EXAMPLE / part).glob("*.swift"), *(EXAMPLE / "Shared").glob("*.swift")])
        yield Target(name, sources, settings, sorted({library for path in sources for library in imports(path)}))
    tests = sorted((EXAMPLE / "Tests").glob("*.swift"))
    yield Target("LunchTests", tests, settings, sorted({library for path in tests for library in imports(path)}))


def simulator_tests():
    """The test targets of the scheme for the simulator."""
    return re.findall(r'BlueprintName = "(\w+)"', SCHEME.read_text())


def check(system, target, modules, needed):
    """Compiles a target after the jobs of its dependencies have ended, and returns its diagnostics."""
    missing = sorted(name for name, job in needed.items() if job.result())
    if missing:
        return [f"not checked, because of {', '.join(missing)}"]
    sources = [write(modules, target, source) if isinstance(source, str) else source for source in target.sources]
    result = modules / "variants" if target.variant else modules
    result.mkdir(exist_ok=True)
    diagnostics = system.compile(target.name.replace("-", "_"), sources, target.flags, modules, result)
    if target.error:
        return [] if any(target.error in line for line in diagnostics) else [f"compiles, without: {target.error}"]
    return [line.replace(f"{ROOT}/", "") for line in diagnostics]


def write(folder, target, text):
    path = folder / f"{target.name}.generated.swift"
    path.write_text(text)
    return path


# Each of these must be found: a file of Faults, and a part of the error's text.
FAULTS = {
    "body": "cannot convert return expression of type 'Int' to return type 'String'",
    "availability": "'span' is only available in iOS 26",
    "override": "method does not override any method from its superclass",
    "unsafe": "expression uses unsafe constructs but is not marked with 'unsafe'",
    "expectation": "binary operator '==' cannot be applied to operands of type 'Int' and 'String'",
}


# Code that a phone cannot run must not compile for it: a file of Faults that needs the libraries.
NOT_ON_A_PHONE = {"format": "is unavailable in iOS: iOS has no XSalsa20-Poly1305"}


def refusals():
    """Targets that must not compile for a phone."""
    return [
        Target(f"Fault_{name}", [sdk.HERE / f"Faults/{name}.swift"], ["-swift-version", "6"], ["PushCompat"], error=text)
        for name, text in NOT_ON_A_PHONE.items()
    ]


def prove(system, modules):
    """Stops unless each planted fault is found, and a file without a fault is not."""
    folder = sdk.HERE / "Faults"
    arguments = ["-swift-version", "6", "-strict-memory-safety", "-warnings-as-errors"]
    for name, text in {**FAULTS, "none": None}.items():
        found = system.compile(f"Fault_{name}", [folder / f"{name}.swift"], arguments, modules)
        if text is None and found or text and not any(text in line for line in found):
            raise SystemExit(f"the planted fault '{name}' gives:\n" + "\n".join(found))
        print(f"found: {text}" if text else "a file without a fault passes", flush=True)


def main():
    os.chdir(ROOT)
    systems = [sdk.System(platform, version, CACHE) for platform, version in SYSTEMS]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="modules.", dir=CACHE))
    try:
        prove(systems[0], folder)
        example.prove(EXAMPLE, folder / "example")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [(system, *job) for system in systems for job in begin(system, folder / system.name, pool)]
            failures = sum(report(system, target, job.result()) for system, target, job in jobs)
        failures += report_example()
    finally:
        shutil.rmtree(folder)
    print(f"{len(jobs) + 1 - failures} passed, {failures} failed")
    sys.exit(failures > 0)


def with_sodium(targets):
    """The targets that the package's trait `Sodium` changes on a Mac, with that trait."""
    (target,) = [target for target in targets if target.name == "PushCrypto"]
    arguments = [*target.flags, "-D", "Sodium", "-I", str(sdk.HERE / "Sodium")]
    return [Target("PushCrypto", target.sources, arguments, target.dependencies, " with libsodium")]


def begin(system, modules, pool):
    """Begins to compile a system's targets, and returns each target with its job.

    Every job is submitted after the jobs that it waits for, so that the pool's threads never all wait.
    """
    modules.mkdir()
    is_mac = system.platform is standard_library.MACOS
    is_oldest = system.version == system.platform.minimum
    libraries = subprocess.run(["Checks/libraries.sh"], capture_output=True, text=True, check=True).stdout.split()
    libraries = [name for name in libraries if name not in LINUX_ALONE]
    jobs = {}
    is_simulator = is_oldest and system.platform is standard_library.IOS
    roots = None if is_mac else libraries + (simulator_tests() if is_simulator else [])
    targets = Package().targets(system.platform, roots) + snippets(is_oldest)
    if is_mac:
        targets += with_sodium(targets)
    if system.platform is standard_library.IOS:
        targets += [*example_targets(), *refusals()]
    for target in targets:
        needed = {name: jobs[name] for name in target.dependencies}
        jobs[target.name + target.variant] = job = pool.submit(check, system, target, modules, needed)
        yield target, job


def report(system, target, diagnostics):
    """Prints a target's result, and returns whether it failed."""
    print(f"{system.name:13} {target.name + target.variant:26} {f'{len(diagnostics)} errors' if diagnostics else 'passes'}")
    for line in diagnostics[:20]:
        print(f"  {line}")
    return bool(diagnostics)


def report_example():
    """Prints what is wrong with the example's other files, and returns whether something is."""
    wrong = example.findings(EXAMPLE)
    print(f"{'example':13} {'property lists':26} {f'{len(wrong)} errors' if wrong else 'passes'}")
    for line in wrong:
        print(f"  {line}")
    return bool(wrong)


if __name__ == "__main__":
    main()
