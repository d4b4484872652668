"""Checks quickly that every fault still applies: its text is in its file exactly once, apart from the other faults.

It also checks that Promises.toml fits Promises.md, that the mutants in equal.toml exist, and that the operators make
the expected mutants of the example.

Usage: check.py
"""
import sys

import operators
from faults import ROOT, Unusable, by_path, load
from package import child
from promises import promises, rows

try:
    faults = load()
    child()
    files = by_path(faults)
    table, count = rows(faults), operators.check_equal()
    print(f"{len(faults)} faults in {len(files)} files apply, {len(table)} rows fit {len(promises())} promises, "
          f"{count} equal mutants exist, the operators make {operators.check_example()} mutants of the example")
except (Unusable, FileNotFoundError, KeyError) as error:
    sys.exit(f"the faults or promises of Checks/Mutation do not apply: {error}")
