"""check_manifest.py: the manifest declares the right products and dependencies on each host.

The stand-in for Apple's UserNotifications is a product only on Linux. SwiftPM's newer engine builds a product on every
platform, whatever the conditions of dependencies say, and an extension would get the wrong base class. On Apple's
systems, every target that uses spans of arrays depends on ArraySpans.
"""
import pathlib, re, sys

from manifest import dependencies, folder_of, on_a_mac, on_this_host

STAND_IN, SPANS = "UserNotifications", "ArraySpans"
DARWIN = {"macos", "ios", "maccatalyst", "visionos", "tvos", "watchos"}


def exporting(package):
    """The products that export the stand-in."""
    return [product["name"] for product in package["products"] if STAND_IN in product["targets"]]


def takes_spans(target):
    return any(re.search(rf"^ *(?:@\w+ +)*(?:\w+ +)?import {SPANS}$", path.read_text(), re.M)
               for path in folder_of(target).rglob("*.swift"))


def faults(linux, mac):
    if exporting(linux) != [STAND_IN]:
        yield f"on Linux the products with {STAND_IN} are {exporting(linux)}"
    for name in exporting(mac):
        yield f"on a Mac the product {name} exports the stand-in for {STAND_IN}"
    found = 0
    for target in mac["targets"]:
        platforms = dict(dependencies(target))
        if STAND_IN in platforms and platforms[STAND_IN] != ["linux"]:
            yield f"on a Mac {target['name']} depends on the stand-in for {STAND_IN} not for Linux alone"
        if target["type"] != "system" and takes_spans(target):
            found += 1
            wanted = platforms.get(SPANS, []) if SPANS in platforms else []
            lacking = DARWIN - set(wanted) if wanted is not None else set()
            if lacking:
                yield f"{target['name']} imports {SPANS}, but depends on it neither on {' nor on '.join(sorted(lacking))}"
    if not found:
        yield f"no target imports {SPANS}"


def main():
    linux, mac = on_this_host(), on_a_mac()
    found = list(faults(linux, mac))
    for fault in found:
        print(f"Package.swift: error: {fault}")
    print(f"{len(linux['products'])} products on Linux, {len(mac['products'])} on a Mac; {len(found)} faults")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
