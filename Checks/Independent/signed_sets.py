"""Signed key sets by FORMAT.md, section 11, alone: senders' sets, enrolments, registrations, proofs, both ways.

Numbers in square brackets are the rules of that document. A `None` for a topic is a reader that serves any, for a
challenge one that gave none, for an audience one that is no backend.
"""
import re
from dataclasses import dataclass, replace as replace_in

from curves import acceptable_ed25519, acceptable_p256, acceptable_x25519, verify_ed25519
from sealed_push import (PROOF_REQUEST, Degraded, b64, compact, open as open_message, private_key, public_raw,
                         strict_json, thumbprint, unb64)

TYPE = "sealed-push-keys+jws"
LONGEST, LONGEST_ENROLMENT, LONGEST_LINE = 65_536, 32_768, 65_536
MOST_KEYS = 16_384
LIMIT = 2 ** 53
ENVIRONMENTS = ("production", "sandbox")
REPEATED = ("topic", "environment", "token")
ENROLMENT = {"v", *REPEATED, "keys"}
REGISTRATION = ENROLMENT | {"registration", "identity"}
# What a registration's line may have beside those.
BESIDE = {"person", "proven", "pending"}
REQUEST = {"v", "audience", "identity", "proof"}
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
class Proven:
    """What others seal to: a signed set, those of its active keys that are proven, and whether its token is."""
    signed: SignedSet
    kids: tuple
    has_token: bool


@dataclass(frozen=True)
class Registration:
    name: str | None      # None in an enrolment
    identity: str | None  # T; None in an enrolment
    signed: SignedSet     # the newest
    proven: Proven | None = None
    pending: tuple | None = None  # a proof, and whether it is the token's too

    @property
    def line(self):
        told = {name: self.signed.claims[name] for name in REPEATED}
        own = {} if self.name is None else {"registration": self.name, "identity": self.identity}
        if self.name is not None and (self.pending or self.proven != whole_of(self.signed)):
            own["proven"] = self.proven and {"keys": self.proven.signed.text, "kids": list(self.proven.kids),
                                             "token": self.proven.has_token}
        if self.pending:
            own["pending"] = {"proof": self.pending[0], "token": self.pending[1]}
        return compact({"v": 1, **told, "keys": self.signed.text, **own})

    @property
    def request(self):
        """The T of the key to prove, and what is to be sealed to it; None if nothing is pending."""
        if not self.pending:
            return None
        kids = active_kids(self.signed)
        known = self.proven.kids if self.proven else ()
        asked = next((kid for kid in kids if kid not in known), kids[0])
        return asked, compact({"v": 1, "audience": self.signed.claims["audience"], "identity": self.identity,
                               "proof": self.pending[0]})


def active_kids(signed):
    """The T of the active keys, the preferred suite's first: X25519, P-256."""
    keys = public_keys(signed.claims["keys"])
    return tuple(kid for curve in ("X25519", "P-256") for kid, jwk in keys.items()
                 if jwk["crv"] == curve and jwk.get("status", "active") == "active")


def whole_of(signed):
    return Proven(signed, active_kids(signed), True)


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
        need("audience" not in claims or is_name(claims["audience"]), bad, "11.6")
        need("proof" not in claims or is_proof(claims["proof"]), bad, "11.6")
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

def read_enrolment(text, topic=None, challenge=None, audience=None):
    new = read_outer(text, LONGEST_ENROLMENT, ENROLMENT, topic)
    need(audience is None or new.signed.claims.get("audience") == audience, "other-audience", "11.13")
    need(challenge is None or new.signed.claims.get("challenge") == challenge, "wrong-challenge", "11.13")
    return new


def read_registration(line):
    new = within("11.17", read_outer, line, LONGEST_LINE, REGISTRATION, None)
    bad, rule, outer = "malformed-enrolment", "11.17", strict_json(line.encode())
    need(is_name(new.name), bad, rule)
    need("person" not in outer or is_name(outer["person"]), bad, rule)
    need(new.identity == new.signed.signer, "other-identity", rule)
    proven = whole_of(new.signed) if "proven" not in outer else outer["proven"] and read_proven(outer["proven"], new)
    need(proven is None or isinstance(proven, Proven), bad, rule)
    pending = outer.get("pending")
    if "pending" in outer:
        need("proven" in outer and "audience" in new.signed.claims, bad, rule)
        need(isinstance(pending, dict) and pending.keys() == {"proof", "token"}, bad, rule)
        need(is_proof(pending["proof"]) and isinstance(pending["token"], bool), bad, rule)
        pending = pending["proof"], pending["token"]
    return replace_in(new, proven=proven, pending=pending)


def read_proven(members, newest):
    bad, rule = "malformed-enrolment", "11.17"
    need(isinstance(members, dict) and members.keys() == {"keys", "kids", "token"}, bad, rule)
    need(isinstance(members["keys"], str) and isinstance(members["token"], bool), bad, rule)
    kids = members["kids"]
    need(isinstance(kids, list) and all(isinstance(kid, str) for kid in kids), bad, rule)
    signed = within(rule, read_device, members["keys"], newest.signed.claims["topic"])
    need(signed.signer == newest.identity, "other-identity", rule)
    proven = tuple(kid for kid in active_kids(signed) if kid in kids)
    need(signed.claims["serial"] <= newest.signed.claims["serial"] and 0 < len(proven) == len(kids), bad, rule)
    return Proven(signed, proven, members["token"])


def read_outer(text, longest, members, topic):
    bad, raw = "malformed-enrolment", text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    need(len(raw) <= longest, "too-large", "11.10")
    outer = json_object(raw, bad, "11.10")
    need(one(outer.get("v")), "unsupported-version", "11.10")
    need(not isinstance(outer.get("keys"), dict), "unsigned", "11.10")
    need(outer.keys() - (BESIDE if members == REGISTRATION else set()) == members, bad, "11.10")
    need(all(isinstance(outer[name], str) for name in members if name != "v"), bad, "11.10")
    signed = within("11.11", read_device, outer["keys"], topic)
    need(all(outer[name] == signed.claims[name] for name in REPEATED), "mismatch", "11.12")
    return Registration(outer.get("registration"), outer.get("identity"), signed)


def is_name(name):
    return (isinstance(name, str) and 1 <= size(name) <= 255
            and not any(ord(c) < 0x20 or 0x7F <= ord(c) <= 0x9F for c in name))


def is_proof(text):
    try:
        return isinstance(text, str) and 22 <= len(text) <= 255 and unb64(text) is not None
    except ValueError:
        return False


# What a registration has proven, and no other may have, and the reason: [11.16].
REASONS = ("identity-in-use", "token-in-use", "key-in-use")


def claimed(signed):
    """Identity, tokens and key ids of an enrolment."""
    return {signed.signer}, {signed.claims["token"]}, {unb64(t)[:8] for t in public_keys(signed.claims["keys"])}


def owned(proven):
    if proven is None:
        return set(), set(), set()
    tokens = {proven.signed.claims["token"]} if proven.has_token else set()
    return {proven.signed.signer}, tokens, {unb64(kid)[:8] for kid in proven.kids}


def need_unique(mine, others):
    for index, reason in enumerate(REASONS):
        need(not any(mine[index] & owned(other.proven)[index] for other in others), reason, "11.16")


def read_file(lines):
    """The registrations of a file's lines, in their order."""
    kept = []
    for line in lines:
        new = read_registration(line)
        need(all(old.name != new.name for old in kept), "malformed-enrolment", "11.17")
        within("11.17", need_unique, owned(new.proven), kept)
        kept.append(new)
    return kept


def accept(lines, name, text, audience, proof, topic=None, challenge=None, key_alone=False):
    """What changes, all registrations after it, and the one of this name, when an enrolment comes under a name.

    `proof` is what the backend asks for next. [11.14] to [11.18]
    """
    if not is_name(name):
        raise ValueError("no name of a registration")
    signed = read_enrolment(text, topic, challenge, audience).signed
    kept = read_file(lines)
    old = next((one for one in kept if one.name == name), None)
    if old is not None:
        last, claims = old.signed, signed.claims
        need(signed.signer == last.signer, "other-identity", "11.14")
        need(claims["topic"] == last.claims["topic"], "other-topic", "11.14")
        need(claims["serial"] >= last.claims["serial"], "older-serial", "11.15")
        need(claims["serial"] > last.claims["serial"] or signed.text == last.text, "same-serial", "11.15")
    need_unique(claimed(signed), [one for one in kept if one.name != name])
    new = settle(old or Registration(name, signed.signer, signed), signed, proof, not key_alone)
    after = [new if one.name == name else one for one in kept] + ([] if old else [new])
    if new.proven != (old and old.proven):
        after = [one if one.name == name else yielding(one, new) for one in after]
    change = ("pending" if new.pending else "registered" if not old or not old.proven
              else "unchanged" if new == old else "updated")
    return change, [one.line for one in after], new


def settle(old, signed, proof, proves_token):
    """[11.18]"""
    place = lambda of: [of.claims[name] for name in ("topic", *REPEATED)]
    kids, known = active_kids(signed), old.proven.kids if old.proven else ()
    repeated = (old.pending is not None and old.pending[1] == proves_token and place(signed) == place(old.signed)
                and kids == active_kids(old.signed))
    answered = repeated and signed.claims.get("proof") == old.pending[0]
    if answered:
        known = (*known, old.request[0])
    has_token = (answered and proves_token
                 or bool(old.proven and old.proven.has_token and place(old.proven.signed) == place(signed)))
    mine = tuple(kid for kid in kids if kid in known)
    proven, pending = old.proven, old.pending
    good = (mine == kids or answered) and (has_token or not proves_token)
    if good:
        proven = Proven(signed, mine, has_token)
    if good and mine == kids:
        pending = None
    elif answered or not repeated:
        pending = proof, proves_token
    return Registration(old.name, signed.signer, signed, proven, pending)


def yielding(one, winner):
    """What is left of a registration when another has proven something: [11.18]."""
    identities, tokens, ids = owned(winner.proven)
    if one.proven and not one.proven.has_token and one.proven.signed.claims["token"] in tokens:
        return replace_in(one, proven=None, pending=None)
    active_ids = {unb64(kid)[:8] for kid in active_kids(one.signed)}
    if one.identity in identities or one.signed.claims["token"] in tokens or active_ids & ids:
        return replace_in(one, pending=None)
    return one


# --- proof requests

def read_request(content):
    """[11.19] What a message of content type 7 says; ValueError if that is no request."""
    request = strict_json(content)
    if not isinstance(request, dict) or request.keys() != REQUEST or not one(request["v"]):
        raise ValueError("no request")
    if not is_name(request["audience"]) or not is_proof(request["proof"]):
        raise ValueError("no audience, or no proof")
    if not isinstance(request["identity"], str) or len(unb64(request["identity"])) != 32:
        raise ValueError("no identity")
    return request


def open_request(payload, device_jwks, sender_jwks, topic, now):
    """What the request in a background push says, and the T of the key that opened it; `Degraded` if it is none."""
    said = []

    def read(content, _):
        try:
            said.append(read_request(content))
        except ValueError as error:
            raise Degraded("malformed-content", "11.19") from error
    opened = open_message(payload, device_jwks, sender_jwks, topic, now, accepts_anonymous=True, expects=PROOF_REQUEST,
                          read=read)
    return said[0], b64(thumbprint(opened.recipient))


def need_answer(request, kid, audience, identity, active):
    """[11.20] What a device checks before it answers what a key of its has opened."""
    need(request["audience"] == audience, "other-audience", "11.20")
    need(request["identity"] == identity, "other-identity", "11.20")
    need(kid in active, "inactive-key", "11.20")


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


def enrol(identity_jwk, topic, serial, issued_at, environment, token, keys, audience, challenge=None, proof=None):
    """An enrolment's text."""
    asked = {name: text for name, text in (("audience", audience), ("challenge", challenge), ("proof", proof))
             if text is not None}
    claims = {"v": 1, "topic": topic, "serial": serial, "iat": issued_at, "environment": environment, "token": token,
              **asked, "keys": keys}
    signed = read_device(sign(header_of_identity(identity_jwk), claims, identity_jwk), topic)
    return Registration(None, None, signed).line
