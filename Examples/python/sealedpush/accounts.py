"""Which person on a device a message is for: FORMAT.md, section 6, "The account"."""
import hashlib
from typing import Any

from .callers import RESERVED
from .encoding import b64, compact, unb64

BYTES = 16


def account_tag(person: str, identity: str) -> str:
    """The tag of a person's account on the device whose identity has this thumbprint, 22 characters.

    A backend gives it to the app with its answer to an enrolment behind which the person's login stands.
    """
    label = b"sealed-push v1 account\0"
    return b64(hashlib.sha256(label + unb64(identity) + person.encode()).digest()[:BYTES])


def is_account_tag(value: Any) -> bool:
    try:
        return isinstance(value, str) and len(unb64(value)) == BYTES
    except ValueError:
        return False


def with_account(content: bytes, members: dict[str, Any], tag: str) -> bytes:
    """A content, an object with these members and others than the format's own, with the account in that one."""
    if RESERVED in members:  # the caller's
        return compact({**members, RESERVED: {**members[RESERVED], "account": tag}}).encode()
    return content[:-1] + f',"{RESERVED}":{{"v":1,"account":"{tag}"}}}}'.encode()
