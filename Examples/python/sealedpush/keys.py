"""Keys of FORMAT.md's section 3: a device's public set, and the key that signs.

Numbers in square brackets are rules of that document.
"""
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from .curves import acceptable_ed25519, acceptable_p256, acceptable_x25519
from .encoding import b64, strict_json, unb64
from .errors import KeyFileError, SealError
from .hpke import SUITES, Suite
from .xwing import acceptable_xwing

LIMIT = 2 ** 53
MOST_KEYS = 16_384
# Where any kind of key keeps a secret.
SECRET = {"d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv"}
# What a key is, by its crv or, without one, by its alg: kty, use, alg, what the public key must be (section 3, [5.9]).
KINDS: dict[str, tuple[str, str, str, Callable[[bytes], bool]]] = {
    "xwing-aesgcm": ("AKP", "enc", "xwing-aesgcm", acceptable_xwing),
    "X25519": ("OKP", "enc", "HPKE-4", acceptable_x25519), "P-256": ("EC", "enc", "HPKE-7", acceptable_p256),
    "Ed25519": ("OKP", "sig", "EdDSA", acceptable_ed25519)}
# The members that make the public key.
PUBLIC = {"xwing-aesgcm": ("pub",), "X25519": ("x",), "P-256": ("x", "y"), "Ed25519": ("x",)}
# The others' members, which are wrong in a key of this kind. Only a key without a curve has pub.
FOREIGN = {"xwing-aesgcm": {"crv", "x", "y"}, "X25519": {"y", "pub"}, "P-256": {"pub"}, "Ed25519": {"y", "pub"}}
# The JSON that is hashed.
CANONICAL = {
    "xwing-aesgcm": '{"alg":"xwing-aesgcm","kty":"AKP","pub":"%s"}', "X25519": '{"crv":"X25519","kty":"OKP","x":"%s"}',
    "P-256": '{"crv":"P-256","kty":"EC","x":"%s","y":"%s"}', "Ed25519": '{"crv":"Ed25519","kty":"OKP","x":"%s"}'}
JWK = dict[str, Any]


@dataclass(frozen=True)
class Recipient:
    """A key that opens: its suite, its public key in HPKE's form, its thumbprint, and when it ends."""

    suite: Suite
    public: bytes
    thumbprint: bytes
    ends_at: int | None


class PublicKeySet:
    """A device's public keys: what `sealpush keys export` writes, or what stands in a signed set."""

    def __init__(self, jwks: Any) -> None:
        """`KeyFileError` if the parsed JWK Set is not one of a device's public keys by section 3."""
        keys = public_keys(jwks)
        if "role" in jwks or not is_device_set(keys):
            raise KeyFileError("these are no device's public keys")
        self._keys = keys

    @classmethod
    def parse(cls, text: str | bytes) -> "PublicKeySet":
        """Nobody has signed it, so it must have come by a way that you trust. `KeyFileError` if it is refused."""
        return PublicKeySet(_parsed(text, "a public JWK Set"))

    def recipient(self, suite: str | None = None) -> Recipient:
        """The active key of a suite, or of the preferred one. `KeyFileError` if there is none."""
        return chosen(self._keys, active_kids(self._keys), suite)


class SigningKey:
    """A sender's private Ed25519 key. It shows itself to nobody."""

    def __init__(self, private: ed25519.Ed25519PrivateKey, begins_at: int = 0, ends_at: int = LIMIT) -> None:
        self._private = private
        raw = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.thumbprint = thumbprint({"crv": "Ed25519", "kty": "OKP", "x": b64(raw)})
        self.begins_at, self.ends_at = begins_at, ends_at

    @classmethod
    def parse(cls, text: str | bytes) -> "SigningKey":
        """The active key of a sender's private JWK Set, or an Ed25519 key in PEM; no passphrase. `KeyFileError`."""
        raw = text.encode() if isinstance(text, str) else text
        if raw.startswith(b"-----BEGIN"):
            return cls(_pem(raw))
        jwks = _parsed(raw, "a sender's private JWK Set or an Ed25519 key in PEM")
        keys = jwks.get("keys") if isinstance(jwks, dict) and _is_one(jwks.get("v", 1)) and "role" not in jwks else None
        listed = keys if isinstance(keys, list) and all(isinstance(jwk, dict) for jwk in keys) else []
        active = [jwk for jwk in listed if jwk.get("crv") == "Ed25519" and jwk.get("status", "active") == "active"]
        if len(active) != 1:
            raise KeyFileError("the file has no active signing key, or several")
        return cls(_private(active[0]), active[0].get("nbf", 0), active[0].get("exp", LIMIT))

    def sign(self, message: bytes) -> bytes:
        return self._private.sign(message)


def _pem(raw: bytes) -> ed25519.Ed25519PrivateKey:
    try:
        key = serialization.load_pem_private_key(raw, None)
    except Exception:  # whatever it says might quote the key
        raise KeyFileError("the PEM file is no private key, or it has a passphrase") from None
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise KeyFileError("the PEM file is no Ed25519 key")
    return key


def _private(jwk: JWK) -> ed25519.Ed25519PrivateKey:
    public_key({name: value for name, value in jwk.items() if name not in SECRET})
    try:
        key = ed25519.Ed25519PrivateKey.from_private_bytes(unb64(jwk["d"]))
    except Exception:
        raise KeyFileError("the signing key has no private part, or a wrong one") from None
    if key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw) != public_raw(jwk):
        raise KeyFileError("the signing key's two halves do not belong together")
    return key


def _parsed(text: str | bytes, what: str) -> Any:
    try:
        return strict_json(text.encode("utf-8", "strict") if isinstance(text, str) else text)
    except ValueError:
        raise KeyFileError(f"the file is no strict JSON, and should be {what}") from None


def _is_one(value: Any) -> bool:
    return type(value) is int and value == 1


def is_whole(value: Any, least: int = 0) -> bool:
    """An integer below 2^53, written in digits alone."""
    return type(value) is int and least <= value < LIMIT


def kind_of(jwk: JWK) -> str:
    """What a key is: one of `KINDS`. `ValueError` if it is another."""
    kind = jwk.get("alg") if jwk.get("kty") == "AKP" else jwk.get("crv")
    if not isinstance(kind, str) or kind not in KINDS or jwk.get("kty") != KINDS[kind][0]:
        raise ValueError("a JWK of another kind")
    return kind


def public_raw(jwk: JWK) -> bytes:
    """HPKE's (or Ed25519's) serialisation of a public key. `KeyError` or `ValueError`."""
    kind = kind_of(jwk)
    if kind == "xwing-aesgcm":
        return unb64(jwk["pub"])
    parts = [unb64(jwk[name]) for name in PUBLIC[kind]]
    if any(len(part) != 32 for part in parts):
        raise ValueError("a coordinate has not 32 bytes")
    if kind == "X25519" and int.from_bytes(parts[0], "little") >= 2 ** 255 - 19:
        raise ValueError("not the canonical encoding of a point")
    return (b"\4" if kind == "P-256" else b"") + b"".join(parts)


def thumbprint(jwk: JWK) -> bytes:
    """RFC 7638; RFC 9964, 6: of a key whose public part is known to be base64url."""
    kind = kind_of(jwk)
    return hashlib.sha256((CANONICAL[kind] % tuple(jwk[name] for name in PUBLIC[kind])).encode()).digest()


def public_key(jwk: Any) -> str:
    """The thumbprint of a public key, whose other members are right if they are there. `KeyFileError` otherwise."""
    if not isinstance(jwk, dict) or not SECRET.isdisjoint(jwk):
        raise KeyFileError("a key is private, or none")
    try:
        kind = kind_of(jwk)
    except ValueError:
        raise KeyFileError("a key is of another kind") from None
    if not FOREIGN[kind].isdisjoint(jwk):
        raise KeyFileError("a key has a member of another kind of key")
    if not all(isinstance(jwk.get(name, ""), str) for name in PUBLIC[kind]):
        raise KeyFileError("a key's public part is no string")
    _, use, alg, acceptable = KINDS[kind]
    try:
        raw, t = public_raw(jwk), b64(thumbprint(jwk))
    except (KeyError, ValueError):
        raise KeyFileError("a key's public part is missing or wrong") from None
    for name, right in (("kid", (t,)), ("use", (use,)), ("alg", (alg,)), ("status", ("active", "accepted"))):
        if name in jwk and jwk[name] not in right:
            raise KeyFileError(f"a key has another {name}")
    if not acceptable(raw):
        raise KeyFileError("a key is no public key, or a point of small order")
    if not all(is_whole(jwk.get(name, 0)) for name in ("iat", "nbf", "exp")):
        raise KeyFileError("a key's times are wrong")
    return t


def public_keys(jwks: Any) -> dict[str, JWK]:
    """The keys of a public set by their thumbprints. `KeyFileError` if it is not good by section 3.

    A `role` is good here, as in section 11; whoever reads a set without one looks for it.
    """
    if not isinstance(jwks, dict) or not _is_one(jwks.get("v", 1)) or not isinstance(jwks.get("keys"), list):
        raise KeyFileError("this is no JWK Set of version 1")
    if not 1 <= len(jwks["keys"]) <= MOST_KEYS:
        raise KeyFileError("the set has no keys, or too many")
    keys = {public_key(jwk): jwk for jwk in jwks["keys"]}
    if len({unb64(t)[:8] for t in keys}) < len(jwks["keys"]):
        raise KeyFileError("the set has two keys with one key id")
    is_devices = is_device_set(keys)
    if not is_devices and any(kind_of(jwk) != "Ed25519" for jwk in keys.values()):
        raise KeyFileError("the set has keys of a device and of a sender")
    active = [kind_of(jwk) for jwk in keys.values() if is_active(jwk)]
    if is_devices and len(set(active)) < len(active):
        raise KeyFileError("the set has two active keys of one suite")
    if "role" in jwks and (jwks["role"] not in ("identity", "root") or is_devices):
        raise KeyFileError("the set has no such role, or not its keys")
    return keys


def is_active(jwk: JWK) -> bool:
    return bool(jwk.get("status", "active") == "active")


def is_device_set(keys: dict[str, JWK]) -> bool:
    return all(kind_of(jwk) != "Ed25519" for jwk in keys.values())


def active_kids(keys: dict[str, JWK]) -> tuple[str, ...]:
    """The thumbprints of a device's active keys, the preferred suite's first."""
    active = {kind_of(jwk): kid for kid, jwk in keys.items() if is_active(jwk)}
    return tuple(active[suite.kind] for suite in SUITES.values() if suite.kind in active)


def suite_of(jwk: JWK) -> Suite:
    """The suite of a device's key."""
    return next(suite for suite in SUITES.values() if suite.kind == kind_of(jwk))


def chosen(keys: dict[str, JWK], kids: tuple[str, ...], name: str | None) -> Recipient:
    """The first of these keys that is of a suite, if it is named, and otherwise of one that is available."""
    if name is not None and name not in SUITES:
        raise KeyFileError(f"a suite is one of {', '.join(SUITES)}")
    suites = {kid: suite_of(keys[kid]) for kid in kids}
    for kid, suite in suites.items():
        if suite.name == name or name is None and suite.is_available:
            return Recipient(suite, public_raw(keys[kid]), unb64(kid), keys[kid].get("exp"))
    if name is None and suites:
        raise SealError("the device's keys are for suites that this cryptography does not have: "
                        "pip install 'cryptography>=48'")
    raise KeyFileError("the device has no active key of a suite that is wanted")
