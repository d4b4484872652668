"""Sealing by FORMAT.md's sections 3 to 5 and 9."""
import re
import struct
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from . import hpke
from .accounts import is_account_tag, with_account
from .callers import RESERVED, is_callers, replaced
from .content import check_content
from .encoding import b64, compact, strict_json
from .errors import ContentError, SealError
from .keys import Recipient, SigningKey
from .signed import FOREIGN, SenderSet, is_topic

LONGEST_PAYLOAD = 4096
LONGEST_LIFE = 2_592_000
BUCKETS = (256, 512, 1024, 2048)
PADDINGS = ("buckets", "maximum", "none")
# Content type, and the priorities that go with it, the usual one first.
PUSH_TYPES = {"alert": (1, (10, 5, 1)), "background": (2, (5,))}
FCM_TYPES = {"fcm": (1, ("HIGH", "NORMAL")), "fcm-data": (2, ("NORMAL",))}
LONGEST_FCM = 2_419_200  # what FCM keeps a message for, in seconds
ENVELOPE = "ENCRYPTED_DATA"


class Addressed(Protocol):
    """What has a device's keys: a `PublicKeySet`, a `DeviceKeySet` or a `Registration`."""

    def recipient(self, suite: str | None = None) -> Recipient: ...


@dataclass(frozen=True)
class SealedPush:
    """What an APNs client sends to /3/device/TOKEN: the payload, byte for byte, with the headers."""

    payload: bytes
    headers: dict[str, str]


@dataclass(frozen=True)
class SealedMessage:
    """What FCM carries to an app on Android: members of FCM's message."""

    data: dict[str, str]
    android: dict[str, str]

    def request(self, token: str) -> dict[str, Any]:
        """The body of a request to FCM's HTTP v1 API, for the device with this registration token."""
        return {"message": {"token": token, "android": self.android, "data": self.data}}


class Sealer:
    """Seals an app's messages, and signs them."""

    def __init__(self, topic: str, signing_key: SigningKey, *, published: SenderSet | None = None) -> None:
        """`published` is the set that devices have: a message that they would not trust by it is not sealed."""
        if not isinstance(signing_key, SigningKey):
            raise SealError("a sealer needs a signing key; Sealer.anonymous has none")
        self._begin(topic, signing_key, published)

    @classmethod
    def anonymous(cls, topic: str) -> "Sealer":
        """A sealer that does not sign. Devices show such messages only if their app accepts them."""
        sealer = cls.__new__(cls)
        sealer._begin(topic, None, None)
        return sealer

    def _begin(self, topic: str, signing_key: SigningKey | None, published: SenderSet | None) -> None:
        _need(is_topic(topic), "topic is the app's bundle id")
        _need(published is None or published.topic == topic, "the senders' set is for another app")
        _need(published is None or signing_key is not None and b64(signing_key.thumbprint) in published.kids,
              "the senders' set does not have the signing key")
        self.topic = topic
        self._signing_key, self._published = signing_key, published

    def seal(self, payload: Mapping[str, Any] | str | bytes, to: Addressed, *, push_type: str = "alert",
             title: str = "New notification", body: str = "(Encrypted)", sound: bool = True,
             message_id: str | uuid.UUID | None = None, issued_at: int | None = None,
             lifetime: int = LONGEST_LIFE, priority: int | None = None,
             padding: str = "buckets", limit: int = LONGEST_PAYLOAD, suite: str | None = None,
             account: str | None = None, now: int | None = None) -> SealedPush:
        """Seals a payload, {"aps":{…},…}, or its JSON. Raises `SealError`, or `KeyFileError` for the device's keys.

        It may have a member `sealed-push`: an object with `v`, which is 1, and `replaces`, the id of the message whose place it
        takes on the device, `removes`, the ids of up to 32 that it takes from the screen, or `bytes`, the app's own in
        base64url. `apns-collapse-id` is the id in `replaces`, if there is one.
        `title` and `body` are visible, and should be the same for every message. `account` is the tag of the account on
        the device that the message is for; if None, that of the registration's one person. A retry passes the same
        `message_id`, `issued_at` and `lifetime`. Times are in Unix seconds; `now` is the clock's if None. A client that
        writes the payload's JSON with white space needs bytes for that: `limit` leaves them to it.
        """
        _need(push_type in PUSH_TYPES, "push_type is alert or background; seal_fcm seals for Android")
        kind, priorities = PUSH_TYPES[push_type]
        priority = priorities[0] if priority is None else priority
        _need(isinstance(title, str) and isinstance(body, str), "title and body are texts")
        _need(isinstance(sound, bool), "sound is True or False")
        _need(type(priority) is int and priority in priorities, "priority does not go with the push type")
        _need(type(limit) is int and 1 <= limit <= LONGEST_PAYLOAD, f"limit is 1 to {LONGEST_PAYLOAD} bytes")
        aps = _placeholder(title, body, sound) if push_type == "alert" else {"content-available": 1}
        message = _Message(kind, payload, message_id, issued_at, lifetime, padding, suite, account, now)
        sealed, members = self._seal(message, to, "apns", limit - len(_visible(aps, "")))
        headers = {
            "apns-push-type": push_type, "apns-topic": self.topic, "apns-id": str(message.id),
            "apns-priority": str(priority), "apns-collapse-id": replaced(members) or str(message.id),
            "apns-expiration": str(message.issued_at + lifetime if lifetime else 0)}
        return SealedPush(_visible(aps, sealed), headers)

    def seal_fcm(self, payload: Mapping[str, Any] | str | bytes, to: Addressed, *, push_type: str = "fcm",
                 message_id: str | uuid.UUID | None = None, issued_at: int | None = None, lifetime: int = LONGEST_FCM,
                 priority: str | None = None, ttl: int | None = None, collapse_key: str | None = None,
                 padding: str = "buckets", suite: str | None = None, account: str | None = None,
                 now: int | None = None) -> SealedMessage:
        """Seals the same payload for a device of FCM, as `fcm` like an alert, or as `fcm-data` like a background push.

        The sealer's topic is the app's application ID. `ttl` is how long FCM keeps the message, in seconds; if None, the
        lifetime, at most 28 days. `collapse_key` is visible.
        """
        _need(push_type in FCM_TYPES, "push_type is fcm or fcm-data")
        kind, priorities = FCM_TYPES[push_type]
        priority = priorities[0] if priority is None else priority
        _need(priority in priorities, "priority does not go with the push type")
        _need(collapse_key is None or isinstance(collapse_key, str) and re.fullmatch("[!-~]{1,64}", collapse_key),
              "collapse_key is 1 to 64 visible characters of ASCII")
        message = _Message(kind, payload, message_id, issued_at, lifetime, padding, suite, account, now)
        longest = min(lifetime, LONGEST_FCM)
        ttl = longest if ttl is None else ttl
        _need(type(ttl) is int and 0 <= ttl <= longest, f"ttl is 0 to {longest} seconds")
        sealed, _ = self._seal(message, to, "fcm", LONGEST_PAYLOAD - len(ENVELOPE))
        android = {"priority": priority, "ttl": f"{ttl}s"}
        return SealedMessage({ENVELOPE: sealed}, android if collapse_key is None else android | {"collapse_key": collapse_key})

    def _seal(self, message: "_Message", to: Addressed, service: str, room: int) -> tuple[str, dict[str, Any]]:
        """The envelope, which has at most `room` characters, and the content's members."""
        content, members = _content(message.payload, message.kind == 1)
        account = getattr(to, "account", None) if message.account is None else message.account
        if account is not None:
            _need(is_account_tag(account), "account is a tag of 22 characters")
            content = with_account(content, members, account)
        _need(FOREIGN[service] not in self.topic, f"the topic is no ID of an app of {service}")
        recipient = self._recipient(to, message.suite, service, message.now)
        self._check_trust(message.now, message.issued_at)
        info = (b"sealed-push v1\0" + struct.pack(">H", len(self.topic)) + self.topic.encode()
                + bytes([1, recipient.suite.id]) + recipient.thumbprint)
        plaintext = self._message(message.kind, message.times, info, content)
        capacity = 3 * room // 4 - 10 - recipient.suite.encapsulated - 16
        return b64(_sealed(recipient, info, _padded(plaintext, capacity, message.padding))), members

    def _message(self, kind: int, times: bytes, info: bytes, content: bytes) -> bytes:
        """Section 5: the plaintext without its zeros. `times` has the message id, too."""
        key = self._signing_key
        if key is None:
            return bytes([kind << 4]) + times + content + b"\x80"
        fields = bytes([kind << 4 | 1]) + times + key.thumbprint[:8]
        return fields + key.sign(b"sealed-push v1 signature\0" + info + fields + content) + content + b"\x80"

    def _recipient(self, to: Addressed, suite: str | None, service: str, now: int) -> Recipient:
        _need(to is not None, "there is no such registration: None was given as the device")
        _need(callable(getattr(to, "recipient", None)),
              f"a message goes to a PublicKeySet, a DeviceKeySet or a Registration, and not to a {type(to).__name__}")
        topic = getattr(to, "topic", self.topic)  # an unsigned set has none
        _need(topic == self.topic, "the device's keys are for another app")
        _need(getattr(to, "service", service) == service, f"{service} does not carry the device's messages")
        recipient = to.recipient(suite)
        _need(recipient.ends_at is None or now <= recipient.ends_at, "the device's key has ended")
        return recipient

    def _check_trust(self, now: int, issued_at: int) -> None:
        key, published = self._signing_key, self._published
        _need(key is None or key.begins_at <= now <= key.ends_at, "the signing key has ended, or has not begun")
        _need(published is None or issued_at <= published.ends_at, "the senders' set has ended")


class _Message:
    """What a message has that any service carries, checked."""

    def __init__(self, kind: int, payload: Mapping[str, Any] | str | bytes, message_id: str | uuid.UUID | None,
                 issued_at: int | None, lifetime: int, padding: str, suite: str | None, account: str | None,
                 now: int | None) -> None:
        self.now = int(time.time()) if now is None else now
        self.issued_at = self.now if issued_at is None else issued_at
        are_whole = type(self.now) is int and type(self.issued_at) is int
        _need(are_whole and 0 <= self.issued_at < 2 ** 53, "times are whole seconds")
        _need(type(lifetime) is int and 0 <= lifetime <= LONGEST_LIFE, f"lifetime is 0 to {LONGEST_LIFE} seconds")
        _need(padding in PADDINGS, f"padding is one of {', '.join(PADDINGS)}")
        self.id = _uuid(message_id)
        self.times = self.id.bytes + struct.pack(">QI", self.issued_at, lifetime)
        self.kind, self.payload, self.padding, self.suite, self.account = kind, payload, padding, suite, account


def _need(condition: object, message: str) -> None:
    if not condition:
        raise SealError(message)


def _uuid(text: str | uuid.UUID | None) -> uuid.UUID:
    if text is None:
        return uuid.uuid4()
    try:
        found = uuid.UUID(str(text))
    except ValueError:
        raise SealError("message_id is a UUID") from None
    _need(str(found) == str(text).lower(), "message_id is a UUID")  # Python also reads it in braces
    return found


def _content(payload: Mapping[str, Any] | str | bytes, notification: bool) -> tuple[bytes, dict[str, Any]]:
    """Section 6: the content's bytes, without white space, with numbers as they were written, and its members."""
    try:
        if isinstance(payload, (str, bytes)):
            payload = strict_json(payload.encode() if isinstance(payload, str) else payload)
        content = compact(payload).encode()
    except RecursionError:
        raise ContentError("6.1", "the payload has too many containers, one in the other") from None
    except UnicodeError:
        raise ContentError("6.1", "the payload is no UTF-8: a surrogate has no pair, or a byte is wrong") from None
    except ValueError as error:
        raise ContentError("6.1", f"the payload is not strict JSON: {error}") from None
    members = check_content(content, notification)
    is_allowed = RESERVED not in members or is_callers(members[RESERVED])
    _need(is_allowed and ENVELOPE not in members, "a member of the payload is reserved")
    return content, members


def _placeholder(title: str, body: str, sound: bool) -> dict[str, Any]:
    aps = {"alert": {"title": title, "body": body}, "mutable-content": 1}
    return aps | {"sound": "default"} if sound else aps


def _visible(aps: dict[str, Any], envelope: str) -> bytes:
    try:
        return compact({"aps": aps, ENVELOPE: envelope}).encode()
    except UnicodeError:
        raise SealError("a surrogate in the title or the body has no pair") from None


def _padded(message: bytes, capacity: int, padding: str) -> bytes:
    """Section 9: zeros up to a bucket, to the capacity, or none."""
    _need(len(message) <= capacity, f"too long by {len(message) - capacity} bytes")
    bucket = next((size for size in BUCKETS if len(message) <= size <= capacity), capacity)
    return message.ljust({"buckets": bucket, "maximum": capacity, "none": 0}[padding], b"\0")


def _sealed(recipient: Recipient, info: bytes, plaintext: bytes) -> bytes:
    """Section 2: the envelope."""
    suite = recipient.suite
    shared, encapsulated = hpke.encapsulate(suite, recipient.public)
    sealed = hpke.seal(suite, shared, info, plaintext)
    return bytes([1, suite.id]) + recipient.thumbprint[:8] + encapsulated + sealed
