"""Signed key sets by FORMAT.md's section 11. Numbers in square brackets are rules of that document."""
import re
from dataclasses import dataclass
from typing import Any

from .curves import verify_ed25519
from .encoding import strict_json, unb64
from .errors import KeyFileError, Refused, need
from .keys import (JWK, PublicKeySet, active_kids, is_active, is_device_set, is_whole, public_key, public_keys,
                   public_raw)

TYPE = "sealed-push-keys+jws"
LONGEST = 65_536
ENVIRONMENTS = ("production", "sandbox")
TOPIC = re.compile(r"(?!.*\.(?:voip|voip-ptt|complication|pushkit\.fileprovider|location-query|"
                   r"push-type\.(?:liveactivity|widgets|controls))\Z)(?:[A-Za-z0-9.-]{1,255}|[A-Za-z0-9._]{1,255})")
TOKENS = {"apns": re.compile(r"(?:[0-9a-f]{2}){1,256}"), "fcm": re.compile(r"[A-Za-z0-9_:-]{1,1024}")}
# What no topic of an app of the service has: a bundle ID no underscore, and an application ID no hyphen.
FOREIGN = {"apns": "_", "fcm": "-"}
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class SignedSet:
    """A signed set that complies with [11.1] to [11.8]; `signer` is the thumbprint of the root or the identity."""

    text: str
    signer: str
    claims: dict[str, Any]
    keys: dict[str, JWK]          # by their thumbprints
    active_kids: tuple[str, ...]  # of a device's active keys, the preferred suite's first


class SenderSet:
    """The senders' set that devices trust, as `sealpush keys sign-senders` signs it."""

    def __init__(self, signed: SignedSet) -> None:
        self.topic: str = signed.claims["topic"]
        self.ends_at: int = signed.claims["exp"]
        self.kids = frozenset(signed.keys)

    @classmethod
    def parse(cls, text: str | bytes, roots: str | bytes, topic: str | None = None) -> "SenderSet":
        """`roots` is the roots' public set. `Refused` if none of them signed it."""
        return cls(read_sender(text, pinned(_roots(roots)), topic))


class DeviceKeySet(PublicKeySet):
    """A device's signed set, of the identity that its backend has pinned."""

    def __init__(self, signed: SignedSet) -> None:
        super().__init__(signed.claims["keys"])
        self.topic: str = signed.claims["topic"]
        self.token: str = signed.claims["token"]
        self.service: str = service_of(signed.claims)
        self.environment: str | None = signed.claims.get("environment")

    # Not `parse`: this one asks for the identity.
    @classmethod
    def verify(cls, text: str | bytes, identity: str, topic: str | None = None) -> "DeviceKeySet":
        """`identity` is the thumbprint that the backend keeps. `Refused` if another one signed it."""
        signed = read_device(text, topic)
        need(signed.signer == identity, "other-identity", "11.14")
        return cls(signed)


def _roots(text: str | bytes) -> Any:
    try:
        return strict_json(text.encode("utf-8", "strict") if isinstance(text, str) else text)
    except ValueError:
        raise KeyFileError("the roots' file is no strict JSON") from None


def json_object(raw: bytes, reason: str, rule: str) -> dict[str, Any]:
    try:
        value = strict_json(raw)
    except ValueError as error:
        raise Refused(reason, rule) from error
    if not isinstance(value, dict):
        raise Refused(reason, rule)
    return value


def as_bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def pinned(roots: Any) -> dict[str, JWK]:
    """The pinned roots by their thumbprints. `KeyFileError` if that is no set of roots."""
    keys = public_keys(roots)
    if roots.get("role") != "root":
        raise KeyFileError("this is no set of roots")
    return keys


def read_sender(text: str | bytes, roots: dict[str, JWK], topic: str | None = None) -> SignedSet:
    """A sender's set, by roots as `pinned` gives them. Any topic is good if none is given."""
    return _read(text, roots, topic)


def read_device(text: str | bytes, topic: str | None = None) -> SignedSet:
    """A device's set, by whichever identity: the caller compares that with the one that it has pinned."""
    return _read(text, None, topic)


def _read(text: str | bytes, roots: dict[str, JWK] | None, topic: str | None) -> SignedSet:
    raw = as_bytes(text)
    signer, payload = open_jws(raw, TYPE, roots)
    claims, keys = _claims(payload, is_device=roots is None)
    need(topic is None or claims["topic"] == topic, "other-topic", "11.8")
    return SignedSet(raw.decode("ascii"), signer, claims, keys, active_kids(keys))


def open_jws(raw: bytes, typ: str, roots: dict[str, JWK] | None) -> tuple[str, bytes]:
    """[11.1] to [11.5]: who signed it, one of the roots or, if there are none, an identity; and the payload."""
    need(len(raw) <= LONGEST, "too-large", "11.1")
    parts = raw.split(b".")
    need(len(parts) == 3 and all(parts), "malformed-jws", "11.2")
    try:
        header_bytes, payload, signature = (unb64(part.decode("ascii")) for part in parts)
    except ValueError as error:
        raise Refused("malformed-jws", "11.2") from error
    header = json_object(header_bytes, "malformed-header", "11.3")
    need(header.get("alg") == "EdDSA", "unsupported-algorithm", "11.3")
    need(header.get("typ") == typ, "wrong-type", "11.3")
    named_by = "jwk" if roots is None else "kid"
    need(header.keys() == {"alg", "typ", named_by}, "malformed-header", "11.3")
    signer, public = _identity(header["jwk"]) if roots is None else _root(header["kid"], roots)
    need(verify_ed25519(public, signature, raw.rpartition(b".")[0]), "bad-signature", "11.5")
    return signer, payload


def _root(kid: Any, roots: dict[str, JWK]) -> tuple[str, bytes]:
    if not isinstance(kid, str) or kid not in roots:
        raise Refused("unknown-signer", "11.4")
    return kid, public_raw(roots[kid])


def _identity(jwk: Any) -> tuple[str, bytes]:
    bad = "malformed-header"
    need(isinstance(jwk, dict) and jwk.keys() == {"crv", "kty", "x"} and jwk["crv"] == "Ed25519", bad, "11.4")
    try:
        return public_key(jwk), unb64(jwk["x"])
    except ValueError as error:
        raise Refused(bad, "11.4") from error


def _claims(payload: bytes, is_device: bool) -> tuple[dict[str, Any], dict[str, JWK]]:
    """[11.6] and [11.7]: the claims, and the keys in them."""
    bad, claims = "malformed-claims", json_object(payload, "malformed-claims", "11.6")
    need(claims.get("v") == 1 and is_whole(claims["v"]), "unsupported-version", "11.6")
    need(is_topic(claims.get("topic")), bad, "11.6")
    need(is_whole(claims.get("serial"), 1) and is_whole(claims.get("iat")), bad, "11.6")
    need(is_device or is_whole(claims.get("exp")), bad, "11.6")
    if is_device:
        token, challenge, service = claims.get("token"), claims.get("challenge", "none"), service_of(claims)
        need(claims.get("service", "fcm") == "fcm" and FOREIGN[service] not in claims["topic"], bad, "11.6")
        need("environment" not in claims if service == "fcm" else claims.get("environment") in ENVIRONMENTS, bad, "11.6")
        need(isinstance(token, str) and TOKENS[service].fullmatch(token), bad, "11.6")
        need(isinstance(challenge, str) and 1 <= len(challenge.encode()) <= 255, bad, "11.6")
        need("audience" not in claims or is_name(claims["audience"]), bad, "11.6")
        need("proof" not in claims or is_proof(claims["proof"]), bad, "11.6")
    need(isinstance(claims.get("keys"), dict), bad, "11.6")
    try:
        keys = public_keys(claims["keys"])
    except KeyFileError as error:
        raise Refused("invalid-keys", "11.7") from error
    need(any(map(is_active, keys.values())) or not is_device_set(keys), "invalid-keys", "11.7")
    need("role" not in claims["keys"] and is_device_set(keys) == is_device, "wrong-keys", "11.7")
    return claims, keys


def service_of(claims: dict[str, Any]) -> str:
    """What carries the device's messages: `apns` or `fcm`."""
    return "fcm" if "service" in claims else "apns"


def is_topic(value: Any) -> bool:
    return isinstance(value, str) and TOPIC.fullmatch(value) is not None


def is_name(name: Any) -> bool:
    """Whether a value is a text as names of registrations and backends are."""
    return isinstance(name, str) and 1 <= len(name.encode()) <= 255 and CONTROL.search(name) is None


def is_proof(text: Any) -> bool:
    try:
        return isinstance(text, str) and 22 <= len(text) <= 255 and unb64(text) is not None
    except ValueError:
        return False
