"""Checks in a moment that every fault still applies: its text is in its file exactly once, beside the others.

Usage: check.py
"""
import sys

from faults import ROOT, Unusable, by_path, load
from package import child, mutated

try:
    faults = load()
    child()
    files = by_path(faults)
    for path, own in files.items():
        mutated((ROOT / path).read_text(), own)
    print(f"{len(faults)} faults in {len(files)} files apply")
except (Unusable, FileNotFoundError, KeyError) as error:
    sys.exit(f"the faults of Checks/Mutation/Faults do not apply: {error}")
