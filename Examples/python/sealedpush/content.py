"""A content, which is an APNs payload: section 6. Numbers in square brackets are rules of FORMAT.md."""
import math
import sys
from collections.abc import Callable
from typing import Any

from .encoding import Number, strict_json
from .errors import ContentError

LEVELS = ("passive", "active", "time-sensitive", "critical")


def check_content(raw: bytes, notification: bool = True) -> dict[str, Any]:
    """[6.1] to [6.4]; returns the object."""
    try:
        content = strict_json(raw)
    except ValueError as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise ContentError("6.1", f"the payload is not strict JSON: {_why(error)}") from None
    aps = content.get("aps") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(aps, dict):
        raise ContentError("6.2", "the payload has no object aps")
    for name, is_good in MEMBERS.items():
        if name in aps and not is_good(aps[name]):
            raise ContentError("6.3", f"aps.{name} is wrong")
    most = math.inf if "event" in aps else 1  # a Live Activity's score is its app's own
    if not _is_number(aps.get("relevance-score", 0), most):
        raise ContentError("6.3", "aps.relevance-score is wrong")
    if notification and not _has_text(aps.get("alert")):
        raise ContentError("6.4", "there is no text: no title and no body")
    return content


def _why(error: ValueError) -> str:
    return "not UTF-8" if isinstance(error, UnicodeError) else str(error)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_number(value: Any, most: float) -> bool:
    """A number from 0 to `most`, as a finite double."""
    if type(value) not in (int, Number) or not 0 <= value <= most:
        return False
    return value.is_double if isinstance(value, Number) else bool(value <= sys.float_info.max)


def _is_alert(value: Any) -> bool:
    if not isinstance(value, dict):
        return _is_text(value)
    return all(_is_text(value.get(name, "")) for name in ("title", "subtitle", "body"))


def _is_sound(value: Any) -> bool:
    if not isinstance(value, dict):
        return _is_text(value)
    critical = value.get("critical", 0)
    return _is_text(value.get("name")) and type(critical) is int and critical in (0, 1) and _is_number(
        value.get("volume", 0), 1)


def _has_text(alert: Any) -> bool:
    texts = [alert]
    if isinstance(alert, dict):
        texts = [alert.get(name) for name in ("title", "body", "title-loc-key", "loc-key")]
    return any(isinstance(text, str) and text for text in texts)


def _is_badge(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2 ** 63


def _is_level(value: Any) -> bool:
    return value in LEVELS


MEMBERS: dict[str, Callable[[Any], bool]] = {
    "alert": _is_alert, "category": _is_text, "thread-id": _is_text, "target-content-id": _is_text, "sound": _is_sound,
    "badge": _is_badge, "interruption-level": _is_level,
}
