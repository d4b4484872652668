"""engines.py: neither of SwiftPM's engines builds the stand-in for UserNotifications on a system other than Linux.

It copies the package's manifest, with its products, targets and conditions, into a folder where each target is an empty
file. The manifest and the conditions of dependencies take this host for a Mac. Then it adds a product that must not be
there: the newer engine must build the stand-in for it; otherwise this program could not detect a fault.
"""
import os, pathlib, re, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Checks/Documents"))
from manifest import evaluated, text_as_on_a_mac

STAND_IN = "UserNotifications"
EXPORTED = f'\npackage.products.append(.library(name: "{STAND_IN}", targets: ["{STAND_IN}"]))\n'
CONDITIONS = {".linux": ".windows", ".macOS": ".linux"}


def write(path, text=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def make(folder):
    """Makes a package of the manifest's targets, with empty sources."""
    shutil.rmtree(folder, ignore_errors=True)
    # The package's minimum versions are left out.
    manifest = re.sub(r"\.(?:linux|macOS)\b(?! *\()", lambda match: CONDITIONS[match[0]], text_as_on_a_mac())
    write(folder / "Package.swift", manifest)
    for target in evaluated(folder)["targets"]:
        place = folder / (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}")
        if target["type"] == "system":
            write(place / "module.modulemap", f"module {target['name']} {{}}\n")
        else:
            write(place / ("main.swift" if target["type"] == "executable" else f"{target['name']}.swift"))
        for name in [resource["path"] for resource in target["resources"]]:
            write(place / name)
    return manifest


def has_stand_in(folder, engine):
    """Whether a build of the package makes the module."""
    scratch = folder / ".build"
    shutil.rmtree(scratch, ignore_errors=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SEALEDPUSH")}
    for _ in range(3):
        done = subprocess.run(["swift", "build", "--package-path", folder, "--build-system", engine], env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        # The toolchain's newer engine crashes now and then while it plans a build.
        if done.returncode >= 0 and "crashed" not in done.stderr + done.stdout:
            break
    if done.returncode != 0:
        sys.exit(f"{done.stdout[-3000:]}{done.stderr[-3000:]}\nerror: {engine} does not build the package")
    built = {path.stem for path in scratch.rglob("*.swiftmodule")}
    if "PushSealer" not in built:
        sys.exit(f"error: {engine} builds no module that is known here: {sorted(built)}")
    return STAND_IN in built


def main():
    folder = ROOT / ".build/engines"
    manifest = make(folder)
    failed = 0
    for engine in ("native", "swiftbuild"):
        is_there = has_stand_in(folder, engine)
        failed += is_there
        print(f"{engine}: {'error: it builds' if is_there else 'it leaves out'} the stand-in for {STAND_IN}", flush=True)
    (folder / "Package.swift").write_text(manifest + EXPORTED)
    if not failed and not has_stand_in(folder, "swiftbuild"):
        sys.exit("error: a product with the stand-in makes no difference, so this program sees nothing")
    shutil.rmtree(folder)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
