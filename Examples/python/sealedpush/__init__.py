"""Seals push notifications to devices by the sealed push format, version 1.

    from pathlib import Path
    from sealedpush import Sealer, SigningKey, read_registrations

    sealer = Sealer("com.example.app", SigningKey.parse(Path("sender.jwks").read_text()))
    device = read_registrations(Path("registrations").read_text())["ada-1"]
    push = sealer.seal({"aps": {"alert": {"title": "Ada", "body": "Lunch at noon?"}}}, device)
    # POST push.payload, byte for byte, with push.headers to /3/device/ and device.token.
"""
from . import _requirement

_requirement.check()

from .accounts import account_tag  # noqa: E402
from .errors import ContentError, KeyFileError, Refused, SealedPushError, SealError  # noqa: E402
from .keys import PublicKeySet, Recipient, SigningKey  # noqa: E402
from .leave import Leave  # noqa: E402
from .registrations import Registration, by_person, read_registrations  # noqa: E402
from .sealer import SealedMessage, SealedPush, Sealer  # noqa: E402
from .signed import DeviceKeySet, SenderSet  # noqa: E402

__all__ = ["ContentError", "DeviceKeySet", "KeyFileError", "Leave", "PublicKeySet", "Recipient", "Refused", "Registration",
           "SealError", "SealedMessage", "SealedPush", "SealedPushError", "Sealer", "SenderSet", "SigningKey", "account_tag", "by_person",
           "read_registrations"]
