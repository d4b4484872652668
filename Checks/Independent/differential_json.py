"""JSON: Python's parser with its defaults, and the rules by which ours accepts less."""
import json
import json.scanner

from differential_case import Case
from differential_json_texts import text

LIMIT = 32  # of containers inside one another

# Python's own scanner, which is not in C, takes digits that are not ASCII.
assert json.scanner.c_make_scanner, "json's scanner in C is missing"


class Number(str):
    """A number's literal."""


class Constant(str):
    """NaN, Infinity or -Infinity."""


class Members(list):
    """An object's members, in order."""


def canonical(value):
    if isinstance(value, Members):
        return "{" + ",".join(f"{canonical(name)}:{canonical(member)}" for name, member in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return value if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def broken_rules(value, depth=0):
    """The names of the rules that a value breaks, with the reasons that ours may give."""
    found = {}
    if isinstance(value, Constant):
        found["NaN or Infinity"] = {"unexpected-byte", "invalid-number"}
    elif isinstance(value, str):
        if any("\ud800" <= character <= "\udfff" for character in value):
            found["half a surrogate pair"] = {"lone-surrogate"}
    elif isinstance(value, list):
        if depth == LIMIT:
            found[f"deeper than {LIMIT}"] = {"too-deep"}
        if isinstance(value, Members) and len({name for name, _ in value}) < len(value):
            found["a member twice"] = {"duplicate-key"}
        for item in [part for member in value for part in member] if isinstance(value, Members) else value:
            found |= broken_rules(item, depth + 1)
    return found


def judge(raw):
    """Python's value in canonical form, or None if it refuses; and the rules that the value breaks."""
    try:
        value = json.loads(
            raw, object_pairs_hook=Members, parse_int=Number, parse_float=Number, parse_constant=Constant)
        rules = broken_rules(value)
    except (ValueError, RecursionError):
        return None, {}
    encoding = json.detect_encoding(raw)
    if encoding in ("utf-8-sig", "utf-16", "utf-32"):
        rules = {"a byte order mark": {"byte-order-mark", "unexpected-byte"}} | rules
    if encoding.startswith(("utf-16", "utf-32")):
        rules = {"not UTF-8": {"unexpected-byte", "trailing-bytes", "control-character", "invalid-number"}} | rules
    else:
        try:
            raw.decode()
        except UnicodeDecodeError:
            rules = {"a surrogate in UTF-8": {"invalid-utf8"}} | rules
    return (None if rules else canonical(value).encode()), rules


def case(rng):
    raw = text(rng)
    value, rules = judge(raw)
    skipped = rng.random() < 0.2
    wanted = None if value is None and not rules else [] if skipped else [value]
    return Case("json-skipped" if skipped else "json", {"text": raw}, wanted, stricter=rules)
