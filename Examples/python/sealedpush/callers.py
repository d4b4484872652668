"""What callers may say in the content's reserved member: FORMAT.md, [6.6] and [6.7]."""
import re
from collections.abc import Callable
from typing import Any

from .encoding import unb64

RESERVED = "sealed-push"
MOST_REMOVED = 32
MESSAGE_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_callers(member: Any) -> bool:
    """Whether the member has something that callers may say, and nothing else."""
    if not isinstance(member, dict) or type(member.get("v")) is not int or member["v"] != 1:
        return False
    said = member.keys() - {"v"}
    return bool(said) and said <= MEMBERS.keys() and all(MEMBERS[name](member[name]) for name in said)


def replaced(content: dict[str, Any]) -> str | None:
    """The message whose place one with this content takes."""
    found = content.get(RESERVED, {}).get("replaces")
    return None if found is None else str(found)


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and MESSAGE_ID.fullmatch(value) is not None


def _are_ids(value: Any) -> bool:
    return isinstance(value, list) and 1 <= len(value) <= MOST_REMOVED and all(map(_is_id, value))


def _is_base64url(value: Any) -> bool:
    try:
        return isinstance(value, str) and unb64(value) is not None
    except ValueError:
        return False


MEMBERS: dict[str, Callable[[Any], bool]] = {"replaces": _is_id, "removes": _are_ids, "bytes": _is_base64url}
