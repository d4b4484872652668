"""The package's targets, as Package.swift declares them: their folders and dependencies."""
import functools, json, os, pathlib, subprocess

ROOT = pathlib.Path(__file__).parents[2]


@functools.cache
def targets():
    """The folder, the kind and the direct dependencies of each target, by its name."""
    text = subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True,
        env=os.environ | {"SEALEDPUSH_STRICT": "0"}).stdout
    found = {}
    for target in json.loads(text)["targets"]:
        folder = target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + target["name"]
        needs = [next(iter(dependency.values()))[0] for dependency in target["dependencies"]]
        found[target["name"]] = (folder, target["type"], needs)
    return found


def owner(path):
    """The target that a file belongs to."""
    owners = [name for name, (folder, _, _) in targets().items() if path.startswith(f"{folder}/")]
    return max(owners, key=lambda name: len(targets()[name][0]), default=None)


def folder(name):
    """A target's folder."""
    return targets()[name][0]


@functools.cache
def reached(name):
    """A target and everything that it depends on."""
    found, left = set(), [name]
    while left:
        if (name := left.pop()) not in found and name in targets():
            found.add(name)
            left += targets()[name][2]
    return found
