"""Seals push notifications by Vectors/FORMAT.md. One file: copy it into a backend. It needs `cryptography>=47`.

    signer = signing_key(open("sender.jwks").read())
    payload = {"aps": {"alert": {"title": "Ada", "body": "Lunch at noon?"}}}
    push = seal(open("device.pub.jwks").read(), "com.example.app", payload, signer=signer)
    # POST push.payload with push.headers to /3/device/TOKEN

It does not shorten long texts. It supports no attachments, no shared keys, no push types but `alert` and `background`,
no signed key sets and no key files with a passphrase.
"""
import base64, hashlib, json, re, struct, time, typing, uuid

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, x25519
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite


class SealError(Exception):
    """A message that cannot be sealed. The error quotes no key and no text."""


Sealed = typing.NamedTuple("Sealed", [("payload", str), ("headers", dict)])
# Number, curve, length of the encapsulated key, and RFC 9180's suite.
SUITES = {
    "x25519-chachapoly": (0x01, "X25519", 32, Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)),
    "p256-aesgcm": (0x02, "P-256", 65, Suite(KEM.P256, KDF.HKDF_SHA256, AEAD.AES_256_GCM)),
}
SECRET_MEMBERS = {"d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv"}
TOPIC = re.compile(r"(?!.*\.(voip|voip-ptt|complication|pushkit\.fileprovider|location-query|push-type\.\w+)$)"
                   r"[A-Za-z0-9.-]{1,255}")
LEVELS = ("passive", "active", "time-sensitive", "critical")


def seal(recipients, topic, payload, *, signer=None, push_type="alert", title="New notification", sound=True,
         message_id=None, issued_at=None, lifetime=2_592_000, priority=None, padding="buckets", suite=None, now=None):
    """Seals `payload`, as {"aps":{…},…}, to the device whose public JWK Set `recipients` is; raises `SealError`.

    Without `signer` the message is anonymous, which few devices accept. A retry passes the same `message_id` and
    `issued_at`. `now` is in Unix seconds; if it is None, the clock's time is used.
    """
    now = int(time.time()) if now is None else now
    issued_at = now if issued_at is None else issued_at
    priority = priority or (10 if push_type == "alert" else 5)
    _need(push_type in ("alert", "background"), "push_type is alert or background")
    _need(TOPIC.fullmatch(topic), "topic is the app's bundle id")
    _need(_is_integer(issued_at) and 0 <= issued_at < 2 ** 53, "issued_at is in whole seconds")
    _need(_is_integer(lifetime) and 0 <= lifetime <= 2_592_000, "lifetime is 0 to 2592000 seconds")
    _need(priority in ((10, 5, 1) if push_type == "alert" else (5,)), "priority does not go with the push type")
    _need(padding in ("buckets", "maximum", "none"), "padding is buckets, maximum or none")
    _need(suite in (None, *SUITES), "suite is x25519-chachapoly or p256-aesgcm")
    message_id = _attempt(lambda: uuid.UUID(message_id) if message_id else uuid.uuid4())
    _need(message_id is not None, "message_id is a UUID")
    content = _content(payload, push_type == "alert")
    (number, _, encapsulated, hpke), key, thumbprint = _recipient(recipients, suite, now)

    info = b"sealed-push v1\0" + struct.pack(">H", len(topic)) + topic.encode() + bytes([1, number]) + thumbprint
    kind = (0x10 if push_type == "alert" else 0x20) | (1 if signer else 0)
    fields = bytes([kind]) + message_id.bytes + struct.pack(">QI", issued_at, lifetime)
    fields += signer[1][:8] if signer else b""
    signature = signer[0].sign(b"sealed-push v1 signature\0" + info + fields + content) if signer else b""

    alert = {"alert": {"title": title, "body": "(Encrypted)"}, "mutable-content": 1}
    alert |= {"sound": "default"} if sound else {}
    visible = {"aps": alert if push_type == "alert" else {"content-available": 1}, "ENCRYPTED_DATA": ""}
    capacity = 3 * (4096 - len(_compact(visible).encode())) // 4 - 10 - encapsulated - 16
    plaintext = _padded(fields + signature + content + b"\x80", capacity, padding)
    sealed = _attempt(lambda: hpke.encrypt(plaintext, key, info=info))
    _need(sealed is not None, "the recipient's key is of small order")
    visible["ENCRYPTED_DATA"] = _b64(bytes([1, number]) + thumbprint[:8] + sealed)
    return Sealed(_compact(visible), {
        "apns-push-type": push_type, "apns-topic": topic, "apns-id": str(message_id), "apns-priority": str(priority),
        "apns-collapse-id": str(message_id), "apns-expiration": str(issued_at + lifetime if lifetime else 0)})


def signing_key(text):
    """The key that signs: the active one of a private JWK Set, or an Ed25519 key in PEM; raises `SealError`."""
    def read():
        if text.startswith("-----BEGIN"):
            return serialization.load_pem_private_key(text.encode(), None)
        keys = [key for key in json.loads(text)["keys"] if key["use"] == "sig"]
        active = next(key for key in keys if key.get("status", "active") == "active")
        return ed25519.Ed25519PrivateKey.from_private_bytes(_unb64(active["d"]))
    key = _attempt(read)
    _need(isinstance(key, ed25519.Ed25519PrivateKey), "the signing key is no Ed25519 key")
    return key, _thumbprint({"crv": "Ed25519", "kty": "OKP", "x": _b64(key.public_key().public_bytes_raw())})


def _need(condition, message):
    if not condition:
        raise SealError(message)


def _attempt(run):
    """The result of `run`, or None if it raises: the exception may quote a key."""
    try:
        return run()
    except Exception:
        return None


def _is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _compact(value):
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _b64(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _unb64(text):
    """The 32 bytes of a coordinate. Python's decoder also accepts other alphabets and non-zero unused bits."""
    raw = base64.urlsafe_b64decode(text + "=")
    if len(raw) != 32 or _b64(raw) != text:
        raise ValueError
    return raw


def _content(payload, is_notification):
    """Section 6: the content's bytes. JSON would merge the members 1 and "1" into one name."""
    is_object = lambda value: isinstance(value, dict)
    is_text = lambda value: isinstance(value, str) and "\0" not in value
    is_number = lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
    is_fraction = lambda value: is_number(value) and value <= 1

    def walk(value, depth):
        if not isinstance(value, (dict, list, tuple)):
            return
        _need(depth <= 32, "more than 32 containers deep")
        _need(not is_object(value) or all(isinstance(name, str) for name in value), "a member's name is no string")
        for member in value.values() if is_object(value) else value:
            walk(member, depth + 1)

    def check(of, name, is_good):
        _need(not is_object(of) or name not in of or is_good(of[name]), f"{name} is wrong")

    walk(payload, 1)
    _need(is_object(payload) and is_object(payload.get("aps")), "the payload has no object aps")
    _need(not {"sealed-push", "ENCRYPTED_DATA"} & payload.keys(), "a member of the payload is reserved")
    aps = payload["aps"]
    alert, sound = aps.get("alert"), aps.get("sound")
    check(aps, "alert", lambda value: is_text(value) or is_object(value))
    check(aps, "sound", lambda value: is_text(value) or is_object(value) and is_text(value.get("name")))
    for of, names in ((alert, ("title", "subtitle", "body")), (aps, ("category", "thread-id", "target-content-id"))):
        for name in names:
            check(of, name, is_text)
    check(sound, "critical", lambda value: _is_integer(value) and value in (0, 1))
    check(sound, "volume", is_fraction)
    check(aps, "badge", lambda value: _is_integer(value) and 0 <= value < 2 ** 63)
    check(aps, "interruption-level", lambda value: value in LEVELS)
    check(aps, "relevance-score", is_number if "event" in aps else is_fraction)
    texts = [alert] + [alert.get(each) for each in ("title", "body", "title-loc-key", "loc-key") if is_object(alert)]
    _need(not is_notification or any(isinstance(text, str) and text for text in texts), "there is no text")
    content = _attempt(lambda: _compact(payload).encode())
    _need(content is not None, "JSON does not have all of the values, or a surrogate has no pair")
    return content


def _recipient(text, name, now):
    """Section 3: the key of a public set to seal to; X25519's if the set has both and none is named."""
    jwks = _attempt(lambda: json.loads(text))
    keys = jwks.get("keys") if isinstance(jwks, dict) and _compact(jwks.get("v", 1)) == "1" and "role" not in jwks else None
    _need(isinstance(keys, list) and all(isinstance(key, dict) for key in keys), "the recipient is no public JWK Set")
    _need(not any(SECRET_MEMBERS & key.keys() for key in keys), "the recipient's set is private")
    for suite in [SUITES[name]] if name else SUITES.values():
        active = [key for key in keys if key.get("crv") == suite[1] and key.get("status", "active") == "active"]
        _need(len(active) <= 1, "the recipient's set has two active keys of one suite")
        if active:
            return suite, *_public_key(active[0], now)
    raise SealError("the recipient's set has no active key of a suite that is wanted")


def _public_key(jwk, now):
    def read():
        x = _unb64(jwk["x"])
        if jwk["crv"] == "P-256" and jwk["kty"] == "EC":
            return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\4" + x + _unb64(jwk["y"]))
        is_good = jwk["kty"] == "OKP" and int.from_bytes(x, "little") < 2 ** 255 - 19
        return x25519.X25519PublicKey.from_public_bytes(x) if is_good else None
    key = _attempt(read)
    _need(key is not None, "the recipient's key is no point")
    thumbprint = _thumbprint({name: jwk[name] for name in ("crv", "kty", "x", "y") if name in jwk})
    _need(jwk.get("kid", _b64(thumbprint)) == _b64(thumbprint), "the recipient's kid is not its thumbprint")
    _need("exp" not in jwk or _is_integer(jwk["exp"]) and now <= jwk["exp"], "the recipient's key has ended")
    return key, thumbprint


def _thumbprint(members):
    """RFC 7638."""
    return hashlib.sha256(_compact(members).encode()).digest()


def _padded(message, capacity, padding):
    """Section 9: zeros up to a bucket, to the capacity, or none."""
    _need(len(message) <= capacity, f"too long by {len(message) - capacity} bytes")
    bucket = next((size for size in (256, 512, 1024, 2048) if len(message) <= size <= capacity), capacity)
    return message.ljust({"buckets": bucket, "maximum": capacity, "none": 0}[padding], b"\0")
