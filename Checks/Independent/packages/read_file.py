"""Reads files of registrations in each way that the installed package `sealedpush` has; a line of JSON for each file."""
import json, sys

import sealedpush


def found(file, **options):
    """The names, or the refusal."""
    try:
        return list(sealedpush.read_registrations(file, **options))
    except sealedpush.Refused as refused:
        return {"reason": refused.reason, "rule": refused.rule, "inner": refused.inner}


def main(paths):
    for path in paths:
        with open(path) as text, open(path, "rb") as file, open(path, "rb") as again:
            print(json.dumps([found(text.read()), found(file), found(again, processes=2)]))


if __name__ == "__main__":  # what other processes import
    main(sys.argv[1:])
