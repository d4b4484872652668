"""Checks that every public symbol of an older version is still there.

Usage: check_api.py OLD NEW, folders with symbol graphs of the libraries at any depth. A symbol is identified by its mangled
name, which contains its types; one that is no longer public, or has other types, is reported as gone.
"""
import json, pathlib, sys


def symbols(folder):
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*.symbols.json")):
        module = path.name.split(".")[0].split("@")[0]
        for symbol in json.loads(path.read_text())["symbols"]:
            text = "".join(fragment["spelling"] for fragment in symbol.get("declarationFragments", []))
            found[symbol["identifier"]["precise"]] = f"{module}.{'.'.join(symbol['pathComponents'])}: {text}"
    if not found:
        sys.exit(f"there are no symbols in {folder}")
    return found


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: check_api.py OLD NEW")
    old, new = map(symbols, sys.argv[1:])
    gone = sorted(old[identifier] for identifier in old.keys() - new.keys())
    for text in gone:
        print(f"gone or changed: {text}")
    print(f"{len(old)} public symbols, {len(gone)} of them gone or changed, {len(new.keys() - old.keys())} new")
    sys.exit(1 if gone else 0)


if __name__ == "__main__":
    main()
