"""Checks in a moment that every fault still applies: its text is in its file exactly once.

Usage: check.py
"""
import sys

from faults import Unusable, by_path, load
from package import child

try:
    faults = load()
    child()
    print(f"{len(faults)} faults in {len(by_path(faults))} files apply")
except (Unusable, FileNotFoundError, KeyError) as error:
    sys.exit(f"the faults of Checks/Mutation/Faults do not apply: {error}")
