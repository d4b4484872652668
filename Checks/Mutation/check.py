"""Checks in a moment that every fault still applies: its text is in its file exactly once, beside the others. And that
Promises.toml fits SECURITY.md.

Usage: check.py
"""
import sys

from faults import ROOT, Unusable, by_path, load
from package import child, mutated
from promises import promises, rows

try:
    faults = load()
    child()
    files = by_path(faults)
    for path, own in files.items():
        mutated((ROOT / path).read_text(), own)
    table = rows(faults)
    print(f"{len(faults)} faults in {len(files)} files apply, {len(table)} rows fit {len(promises())} promises")
except (Unusable, FileNotFoundError, KeyError) as error:
    sys.exit(f"the faults or promises of Checks/Mutation do not apply: {error}")
