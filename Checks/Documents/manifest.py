"""The manifest as SwiftPM evaluates it, on this host and as it would on a Mac."""
import json, os, pathlib, re, subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The manifest's questions about its host, each with the code that gives a Mac's answer here.
AS_ON_A_MAC = {"os(Linux)": "os(macOS)", "os(macOS)": "os(Linux)", "canImport(Darwin)": "os(Linux)",
               "canImport(Glibc)": "os(macOS)"}


def text_as_on_a_mac():
    """The text of Package.swift, changed so that it takes this host for a Mac."""
    asked = "|".join(map(re.escape, AS_ON_A_MAC))
    return re.sub(asked, lambda match: AS_ON_A_MAC[match[0]], (ROOT / "Package.swift").read_text())


def evaluated(folder):
    """The declarations of the manifest in a folder; its sources are not needed."""
    scratch = ROOT / ".build/manifest/scratch"
    environment = {name: value for name, value in os.environ.items() if name != "SEALEDPUSH_FUZZING"}
    return json.loads(subprocess.check_output(
        ["swift", "package", "--package-path", folder, "--scratch-path", scratch, "dump-package"], env=environment))


def on_this_host():
    return evaluated(ROOT)


def on_a_mac():
    folder = ROOT / ".build/manifest/mac"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Package.swift").write_text(text_as_on_a_mac())
    return evaluated(folder)


def dependencies(target):
    """A target's dependencies, each with the platforms that it is for; None is all of them."""
    for item in target["dependencies"]:
        for words in item.values():
            condition = words[-1] if isinstance(words[-1], dict) else None
            yield words[0], condition and condition.get("platformNames") or None


def folder_of(target):
    """Where a target's files are, as SwiftPM finds them."""
    return ROOT / target["path"] if target.get("path") else ROOT / ("Tests" if target["type"] == "test" else "Sources") / target["name"]
