"""SealedPush, format version 1, in Python, written from Vectors/FORMAT.md alone.

Numbers in square brackets are the rules of that document. Keys, JSON and contents are read by `sealedpush` of
Examples/python, which was written from that document too. HPKE and Ed25519 come from PyPI's `cryptography` (>= 48); this
program itself refuses what the format refuses and a library might accept. It proves the format, and is not a product: it
is not constant time and does not guard its keys.
"""
import hashlib, hmac, os, struct, sys, uuid
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, mlkem, x25519
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hpke import (AEAD, KDF, KEM, MLKEM768X25519PrivateKey, MLKEM768X25519PublicKey,
                                                 Suite)
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

import examples  # where sealedpush is
from memory import DUPLICATE, FIRST, NOT_CHECKED, Entry, Replayed
from statements import is_message_id, is_one
from sealedpush import content, keys
from sealedpush.curves import acceptable_p256, acceptable_x25519, verify_ed25519
from sealedpush.encoding import Number, b64, compact, strict_json, unb64
from sealedpush.errors import ContentError
from sealedpush.keys import public_raw
from sealedpush.xwing import MLKEM_PUBLIC, acceptable_xwing, is_available as has_xwing

sys.set_int_max_str_digits(0)  # content has a few thousand bytes at most; its integers are kept exact

ENVELOPE_KEY = "ENCRYPTED_DATA"
RESERVED = ("sealed-push", ENVELOPE_KEY)
BODY_INSTEAD = "(Encrypted)"
SKEW = 300              # seconds between two clocks
LONGEST = 2_592_000     # seconds of lifetime
BUCKETS = (256, 512, 1024, 2048)
NOTIFICATION, BACKGROUND, VOIP, LIVE_ACTIVITY, COMPLICATION, PUSH_TO_TALK, PROOF_REQUEST = range(1, 8)
SKELETON = {"aps": {"alert": {"title": "New notification", "body": BODY_INSTEAD}, "mutable-content": 1,
                    "sound": "default"}, ENVELOPE_KEY: ""}

PLAIN = {"aps": {}, ENVELOPE_KEY: ""}

# Section 1: each push type's content type, longest payload and skeleton (the usual one for `alert`; for `liveactivity`
# it depends on the content, see live_activity).
PUSH_TYPES = {"alert": (NOTIFICATION, 4096, SKELETON),
              "background": (BACKGROUND, 4096, {"aps": {"content-available": 1}, ENVELOPE_KEY: ""}),
              "voip": (VOIP, 5120, PLAIN), "complication": (COMPLICATION, 4096, PLAIN),
              "pushtotalk": (PUSH_TO_TALK, 4096, PLAIN),
              "liveactivity": (LIVE_ACTIVITY, 4096, None),
              "fcm": (NOTIFICATION, 4096, {ENVELOPE_KEY: ""}), "fcm-data": (BACKGROUND, 4096, {ENVELOPE_KEY: ""})}
# The members that a Live Activity shows unchanged.
AS_THEY_ARE = ("timestamp", "event", "stale-date", "dismissal-date", "relevance-score", "attributes-type",
               "input-push-token", "input-push-channel")

@dataclass(frozen=True)
class SuiteInfo:
    id: int
    name: str
    kind: str     # the crv of its keys, or a name for keys without one
    enc: int      # N, the bytes of the encapsulated key
    hpke: Suite | None = None
    acceptable: callable = None      # a recipient's public key: section 3, [4.1]
    acceptable_enc: callable = None  # an encapsulated key: [4.1]

SUITES = {s.name: s for s in (
    SuiteInfo(1, "x25519-chachapoly", "X25519", 32,
              Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305), acceptable_x25519, acceptable_x25519),
    SuiteInfo(2, "p256-aesgcm", "P-256", 65,
              Suite(KEM.P256, KDF.HKDF_SHA256, AEAD.AES_256_GCM), acceptable_p256, acceptable_p256),
    SuiteInfo(3, "xwing-aesgcm", "xwing-aesgcm", 1120,
              Suite(KEM.MLKEM768_X25519, KDF.HKDF_SHA256, AEAD.AES_256_GCM), acceptable_xwing,
              lambda enc: acceptable_x25519(enc[1088:])),
    SuiteInfo(16, "shared-chachapoly", "oct", 64))}
SUITES_BY_ID = {s.id: s for s in SUITES.values()}
# [2.7] The suites that this machine's libraries lack.
LACKING = () if has_xwing() else ("xwing-aesgcm",)

class Degraded(Exception):
    def __init__(self, reason, rule):
        super().__init__(f"{reason} [{rule}]")
        self.reason, self.rule = reason, rule

@dataclass
class Opened:
    content_text: str
    claims: dict
    sender: str | None               # the thumbprint of the sender's key, base64url; None if anonymous
    plaintext: bytes                 # with its padding: for re-deriving a vector
    repetition: str | None           # what section 7 marks it as; None for a Live Activity's state
    recipient: dict

    @property
    def duplicate(self):
        return self.repetition == DUPLICATE

def need(condition, reason, rule):
    if not condition:
        raise Degraded(reason, rule)

# --- section 3: keys and binding

def hkdf(salt, key, info, length):
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)

def shared_key(jwk):
    key = unb64(jwk["k"])
    if jwk["kty"] != "oct" or len(key) != 32 or key == bytes(32):
        raise ValueError("no shared key")
    return key

def kind(jwk):
    """A key's kind: its crv or, without one, its alg or kty."""
    return jwk.get("alg") if jwk.get("kty") == "AKP" else jwk.get("crv", jwk.get("kty"))

def thumbprint(jwk):
    if kind(jwk) == "oct":
        return hkdf(None, shared_key(jwk), b"sealed-push v1 shared id", 32)
    public_raw(jwk)
    return keys.thumbprint(jwk)

def private_key(jwk):
    scalar, public = unb64(jwk["priv" if kind(jwk) == "xwing-aesgcm" else "d"]), public_raw(jwk)
    if len(scalar) != 32:
        raise ValueError("a private key has not 32 bytes")
    if kind(jwk) == "xwing-aesgcm":
        key, own = xwing_key(scalar)
        if own != public:
            raise ValueError("the seed is not that of the public key")
        return key
    if jwk["crv"] == "P-256":
        numbers = ec.EllipticCurvePublicNumbers(int.from_bytes(public[1:33], "big"),
                                                int.from_bytes(public[33:], "big"), ec.SECP256R1())
        return ec.EllipticCurvePrivateNumbers(int.from_bytes(scalar, "big"), numbers).private_key()
    curve = x25519.X25519PrivateKey if jwk["crv"] == "X25519" else ed25519.Ed25519PrivateKey
    key = curve.from_private_bytes(scalar)
    if key.public_key().public_bytes_raw() != public:
        raise ValueError("the private key is not that of the public one")
    return key

def xwing_key(seed):
    """Section 4: the private key for a seed, and its public half."""
    if LACKING:
        raise ValueError("this cryptography has no ML-KEM: pip install 'cryptography>=48'")
    expanded = hashlib.shake_256(seed).digest(96)
    part_m, part_x = mlkem.MLKEM768PrivateKey.from_seed_bytes(expanded[:64]), x25519.X25519PrivateKey.from_private_bytes(
        expanded[64:])
    public = part_m.public_key().public_bytes_raw() + part_x.public_key().public_bytes_raw()
    return MLKEM768X25519PrivateKey(part_m, part_x), public

def kem_public_key(suite, raw):
    if suite.id == 3:
        return MLKEM768X25519PublicKey(mlkem.MLKEM768PublicKey.from_public_bytes(raw[:MLKEM_PUBLIC]),
                                       x25519.X25519PublicKey.from_public_bytes(raw[MLKEM_PUBLIC:]))
    if suite.id == 1:
        return x25519.X25519PublicKey.from_public_bytes(raw)
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw)

def binding(topic, suite, jwk):
    name = topic.encode("ascii")
    return b"sealed-push v1\0" + struct.pack(">H", len(name)) + name + bytes([1, suite.id]) + thumbprint(jwk)

def find_key(jwks, key_id, wanted, now):
    for jwk in jwks.get("keys", []):
        if kind(jwk) == wanted and thumbprint(jwk)[:8] == key_id and now <= jwk.get("exp", now):
            return jwk
    return None

# --- section 4: the ciphertext

def schedule(salt, key, info):
    """commitment, key and nonce of suite 0x10"""
    okm = hkdf(salt, key, info, 76)
    return okm[:32], okm[32:64], okm[64:]

def encrypt(suite, jwk, info, plaintext, salt=None):
    """The encapsulated key and the ciphertext for a recipient's key. A sealer leaves out the salt."""
    if suite.id == 16:
        salt = os.urandom(32) if salt is None else salt
        commitment, key, nonce = schedule(salt, shared_key(jwk), info)
        return salt + commitment + ChaCha20Poly1305(key).encrypt(nonce, plaintext, b"")
    public = public_raw(jwk)
    if not suite.acceptable(public):
        raise ValueError("not a recipient's key")
    return suite.hpke.encrypt(plaintext, kem_public_key(suite, public), info)

def decrypt(suite, jwk, info, sealed):
    """[4.1] to [4.3]; `sealed` is the encapsulated key and the ciphertext."""
    bad, enc = "not-authentic", sealed[:suite.enc]
    if suite.id == 16:
        commitment, key, nonce = schedule(enc[:32], shared_key(jwk), info)
        need(hmac.compare_digest(commitment, enc[32:]), bad, "4.2")
        try:
            return ChaCha20Poly1305(key).decrypt(nonce, sealed[suite.enc:], b"")
        except InvalidTag as error:
            raise Degraded(bad, "4.3") from error
    private = private_key(jwk)
    need(suite.acceptable_enc(enc), bad, "4.1")
    try:
        return suite.hpke.decrypt(sealed, private, info)
    except (InvalidTag, ValueError) as error:
        raise Degraded(bad, "4.1") from error

# --- section 6: the content

def check_content(raw, notification=True):
    """[6.1] to [6.4] Returns the object."""
    try:
        return content.check_content(raw, notification)
    except ContentError as error:
        raise Degraded("malformed-content", error.rule) from error

def is_base64url(value):
    try:
        return isinstance(value, str) and b64(unb64(value)) == value
    except ValueError:
        return False

def are_removed(value):
    return isinstance(value, list) and len(value) in range(1, 33) and all(map(is_message_id, value))

def is_callers(member):
    """[6.6] and [6.7]: whether `sealed-push` has something that a caller may add, and nothing else."""
    if not isinstance(member, dict) or not is_one(member.get("v")) or len(member) < 2:
        return False
    rules = {"v": bool, "replaces": is_message_id, "removes": are_removed, "bytes": is_base64url}
    return all(name in rules and rules[name](value) for name, value in member.items())

def heeded(result):
    """[6.6], [6.7] What an opener heeds of an opened message's `sealed-push`: `replaces`, `removes` and `bytes`."""
    member = strict_json(result.content_text.encode()).get("sealed-push")
    if result.sender is None or not isinstance(member, dict) or not is_one(member.get("v")):
        return {}
    rules = {"replaces": is_message_id, "bytes": is_base64url}
    heeds = {name: member[name] for name, is_good in rules.items() if name in member and is_good(member[name])}
    removes = removed(member.get("removes"))
    return {**heeds, "removes": removes} if removes else heeds

def removed(value):
    """The ids among the first 32 of `removes`."""
    return [each for each in value[:32] if is_message_id(each)] if isinstance(value, list) else []

def with_account(raw, tag):
    """A content for an account: the tag is the last member of `sealed-push`, which may be there."""
    content = strict_json(raw)
    content["sealed-push"] = {**content.get("sealed-push", {"v": 1}), "account": tag}
    return compact(content).encode()

# --- section 9: sealing

def live_activity(content, sound=True):
    """The skeleton for a Live Activity's content; the sealer decides whether its placeholder has a sound."""
    aps = content["aps"]
    visible = {name: aps[name] for name in AS_THEY_ARE if name in aps}  # in this order
    if "attributes" in aps:
        visible["attributes"] = {}
    if "alert" in aps:
        visible["alert"] = {**SKELETON["aps"]["alert"], **({"sound": "default"} if sound else {})}
    return {"aps": {**visible, "content-state": {ENVELOPE_KEY: ""}}}

def derived_id(message_id, print_of_key):
    """The message's ID on one of several devices, whose key has this thumbprint."""
    raw = bytearray(hashlib.sha256(b"sealed-push v1 fan-out\0" + uuid.UUID(message_id).bytes + print_of_key).digest()[:16])
    raw[6], raw[8] = raw[6] & 0x0f | 0x80, raw[8] & 0x3f | 0x80
    return str(uuid.UUID(bytes=bytes(raw)))

def counted(payload_text, push_type):
    """The bytes that count: those of the payload or, of FCM's data, those of the names and values."""
    if not push_type.startswith("fcm"):
        return len(payload_text.encode())
    return sum(len(text.encode()) for member in strict_json(payload_text.encode()).items() for text in member)

def capacity(skeleton_bytes, suite, limit=4096):
    return 3 * (limit - skeleton_bytes) // 4 - 10 - suite.enc - 16

def seal(payload, recipient_jwk, topic, suite, signing_jwk, message_id, issued_at, lifetime, padding="buckets", *,
         skeleton=None, limit=4096, content_type=NOTIFICATION, account=None, check=True):
    """The outer payload's bytes; ValueError (or Degraded, for the content) if it cannot be sealed.
    check=False seals payloads that a sealer must refuse, to see an opener refuse them; payload may then be bytes."""
    suite, skeleton = SUITES[suite], dict(skeleton or SKELETON)
    content = payload if isinstance(payload, bytes) else (
        payload if isinstance(payload, str) else compact(payload)).encode("utf-8", "strict")
    if check:
        said = check_content(content, content_type == NOTIFICATION)
        if ENVELOPE_KEY in said or "sealed-push" in said and not is_callers(said["sealed-push"]):
            raise ValueError("a reserved member")
        if not 0 <= issued_at < 2 ** 53 or not 0 <= lifetime <= LONGEST:
            raise ValueError("times out of range")
    if account is not None:
        content = with_account(content, account)
    if padding not in ("buckets", "maximum", "none"):
        raise ValueError("no such padding")
    if kind(recipient_jwk) != suite.kind:
        raise ValueError("not a recipient's key of this suite")
    info = binding(topic, suite, recipient_jwk)
    fields = (bytes([content_type << 4 | (signing_jwk is not None)]) + uuid.UUID(str(message_id)).bytes
              + struct.pack(">QI", issued_at, lifetime))
    if signing_jwk is not None:
        fields += thumbprint(signing_jwk)[:8]
        fields += private_key(signing_jwk).sign(b"sealed-push v1 signature\0" + info + fields + content)
    plaintext = fields + content + b"\x80"
    skeleton[ENVELOPE_KEY] = ""
    room = capacity(len(compact(skeleton).encode()), suite, limit)
    if len(plaintext) > room:
        raise ValueError("does not fit")
    size = {"none": len(plaintext), "maximum": room}.get(padding) or next(
        (b for b in BUCKETS if len(plaintext) <= b <= room), room)
    sealed = encrypt(suite, recipient_jwk, info, plaintext.ljust(size, b"\0"))
    skeleton[ENVELOPE_KEY] = b64(bytes([1, suite.id]) + thumbprint(recipient_jwk)[:8] + sealed)
    return compact(skeleton).encode()

# --- sections 1 to 7: opening

def outer(payload_text):
    """The outer payload; ValueError if it breaks [6.1] or is not an object: then there is no message."""
    value = strict_json(payload_text.encode())
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value

def holder(payload_text, push_type="alert"):
    """The object with the envelope as a member: the payload, or a Live Activity's state."""
    found = outer(payload_text)
    for name in ("aps", "content-state") if push_type == "liveactivity" else ():
        found = found.get(name)
        found = found if isinstance(found, dict) else {}
    return found

def open(payload_text, device_jwks, sender_jwks, topic, now, accepts_suites=tuple(SUITES), accepts_anonymous=False, *,
         memory=None, expects=NOTIFICATION, push_type="alert", read=check_content, senders_end=None, lacks=LACKING,
         accounts=None):
    """device_jwks: the keys whose life has not ended; None if they cannot be read.
    senders_end: the `exp` of the signed set that sender_jwks is from, or None if it is not from one.
    lacks: the suites that this system lacks.
    memory: that of section 7; None for an opener that cannot read its own.
    read: the function that checks the content.
    accounts: the tags that are signed in, or None for an opener that does not know them."""
    payload = holder(payload_text, push_type)
    need(ENVELOPE_KEY in payload, "no-envelope", "1.1")
    text = payload[ENVELOPE_KEY]
    need(isinstance(text, str), "malformed-envelope", "1.2")
    need(len(text.encode("utf-8", "surrogatepass")) <= 8192, "too-large", "1.3")
    try:
        envelope = unb64(text)
    except ValueError as error:
        raise Degraded("malformed-envelope", "2.1") from error
    need(len(envelope) >= 1, "malformed-envelope", "2.2")
    need(envelope[0] == 1, "unsupported-version", "2.2")
    need(len(envelope) >= 2, "malformed-envelope", "2.3")
    need(envelope[1] in SUITES_BY_ID, "unsupported-suite", "2.3")
    suite = SUITES_BY_ID[envelope[1]]
    need(len(envelope) >= 10 + suite.enc + 16, "malformed-envelope", "2.4")
    key_id, enc = envelope[2:10], envelope[10:10 + suite.enc]
    need(suite.id != 2 or enc[0] == 4, "malformed-envelope", "2.5")
    need(suite.name not in lacks, "unsupported-suite", "2.7")
    need(suite.name in accepts_suites, "suite-not-accepted", "2.6")

    need(device_jwks is not None, "key-locked", "3.2")
    recipient = find_key(device_jwks, key_id, suite.kind, now)
    need(recipient is not None, "unknown-key", "3.1")
    info = binding(topic, suite, recipient)
    plaintext = decrypt(suite, recipient, info, envelope[10:])

    bad = "malformed-content"
    stripped = plaintext.rstrip(b"\0")
    need(stripped[-1:] == b"\x80", bad, "5.1")
    body = stripped[:-1]
    need(len(body) >= 29, bad, "5.2")
    signed = bool(body[0] & 1)
    need(not signed or len(body) >= 29 + 72, bad, "5.2")
    need(body[0] >> 4 == expects, bad, "5.3")
    need(body[0] & 0b1110 == 0, bad, "5.4")
    message_id = uuid.UUID(bytes=body[1:17])
    issued_at, lifetime = struct.unpack(">QI", body[17:29])
    need(issued_at < 2 ** 53, bad, "5.5")
    need(lifetime <= LONGEST, bad, "5.6")
    need(signed or expects != PROOF_REQUEST, "anonymous-not-accepted", "11.19")
    need(signed or accepts_anonymous, "anonymous-not-accepted", "5.7")
    content, sender = body[29:], None
    if signed:
        fields, signature, content = body[:37], body[37:101], body[101:]
        sender = find_key(sender_jwks, body[29:37], "Ed25519", now)
        need(sender is not None and now >= sender.get("nbf", now), "unknown-sender", "5.8")
        need(senders_end is None or issued_at <= senders_end, "unknown-sender", "5.8")
        need(verify_ed25519(public_raw(sender), signature, b"sealed-push v1 signature\0" + info + fields + content),
             "bad-signature", "5.9")
    need(now <= issued_at + lifetime + SKEW, "expired", "5.10")
    need(issued_at <= now + SKEW, "not-yet-valid", "5.11")

    said = read(content, expects == NOTIFICATION)
    member = said.get("sealed-push") if accounts is not None and expects != PROOF_REQUEST else None
    if isinstance(member, dict) and "account" in member:
        need(member["account"] in accounts, "other-account", "6.5")

    repetition = None
    if expects != LIVE_ACTIVITY:  # a Live Activity's state is opened again and again
        origin = ("anonymous", thumbprint(recipient)) if sender is None else thumbprint(sender)
        entry = Entry(hashlib.sha256(content).digest(), issued_at, issued_at + lifetime + SKEW)
        try:
            repetition = memory.record(origin, expects, message_id, entry, now) if memory is not None else NOT_CHECKED
        except Replayed as error:
            raise Degraded("replayed", "7.1") from error
    claims = {"contentType": expects, "messageID": str(message_id), "issuedAt": issued_at, "lifetime": lifetime,
              "suite": suite.name, "signed": signed}
    return Opened(content.decode(), claims, b64(thumbprint(sender)) if sender else None, plaintext, repetition, recipient)

# --- sections 6 and 8: what is shown

def property_list(value):
    if isinstance(value, dict):
        return {k: property_list(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [property_list(v) for v in value if v is not None]
    if type(value) is int:
        return value if -2 ** 63 <= value < 2 ** 63 else str(value)
    if type(value) is Number:
        return float(value) if value.is_double and value.literal != "-0" else value.literal
    return value

def shown(payload_text, result):
    """result: an Opened, or a reason as text (a Degraded's, or one that cryptography cannot see)."""
    what = dict(title="", subtitle="", body="", sound=None, badge=None, category="", threadIdentifier="",
                targetContentIdentifier=None, interruptionLevel="active", relevanceScore=0, userInfo={})
    if isinstance(result, Opened):
        content = strict_json(result.content_text.encode())
        aps = content["aps"]
        alert = aps.get("alert", {})
        alert = {"body": alert} if isinstance(alert, str) else alert
        for name, key in (("title", "title-loc-key"), ("subtitle", "subtitle-loc-key"), ("body", "loc-key")):
            in_place = alert.get(key) if isinstance(alert.get(key), str) else ""  # this program has no strings
            what[name] = alert.get(name) or in_place
        what.update(badge=aps.get("badge"), category=aps.get("category", ""), threadIdentifier=aps.get("thread-id", ""))
        what.update(targetContentIdentifier=aps.get("target-content-id"), relevanceScore=aps.get("relevance-score", 0))
        level = aps.get("interruption-level", "active")
        what["interruptionLevel"] = "active" if result.sender is None and level != "passive" else level
        sound = aps.get("sound")
        if isinstance(sound, dict) and (result.sender is None or not sound.get("critical")):
            sound = sound["name"]  # section 8: a critical sound needs a known sender
        what["sound"] = None if result.repetition != FIRST else sound  # only the first has consequences
        what["userInfo"] = property_list({k: v for k, v in content.items() if k not in RESERVED})
        return what
    payload = outer(payload_text)
    aps = payload.get("aps") if isinstance(payload.get("aps"), dict) else {}
    alert = aps.get("alert") if isinstance(aps.get("alert"), dict) else {}
    what["title"] = alert.get("title") if isinstance(alert.get("title"), str) else ""
    deadline = result == "deadline"
    what["subtitle" if deadline and what["title"] else "body"] = BODY_INSTEAD
    what["sound"] = "default" if aps.get("sound") is not None else None
    text = payload.get(ENVELOPE_KEY)
    if isinstance(text, str) and len(text.encode("utf-8", "surrogatepass")) <= 8192:
        what["userInfo"] = {ENVELOPE_KEY: text}
    return what
