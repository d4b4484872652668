"""Strict JSON ([6.1]) and base64url ([2.1]), both ways. Numbers in square brackets are rules of FORMAT.md."""
import base64
import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn

DEEPEST = 32
# Python refuses to read longer integers unless told otherwise. No rule accepts one.
LONGEST_INTEGER = 4000


def b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """Strict: the alphabet alone, no padding, no impossible length, unused bits zero. `ValueError` otherwise.

    Whatever else Python decodes is written in another way when it is encoded again.
    """
    raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if b64(raw) != text:
        raise ValueError("not base64url")
    return raw


class Number(float):
    """A number that is not simply an integer, and how it was written."""

    literal: str

    def __new__(cls, literal: str) -> "Number":
        number = super().__new__(cls, literal)
        number.literal = literal
        return number

    @property
    def is_double(self) -> bool:
        digits = self.literal.lower().split("e")[0]
        return math.isfinite(self) and (bool(self) or not set(digits) & set("123456789"))


def _integer(literal: str) -> int | Number:
    return Number(literal) if literal == "-0" or len(literal) > LONGEST_INTEGER else int(literal)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member twice")
    return members


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_decoder = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_constant, parse_float=Number,
                            parse_int=_integer)


def _walk(value: Any, depth: int = 1) -> None:
    """No surrogate without its pair (Python keeps it as it is), and no container too deep."""
    if isinstance(value, str):
        value.encode("utf-8", "strict")
    elif isinstance(value, (dict, list)):
        if depth > DEEPEST:
            raise ValueError(f"more than {DEEPEST} containers deep")
        for item in value if isinstance(value, list) else [*value, *value.values()]:
            _walk(item, depth + 1)


def strict_json(raw: bytes) -> Any:
    """[6.1] `ValueError` if it is broken."""
    text = raw.decode("utf-8", "strict")
    if text.startswith("\ufeff"):
        raise ValueError("a byte order mark")
    try:
        value = _decoder.decode(text)
    except RecursionError:
        raise ValueError(f"more than {DEEPEST} containers deep") from None
    # In UTF-8 a surrogate can only be an escape, and a text with few brackets is not deep.
    if "\\u" in text or text.count("{") + text.count("[") > DEEPEST:
        _walk(value)
    return value


_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def compact(value: Any) -> str:
    """JSON without white space, with numbers as they were written. `ValueError` for what JSON does not have."""
    if isinstance(value, Number):
        return value.literal
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) for name in value):
            raise ValueError("a member's name is no string")
        return "{" + ",".join(f"{compact(name)}:{compact(member)}" for name, member in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(compact, value)) + "]"
    try:
        return _encoder.encode(value)
    except TypeError:
        raise ValueError("a value that JSON does not have") from None
