"""Checks that every public declaration has a documentation comment.

Usage: check_symbols.py FOLDER, which has symbol graphs of the libraries at any depth. Declarations that the compiler writes
itself, such as the initializer of a raw value, have no place in the source, and need no comment.
"""
import json, pathlib, sys


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: check_symbols.py FOLDER")
    symbols = {}
    for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.symbols.json")):
        for symbol in json.loads(path.read_text())["symbols"]:
            identifier = symbol["identifier"]["precise"]
            if "::SYNTHESIZED::" not in identifier and "location" in symbol:
                symbols[identifier] = path.name.split(".")[0], symbol
    if not symbols:
        sys.exit("there are no symbols")
    bare = [(module, symbol) for module, symbol in symbols.values() if "docComment" not in symbol]
    for module, symbol in bare:
        place = symbol["location"]["uri"].rpartition("/Sources/")[2]
        line = symbol["location"]["position"]["line"] + 1
        print(f"{place}:{line}: {module}.{'.'.join(symbol['pathComponents'])} has no documentation comment")
    print(f"{len(symbols)} public symbols, {len(symbols) - len(bare)} documented")
    sys.exit(1 if bare else 0)


if __name__ == "__main__":
    main()
