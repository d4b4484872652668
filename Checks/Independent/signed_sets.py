"""Signed key sets by FORMAT.md, section 11, alone: senders' sets, enrolments, registrations, both ways.

Numbers in square brackets are the rules of that document. A `None` for a topic is a reader that serves any, for a
challenge one that gave none.
"""
import re
from dataclasses import dataclass

from curves import acceptable_ed25519, acceptable_p256, acceptable_x25519, verify_ed25519
from sealed_push import b64, compact, private_key, public_raw, strict_json, thumbprint, unb64

TYPE = "sealed-push-keys+jws"
LONGEST, LONGEST_ENROLMENT, LONGEST_LINE = 65_536, 32_768, 65_536
MOST_KEYS = 16_384
LIMIT = 2 ** 53
ENVIRONMENTS = ("production", "sandbox")
REPEATED = ("topic", "environment", "token")
ENROLMENT = {"v", *REPEATED, "keys"}
REGISTRATION = ENROLMENT | {"registration", "identity"}
# Section 3: where any kind of key keeps a secret.
SECRET = {"d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv"}
SUFFIXES = (".voip", ".voip-ptt", ".complication", ".pushkit.fileprovider", ".location-query",
            ".push-type.liveactivity", ".push-type.widgets", ".push-type.controls")
# crv: use, alg, what the public key must be ([4.1], [5.9])
CURVES = {"X25519": ("enc", "HPKE-4", acceptable_x25519), "P-256": ("enc", "HPKE-7", acceptable_p256),
          "Ed25519": ("sig", "EdDSA", acceptable_ed25519)}


class Refused(Exception):
    """A reason, and the rule that is broken: of a line or an enrolment also the one that is within that rule."""

    def __init__(self, reason, rule, inner=None):
        super().__init__(f"{reason} [{rule}]")
        self.reason, self.rule, self.inner = reason, rule, inner


@dataclass(frozen=True)
class SignedSet:
    text: str
    signer: str   # T of the root or the identity, base64url
    claims: dict


@dataclass(frozen=True)
class Registration:
    name: str | None      # None in an enrolment
    identity: str | None  # T; None in an enrolment
    signed: SignedSet

    @property
    def line(self):
        told = {name: self.signed.claims[name] for name in REPEATED}
        own = {} if self.name is None else {"registration": self.name, "identity": self.identity}
        return compact({"v": 1, **told, "keys": self.signed.text, **own})


def need(condition, reason, rule):
    if not condition:
        raise Refused(reason, rule)


def whole(value, least=0):
    """An integer below 2^53, written in digits alone."""
    return type(value) is int and least <= value < LIMIT


def one(value):
    return type(value) is int and value == 1


def within(rule, check, *arguments):
    """Whatever a check refuses, by a rule that asks for all of its rules."""
    try:
        return check(*arguments)
    except Refused as refused:
        raise Refused(refused.reason, rule, refused.rule) from refused


def json_object(raw, reason, rule):
    try:
        value = strict_json(raw)
    except ValueError as error:
        raise Refused(reason, rule) from error
    need(isinstance(value, dict), reason, rule)
    return value


# --- sets of public keys

def public_key(jwk):
    """The T of a public key, whose other members are right if they are there; ValueError otherwise."""
    if not isinstance(jwk, dict) or SECRET & jwk.keys() or jwk.get("crv") not in tuple(CURVES):
        raise ValueError("no public key")
    if "y" in jwk and jwk["crv"] != "P-256":
        raise ValueError("a coordinate too many")
    if not all(isinstance(jwk.get(name, ""), str) for name in ("x", "y")):
        raise ValueError("a coordinate is no string")
    use, alg, acceptable = CURVES[jwk["crv"]]
    try:
        raw, t = public_raw(jwk), b64(thumbprint(jwk))
    except KeyError as error:
        raise ValueError("a coordinate is missing") from error
    for name, right in (("kid", (t,)), ("use", (use,)), ("alg", (alg,)), ("status", ("active", "accepted"))):
        if name in jwk and jwk[name] not in right:
            raise ValueError(f"another {name}")
    if not acceptable(raw) or not all(whole(jwk.get(name, 0)) for name in ("iat", "nbf", "exp")):
        raise ValueError("no key to use, or no time")
    return t


def public_keys(jwks):
    """The keys of a public set by their T, a device's or others. ValueError if it is not good by section 3.

    So may be, in section 11 alone, a set of signing keys with a `role`.
    """
    if not one(jwks.get("v", 1)) or not isinstance(jwks.get("keys"), list):
        raise ValueError("no set of keys")
    if not 1 <= len(jwks["keys"]) <= MOST_KEYS:
        raise ValueError("no keys, or too many")
    keys = {public_key(jwk): jwk for jwk in jwks["keys"]}
    if len({unb64(t)[:8] for t in keys}) < len(jwks["keys"]):
        raise ValueError("two keys with one key id")
    if len({CURVES[jwk["crv"]][0] for jwk in keys.values()}) > 1:
        raise ValueError("keys of a device and of a sender")
    if is_device_set(keys) and len(set(active(keys))) < len(active(keys)):
        raise ValueError("two active keys of a suite")
    if "role" in jwks and (jwks["role"] not in ("identity", "root") or is_device_set(keys)):
        raise ValueError("no such role, or not its keys")
    return keys


def active(keys):
    """The curves of the active ones."""
    return [jwk["crv"] for jwk in keys.values() if jwk.get("status", "active") == "active"]


def is_device_set(keys):
    return all(jwk["crv"] != "Ed25519" for jwk in keys.values())


def pinned(roots):
    """The pinned roots by their T. ValueError if that is no set of roots, which is the reader's own fault."""
    keys = public_keys(roots)
    if roots.get("role") != "root":
        raise ValueError("no roots")
    return keys


# --- what is signed

def read_sender(text, roots, topic=None):
    """A sender's set, by roots as `pinned` gives them."""
    return read(text, "kid", roots, topic)


def read_device(text, topic=None):
    return read(text, "jwk", None, topic)


def read(text, named_by, roots, topic):
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    need(len(raw) <= LONGEST, "too-large", "11.1")
    parts = raw.split(b".")
    need(len(parts) == 3 and all(parts), "malformed-jws", "11.2")
    try:
        header, payload, signature = (unb64(part.decode("ascii")) for part in parts)
    except ValueError as error:
        raise Refused("malformed-jws", "11.2") from error
    header = json_object(header, "malformed-header", "11.3")
    need(header.get("alg") == "EdDSA", "unsupported-algorithm", "11.3")
    need(header.get("typ") == TYPE, "wrong-type", "11.3")
    need(header.keys() == {"alg", "typ", named_by}, "malformed-header", "11.3")
    signer, public = root(header["kid"], roots) if named_by == "kid" else identity(header["jwk"])
    need(verify_ed25519(public, signature, raw.rpartition(b".")[0]), "bad-signature", "11.5")
    claims = read_claims(payload, is_device=named_by == "jwk")
    need(topic is None or claims["topic"] == topic, "other-topic", "11.8")
    return SignedSet(raw.decode("ascii"), signer, claims)


def root(kid, roots):
    need(isinstance(kid, str) and kid in roots, "unknown-signer", "11.4")
    return kid, public_raw(roots[kid])


def identity(jwk):
    bad = "malformed-header"
    need(isinstance(jwk, dict) and jwk.keys() == {"crv", "kty", "x"}, bad, "11.4")
    try:
        need(jwk["crv"] == "Ed25519", bad, "11.4")  # and 32 bytes, canonical, not of small order
        return public_key(jwk), public_raw(jwk)
    except ValueError as error:
        raise Refused(bad, "11.4") from error


def is_topic(value):
    return (isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9.-]{1,255}", value) is not None
            and not value.endswith(SUFFIXES))


def size(text):
    return len(text.encode())


def read_claims(payload, is_device):
    bad, claims = "malformed-claims", json_object(payload, "malformed-claims", "11.6")
    need(one(claims.get("v")), "unsupported-version", "11.6")
    need(is_topic(claims.get("topic")), bad, "11.6")
    need(whole(claims.get("serial"), 1) and whole(claims.get("iat")), bad, "11.6")
    need(is_device or whole(claims.get("exp")), bad, "11.6")
    if is_device:
        token, challenge = claims.get("token"), claims.get("challenge", "none")
        need(claims.get("environment") in ENVIRONMENTS, bad, "11.6")
        need(isinstance(token, str) and re.fullmatch(r"(?:[0-9a-f]{2}){1,256}", token), bad, "11.6")
        need(isinstance(challenge, str) and 1 <= size(challenge) <= 255, bad, "11.6")
    need(isinstance(claims.get("keys"), dict), bad, "11.6")
    try:
        keys = public_keys(claims["keys"])
    except ValueError as error:
        raise Refused("invalid-keys", "11.7") from error
    need(active(keys) or not is_device_set(keys), "invalid-keys", "11.7")
    need("role" not in claims["keys"] and is_device_set(keys) == is_device, "wrong-keys", "11.7")
    return claims


def replace(at_hand, text, roots, topic):
    """[11.9] What comes of a sender's set where a text, or None, is at hand: the set, and whether it is another."""
    new = read_sender(text, roots, topic)
    try:
        old = None if at_hand is None else read_sender(at_hand, roots, topic)
    except Refused:
        old = None
    if old is not None:
        need(new.claims["serial"] >= old.claims["serial"], "older-serial", "11.9")
        need(new.claims["serial"] > old.claims["serial"] or new.text == old.text, "same-serial", "11.9")
    return new, old is None or new.text != old.text


# --- enrolments and registrations

def read_enrolment(text, topic=None, challenge=None):
    new = read_outer(text, LONGEST_ENROLMENT, ENROLMENT, topic)
    need(challenge is None or new.signed.claims.get("challenge") == challenge, "wrong-challenge", "11.13")
    return new


def read_registration(line):
    new = within("11.17", read_outer, line, LONGEST_LINE, REGISTRATION, None)
    need(is_name(new.name), "malformed-enrolment", "11.17")
    need(new.identity == new.signed.signer, "other-identity", "11.17")
    return new


def read_outer(text, longest, members, topic):
    bad, raw = "malformed-enrolment", text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    need(len(raw) <= longest, "too-large", "11.10")
    outer = json_object(raw, bad, "11.10")
    need(one(outer.get("v")), "unsupported-version", "11.10")
    need(not isinstance(outer.get("keys"), dict), "unsigned", "11.10")
    need(outer.keys() == members, bad, "11.10")
    need(all(isinstance(value, str) for name, value in outer.items() if name != "v"), bad, "11.10")
    signed = within("11.11", read_device, outer["keys"], topic)
    need(all(outer[name] == signed.claims[name] for name in REPEATED), "mismatch", "11.12")
    return Registration(outer.get("registration"), outer.get("identity"), signed)


def is_name(name):
    return 1 <= size(name) <= 255 and not any(ord(c) < 0x20 or 0x7F <= ord(c) <= 0x9F for c in name)


# What no two registrations have in common, and the reason: [11.16].
UNIQUE = (("identity-in-use", lambda signed: {signed.signer}),
          ("token-in-use", lambda signed: {signed.claims["token"]}),
          ("key-in-use", lambda signed: {unb64(t)[:8] for t in public_keys(signed.claims["keys"])}))


def need_unique(new, others):
    for reason, of in UNIQUE:
        need(not any(of(new) & of(other) for other in others), reason, "11.16")


def read_file(lines):
    """The registrations of a file's lines, in their order."""
    kept = []
    for line in lines:
        new = read_registration(line)
        need(all(old.name != new.name for old in kept), "malformed-enrolment", "11.17")
        within("11.17", need_unique, new.signed, [old.signed for old in kept])
        kept.append(new)
    return kept


def accept(lines, name, text, topic=None, challenge=None):
    """What changes, and the lines of all registrations after it, when an enrolment comes under a name."""
    if not is_name(name):
        raise ValueError("no name of a registration")
    signed = read_enrolment(text, topic, challenge).signed
    new, kept = Registration(name, signed.signer, signed), read_file(lines)
    at = next((index for index, old in enumerate(kept) if old.name == name), None)
    if at is not None:
        old, claims = kept[at].signed, new.signed.claims
        need(new.signed.signer == old.signer, "other-identity", "11.14")
        need(claims["topic"] == old.claims["topic"], "other-topic", "11.14")
        need(claims["serial"] >= old.claims["serial"], "older-serial", "11.15")
        need(claims["serial"] > old.claims["serial"] or new.signed.text == old.text, "same-serial", "11.15")
    need_unique(new.signed, [old.signed for old in kept if old.name != name])
    if at is None:
        return "registered", [*lines, new.line]
    if kept[at].signed.text == new.signed.text:
        return "unchanged", list(lines)
    return "updated", [*lines[:at], new.line, *lines[at + 1:]]


# --- signing

def public_half(jwks, statuses=("active", "accepted", "next")):
    """A private set's public half: of a device hand over `("active",)` alone. The next key is an accepted one."""
    keys = [{name: value for name, value in jwk.items() if name not in SECRET} for jwk in jwks["keys"]
            if jwk.get("status", "active") in statuses]
    return {"v": 1, "keys": [{**jwk, "status": "accepted"} if jwk.get("status") == "next" else jwk for jwk in keys]}


def sign(header, payload, signing_jwk):
    """The compact form of anything, JSON or bytes, so that a reader can be given what it must refuse."""
    parts = [part if isinstance(part, bytes) else compact(part).encode() for part in (header, payload)]
    signed = ".".join(map(b64, parts))
    return f"{signed}.{b64(private_key(signing_jwk).sign(signed.encode('ascii')))}"


def header_of_root(root_jwk):
    return {"alg": "EdDSA", "typ": TYPE, "kid": b64(thumbprint(root_jwk))}


def header_of_identity(identity_jwk):
    return {"alg": "EdDSA", "typ": TYPE, "jwk": {name: identity_jwk[name] for name in ("crv", "kty", "x")}}


def sign_senders(root_jwk, topic, serial, issued_at, ends_at, keys):
    claims = {"v": 1, "topic": topic, "serial": serial, "iat": issued_at, "exp": ends_at, "keys": keys}
    text = sign(header_of_root(root_jwk), claims, root_jwk)
    read_sender(text, {b64(thumbprint(root_jwk)): root_jwk}, topic)
    return text


def enrol(identity_jwk, topic, serial, issued_at, environment, token, keys, challenge=None):
    """An enrolment's text."""
    asked = {} if challenge is None else {"challenge": challenge}
    claims = {"v": 1, "topic": topic, "serial": serial, "iat": issued_at, "environment": environment, "token": token,
              **asked, "keys": keys}
    signed = read_device(sign(header_of_identity(identity_jwk), claims, identity_jwk), topic)
    return Registration(None, None, signed).line
