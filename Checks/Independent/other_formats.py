"""Other systems' envelopes, written from section 12 of Vectors/FORMAT.md alone: opened, and sealed again.

Numbers in square brackets are the rules of that document. Ciphers come from PyPI's `cryptography` and `pynacl`.
"""
import base64, hashlib, re

import nacl.bindings
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from nacl.exceptions import CryptoError

import examples  # where sealedpush is
from sealedpush.curves import acceptable_p256, acceptable_x25519
from sealed_push import hkdf, unb64

Z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
ORDER_P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class NotOpened(Exception):
    def __init__(self, reason, rule, member=None):
        super().__init__(f"{reason} {member} [{rule}]")
        self.reason, self.rule, self.member = reason, rule, member


def need(condition, reason, rule, member=None):
    if not condition:
        raise NotOpened(reason, rule, member)


# --- text

def base64_bytes(text):
    raw = base64.b64decode(text.encode("ascii"), validate=True)
    if base64.b64encode(raw).decode() != text:
        raise ValueError("not as an encoder writes it")
    return raw


def base64_in_lines(text):
    groups, rest = "", text
    while rest:
        space = re.match(r"[ \t\r\n]+", rest)
        if space and len(groups) % 4:
            raise ValueError("white space within a group")
        if space:
            rest = rest[space.end():]
        groups, rest = groups + rest[:1], rest[1:]
    return base64_bytes(groups)


def base64url_bytes(text):
    if len(text) % 4 == 0 and re.fullmatch(r"[^=]+={1,2}", text):
        text = text.rstrip("=")
    return unb64(text)


def z85_bytes(text):
    data = b""
    for start in range(0, len(text), 5):
        group, number = text[start:start + 5], 0
        if len(group) == 1:
            raise ValueError("one digit alone")
        for digit in group:
            number = number * 85 + Z85.index(digit)
        data += number.to_bytes(len(group) - 1, "big")  # OverflowError if it does not fit
    return data


def z85_text(data):
    text = ""
    for start in range(0, len(data), 4):
        group = data[start:start + 4]
        number, digits = int.from_bytes(group, "big"), ""
        for _ in range(len(group) + 1):
            number, digit = divmod(number, 85)
            digits = Z85[digit] + digits
        text += digits
    return text


def text_bytes(holder, member, decode, malformed=None):
    """[12.1] to [12.4]"""
    need(member in holder, "absent", "12.1")
    text = holder[member]
    need(isinstance(text, str), "malformed", "12.2", member)
    need(len(text.encode()) <= 8192, "too-large", "12.3")
    try:
        return decode(text)
    except (ValueError, OverflowError) as error:  # UnicodeEncodeError is a ValueError
        raise NotOpened("malformed", "12.4", member) from error


# --- ciphers

def cbc(key, iv, data, rule):
    decryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).decryptor()
    padded = decryptor.update(data) + decryptor.finalize()
    count = padded[-1]
    need(1 <= count <= 16 and padded[-count:] == bytes([count]) * count, "not-authentic", rule)
    return padded[:-count]


def cbc_encrypt(key, iv, plaintext):
    padder = padding.PKCS7(128).padder()
    encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    return encryptor.update(padder.update(plaintext) + padder.finalize()) + encryptor.finalize()


def gcm(key, iv, data, rule):
    try:
        return AESGCM(key).decrypt(iv, data, b"")
    except InvalidTag as error:
        raise NotOpened("not-authentic", rule) from error


def secret_box(key, data, rule):
    try:
        return nacl.bindings.crypto_secretbox_open(data[24:], data[:24], key)
    except CryptoError as error:
        raise NotOpened("not-authentic", rule) from error


# --- openssl-salted

def salted_key(p, salt):
    password = p["password"].encode()
    if "iterations" in p:
        derived = hashlib.pbkdf2_hmac(p["digest"], password, salt, p["iterations"], 48)
    else:
        derived = last = b""
        while len(derived) < 48:
            last = hashlib.new(p["digest"], last + password + salt).digest()
            derived += last
    return derived[:32], derived[32:48]


def open_salted(p, payload):
    need(1 <= len(p["password"].encode()) <= 1024 and 1 <= p.get("iterations", 1) <= 1_000_000, "refused", "12.5")
    member = p.get("member", "ENCRYPTED_DATA")
    holder = payload if member in payload else content_state(payload)
    data = text_bytes(holder, member, base64_in_lines)
    need(data[:8] == b"Salted__" and len(data) > 16 and len(data) % 16 == 0, "malformed", "12.6", member)
    return cbc(*salted_key(p, data[8:16]), data[16:], "12.7")


def content_state(payload):
    aps = payload.get("aps")
    state = aps.get("content-state") if isinstance(aps, dict) else None
    return state if isinstance(state, dict) else {}


def seal_salted(p, plaintext, random):
    text = base64.b64encode(b"Salted__" + random + cbc_encrypt(*salted_key(p, random), plaintext)).decode()
    return {p.get("member", "ENCRYPTED_DATA"): text}


def looks_salted(payload):
    values = [*payload.values(), *content_state(payload).values()]
    return any(isinstance(value, str) and value.startswith("U2FsdGVkX1") for value in values)


# --- bark

def open_bark(p, payload):
    key, kept, size = p["key"].encode(), p.get("iv"), 16 if p["mode"] == "cbc" else 12
    need(len(key) in (16, 24, 32) and (kept is None or len(kept.encode()) == size), "refused", "12.8")
    data = text_bytes(payload, "ciphertext", base64_bytes)
    need(len(data) > 0 and len(data) % 16 == 0 if p["mode"] == "cbc" else len(data) >= 16,
         "malformed", "12.9", "ciphertext")
    iv = payload.get("iv", kept)
    need(isinstance(iv, str) and len(iv.encode()) == size, "malformed", "12.10", "iv")
    return (cbc if p["mode"] == "cbc" else gcm)(key, iv.encode(), data, "12.11")


def seal_bark(p, plaintext, iv):
    key = p["key"].encode()
    sealed = cbc_encrypt(key, iv, plaintext) if p["mode"] == "cbc" else AESGCM(key).encrypt(iv, plaintext, b"")
    return {"ciphertext": base64.b64encode(sealed).decode()}


def looks_bark(payload):
    text = payload.get("ciphertext")
    return isinstance(text, str) and text != "" and isinstance(payload.get("iv", ""), str) and "ephemeral" not in payload


# --- Web Push

CARRIAGES = {"z85": ("p", z85_bytes, z85_text),
             "base64url": ("m", base64url_bytes, lambda raw: base64.urlsafe_b64encode(raw).decode().rstrip("="))}


def public_bytes(key):
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def p256(number):
    return ec.derive_private_key(int.from_bytes(number, "big"), ec.SECP256R1())


def receiver(p):
    """[12.12] Returns the private key and the secret."""
    number, auth = unb64(p["privateKey"]), unb64(p["auth"])
    need(len(number) == 32 and 0 < int.from_bytes(number, "big") < ORDER_P256 and len(auth) == 16, "refused", "12.12")
    return p256(number), auth


def agree(private, public):
    return private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public))


def standard_keys(ecdh, auth, ours, theirs, salt):
    ikm = hkdf(auth, ecdh, b"WebPush: info\0" + ours + theirs, 32)
    return hkdf(salt, ikm, b"Content-Encoding: aes128gcm\0", 16), hkdf(salt, ikm, b"Content-Encoding: nonce\0", 12)


def draft_keys(ecdh, auth, ours, theirs, salt):
    ikm = hkdf(auth, ecdh, b"Content-Encoding: auth\0", 32)
    context = b"P-256\0" + b"\0\x41" + ours + b"\0\x41" + theirs
    return (hkdf(salt, ikm, b"Content-Encoding: aesgcm\0" + context, 16),
            hkdf(salt, ikm, b"Content-Encoding: nonce\0" + context, 12))


def standard_parts(payload, carriage):
    member, decode, _ = CARRIAGES[carriage]
    need("k" not in payload and "s" not in payload, "absent", "12.13")
    body = text_bytes(payload, member, decode)
    size, record = int.from_bytes(body[16:20], "big"), body[86:]
    need(len(body) >= 86 and body[20] == 65 and body[21] == 4 and 17 <= len(record) <= size and size >= 18,
         "malformed", "12.14", member)
    return member, body[:16], body[21:86], record


def open_standard(p, payload):
    private, auth = receiver(p)
    member, salt, public, record = standard_parts(payload, p["carriage"])
    need(acceptable_p256(public), "malformed", "12.15", member)
    keys = standard_keys(agree(private, public), auth, public_bytes(private), public, salt)
    record = gcm(*keys, record, "12.16").rstrip(b"\0")
    need(record[-1:] == b"\2", "malformed", "12.17", member)
    return record[:-1]


def seal_standard(p, plaintext, random, length):
    """`length` is that of the body, which padding fills."""
    (private, auth), (member, _, encode) = receiver(p), CARRIAGES[p["carriage"]]
    salt, sender = random[:16], p256(random[16:])
    ours, theirs = public_bytes(private), public_bytes(sender)
    key, iv = standard_keys(agree(sender, ours), auth, ours, theirs, salt)
    record = (plaintext + b"\2").ljust(length - 86 - 16, b"\0")
    header = salt + (4096).to_bytes(4, "big") + b"\x41" + theirs
    return {member: encode(header + AESGCM(key).encrypt(iv, record, b""))}


def draft_parts(payload, carriage):
    member, decode, _ = CARRIAGES[carriage]
    need("k" in payload or "s" in payload, "absent", "12.18")
    body = text_bytes(payload, member, decode)
    need(18 <= len(body) <= 4111, "malformed", "12.19", member)
    public = text_bytes(payload, "k", decode)
    need(len(public) == 65 and public[0] == 4, "malformed", "12.19", "k")
    salt = text_bytes(payload, "s", decode)
    need(len(salt) == 16, "malformed", "12.19", "s")
    return member, salt, public, body


def open_draft(p, payload):
    private, auth = receiver(p)
    member, salt, public, body = draft_parts(payload, p["carriage"])
    need(acceptable_p256(public), "malformed", "12.20", "k")
    record = gcm(*draft_keys(agree(private, public), auth, public_bytes(private), public, salt), body, "12.21")
    end = 2 + int.from_bytes(record[:2], "big")
    need(end <= len(record) and not any(record[2:end]), "malformed", "12.22", member)
    return record[end:]


def seal_draft(p, plaintext, random, length):
    (private, auth), (member, _, encode) = receiver(p), CARRIAGES[p["carriage"]]
    salt, sender = random[:16], p256(random[16:])
    ours, theirs = public_bytes(private), public_bytes(sender)
    key, iv = draft_keys(agree(sender, ours), auth, ours, theirs, salt)
    count = length - 16 - 2 - len(plaintext)
    record = count.to_bytes(2, "big") + bytes(count) + plaintext
    return {member: encode(AESGCM(key).encrypt(iv, record, b"")), "k": encode(theirs), "s": encode(salt)}


# --- sodium-sealed-box

def box_bytes(payload, member):
    data = text_bytes(payload, member, base64_bytes)
    need(len(data) >= 48, "malformed", "12.24", member)
    return data


def open_sealed_box(p, payload):
    private = unb64(p["privateKey"])
    need(len(private) == 32, "refused", "12.23")
    data = box_bytes(payload, p.get("member", "sealed_box"))
    need(acceptable_x25519(data[:32]), "not-authentic", "12.25")
    public = nacl.bindings.crypto_scalarmult_base(private)
    nonce = hashlib.blake2b(data[:32] + public, digest_size=24).digest()
    try:
        return nacl.bindings.crypto_box_open(data[32:], nonce, data[:32], private)
    except CryptoError as error:
        raise NotOpened("not-authentic", "12.25") from error


def seal_sealed_box(p, plaintext, random):
    public = nacl.bindings.crypto_scalarmult_base(unb64(p["privateKey"]))
    sent = nacl.bindings.crypto_scalarmult_base(random)
    nonce = hashlib.blake2b(sent + public, digest_size=24).digest()
    data = sent + nacl.bindings.crypto_box(plaintext, nonce, public, random)
    return {p.get("member", "sealed_box"): base64.b64encode(data).decode()}


# --- zulip, home-assistant

def secret_box_bytes(payload, rule):
    data = text_bytes(payload, "encrypted_data", base64_bytes)
    need(len(data) >= 40, "malformed", rule, "encrypted_data")
    return data


def seal_secret_box(key, plaintext, nonce):
    data = nonce + nacl.bindings.crypto_secretbox(plaintext, nonce, key)
    return {"encrypted_data": base64.b64encode(data).decode()}


def zulip_keys(p):
    keys = {}
    for key in p["keys"]:
        try:
            raw = base64_bytes(key["pushKey"])
        except ValueError:
            raw = b""
        need(len(raw) == 33 and raw[0] == 0x31, "refused", "12.26")
        keys[key["id"]] = raw[1:]
    return keys


def zulip_parts(payload):
    need("push_key_id" in payload, "absent", "12.27")
    number = payload["push_key_id"]
    need(type(number) is int and 0 <= number < 2 ** 32, "malformed", "12.27", "push_key_id")
    return number, secret_box_bytes(payload, "12.28")


def open_zulip(p, payload):
    keys = zulip_keys(p)
    number, data = zulip_parts(payload)
    need(number in keys, "wrong-key", "12.29")
    return secret_box(keys[number], data, "12.30")


def home_assistant_key(p):
    secret = p["secret"].encode()
    if p["rule"] == "hexadecimal":
        need(re.fullmatch(rb"[0-9a-fA-F]{64}", secret), "refused", "12.31")
        return bytes.fromhex(secret.decode())
    need(secret, "refused", "12.31")
    return secret[:32].ljust(32, b"\0")


def home_assistant_data(payload):
    need("encrypted" in payload, "absent", "12.32")
    need(isinstance(payload["encrypted"], bool), "malformed", "12.32", "encrypted")
    need(payload["encrypted"], "absent", "12.32")
    return secret_box_bytes(payload, "12.33")


def open_home_assistant(p, payload):
    key, data = home_assistant_key(p), home_assistant_data(payload)
    if "webhook_id" in payload:
        need(isinstance(payload["webhook_id"], str), "malformed", "12.34", "webhook_id")
        need(p.get("webhookID", payload["webhook_id"]) == payload["webhook_id"], "wrong-key", "12.34")
    return secret_box(key, data, "12.35")


# --- all of them

def keeps(check, *arguments):
    try:
        check(*arguments)
    except NotOpened:
        return False
    return True


OPENERS = {"openssl-salted": open_salted, "bark": open_bark, "webpush-aes128gcm": open_standard,
           "webpush-aesgcm": open_draft, "sodium-sealed-box": open_sealed_box, "zulip": open_zulip,
           "home-assistant": open_home_assistant}

LOOKS = {"openssl-salted": looks_salted, "bark": looks_bark,
         "webpush-aes128gcm": lambda payload: any(keeps(standard_parts, payload, each) for each in CARRIAGES),
         "webpush-aesgcm": lambda payload: any(keeps(draft_parts, payload, each) for each in CARRIAGES),
         "sodium-sealed-box": lambda payload: keeps(box_bytes, payload, "sealed_box"),
         "zulip": lambda payload: keeps(zulip_parts, payload),
         "home-assistant": lambda payload: keeps(home_assistant_data, payload)}


def seal_again(format, p, plaintext, random, payload):
    """The members that a sealer makes from the same plaintext and the same random bytes."""
    if format.startswith("webpush"):
        member, decode, _ = CARRIAGES[p["carriage"]]
        seal = seal_standard if format == "webpush-aes128gcm" else seal_draft
        return seal(p, plaintext, random, len(decode(payload[member])))
    if format == "zulip":
        return seal_secret_box(zulip_keys(p)[payload["push_key_id"]], plaintext, random)
    if format == "home-assistant":
        return seal_secret_box(home_assistant_key(p), plaintext, random)
    seal = {"openssl-salted": seal_salted, "bark": seal_bark, "sodium-sealed-box": seal_sealed_box}[format]
    return seal(p, plaintext, random)
