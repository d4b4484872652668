"""Authenticated encryption and HPKE: random keys, messages and changes to them, and others' results for them.

`cryptography` has OpenSSL's ChaCha20-Poly1305, and ours is libsodium's. For AES-GCM, XChaCha20 and XSalsa20 both sides use
the same library, in two builds: there, only the calls of it are compared. HPKE's other side is `cryptography` for messages
without `aad`, which it does not take, and base_mode.py for all.
"""
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from nacl import bindings
from nacl.exceptions import CryptoError

from base_mode import ORDER_P256, derive_key_pair, open_base, seal_base
import examples  # where sealedpush is
from sealedpush.curves import P256, SMALL_U
from differential_case import Case, Difference, altered, some_bytes
from sealed_push import SUITES


class XChaCha:
    def __init__(self, key):
        self.key = key

    def encrypt(self, nonce, text, data):
        return bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(text, data, nonce, self.key)

    def decrypt(self, nonce, text, data):
        return bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(text, data, nonce, self.key)


class XSalsa:
    def __init__(self, key):
        self.key = key

    def encrypt(self, nonce, text, _):
        return bindings.crypto_secretbox(text, nonce, self.key)

    def decrypt(self, nonce, text, _):
        return bindings.crypto_secretbox_open(text, nonce, self.key)


# The implementation, and the sizes of key and nonce.
AEADS = {"chacha20-poly1305": (ChaCha20Poly1305, 32, 12), "aes-128-gcm": (AESGCM, 16, 12),
         "aes-192-gcm": (AESGCM, 24, 12), "aes-256-gcm": (AESGCM, 32, 12),
         "xchacha20-poly1305": (XChaCha, 32, 24), "xsalsa20-poly1305": (XSalsa, 32, 24)}
REFUSALS = (InvalidTag, ValueError, CryptoError)


def or_none(work, *arguments):
    """The result in a list, or None if it is refused."""
    try:
        return [work(*arguments)]
    except REFUSALS:
        return None


def changed(rng, asked, names):
    """The question, with one of these members changed."""
    name = rng.choice(names)
    fixed = name in ("key", "nonce")  # our callers guarantee these sizes
    again = altered(rng, asked[name])
    while fixed and len(again) != len(asked[name]):
        again = altered(rng, asked[name])
    return {**asked, name: again}


def aead_case(rng):
    name = rng.choice(list(AEADS))
    make, key_size, nonce_size = AEADS[name]
    data = b"" if name == "xsalsa20-poly1305" else some_bytes(rng, 300)
    asked = {"key": rng.randbytes(key_size), "nonce": rng.randbytes(nonce_size), "data": data,
             "text": some_bytes(rng, 4096)}
    sealed = make(asked["key"]).encrypt(asked["nonce"], asked["text"], data)
    roll = rng.random()
    if roll < 0.4:
        return Case("aead-seal", asked, [sealed], name)
    asked["text"] = sealed
    if roll > 0.7:
        asked = changed(rng, asked, ("key", "nonce", "text") + (() if name == "xsalsa20-poly1305" else ("data",)))
        if rng.random() < 0.1:
            asked["text"] = sealed[:rng.randrange(17)]
    wanted = or_none(make(asked["key"]).decrypt, asked["nonce"], asked["text"], asked["data"])
    return Case("aead-open", asked, wanted, name, reasons={"notAuthentic"})


# --- HPKE

def private_key(rng, suite):
    """A private key, serialised and as `cryptography`'s; and the public key, serialised."""
    if suite.id == 1:
        raw = rng.randbytes(32)
        key = x25519.X25519PrivateKey.from_private_bytes(raw)
        return raw, key, key.public_key().public_bytes_raw()
    scalar = rng.randrange(1, ORDER_P256)
    key = ec.derive_private_key(scalar, ec.SECP256R1())
    point = key.public_key().public_numbers()
    return scalar.to_bytes(32, "big"), key, b"\4" + point.x.to_bytes(32, "big") + point.y.to_bytes(32, "big")


def bad_point(rng, suite, good):
    if suite.id == 1:
        return rng.choice([u.to_bytes(32, "little") for u in sorted(SMALL_U)])
    return rng.choice((altered(rng, good), bytes([2 + good[-1] % 2]) + good[1:33], b"\0", b"\4" + bytes(64), good[1:],
                       good[:33] + P256.to_bytes(32, "big"), bytes([6 + good[-1] % 2]) + good[1:]))


def usable(suite, raw):
    """Whether RFC 9180 accepts a serialised public key; `cryptography` also reads compressed points."""
    return len(raw) == (32 if suite.id == 1 else 65) and (suite.id == 1 or raw[0] == 4)


def seal(suite, asked):
    if not usable(suite, asked["publicKey"]):
        raise ValueError("another form")
    ephemeral, enc = derive_key_pair(suite, asked["ikm"])
    return seal_base(suite, ephemeral, enc, asked["publicKey"], asked["info"], asked["text"], asked["data"])


def open_it(suite, private, asked):
    enc, text = asked["encapsulatedKey"], asked["text"]
    if not usable(suite, enc):
        raise ValueError("another form")
    if asked["data"]:
        return open_base(suite, private, enc, asked["publicKey"], asked["info"], text, asked["data"])
    return suite.hpke.decrypt(enc + text, private, asked["info"])


def sealing(rng, suite):
    _, private, public = private_key(rng, suite)
    asked = {"publicKey": public, "info": some_bytes(rng, 200), "text": some_bytes(rng, 2048), "ikm": rng.randbytes(32),
             "data": some_bytes(rng, 100) if rng.random() < 0.5 else b""}
    if rng.random() < 0.2:
        asked["publicKey"] = bad_point(rng, suite, public)
    wanted = or_none(seal, suite, asked)
    if wanted:
        wanted.insert(0, derive_key_pair(suite, asked["ikm"])[1])

    def opens(sealed):
        message = {**asked, "encapsulatedKey": sealed[0], "text": sealed[1]}
        if or_none(open_it, suite, private, message) != [asked["text"]]:
            raise Difference("the other does not open it")
        if or_none(open_it, suite, private, changed(rng, message, ("encapsulatedKey", "text", "info"))) is not None:
            raise Difference("the other opens it altered")

    return Case("hpke-seal", asked, wanted, suite.name, reasons={"invalidPublicKey"}, also=opens)


def opening(rng, suite):
    raw, private, public = private_key(rng, suite)
    info, text = some_bytes(rng, 200), some_bytes(rng, 2048)
    data = some_bytes(rng, 100) if rng.random() < 0.5 else b""
    if data:
        ephemeral, enc = derive_key_pair(suite, rng.randbytes(32))
        sealed = seal_base(suite, ephemeral, enc, public, info, text, data)
    else:
        whole = suite.hpke.encrypt(text, private.public_key(), info)
        enc, sealed = whole[:suite.enc], whole[suite.enc:]
    asked = {"privateKey": raw, "publicKey": public, "encapsulatedKey": enc, "info": info, "data": data, "text": sealed}
    roll = rng.random()
    if roll < 0.4:
        asked = changed(rng, asked, ("encapsulatedKey", "info", "data", "text"))
    elif roll < 0.5:
        asked["encapsulatedKey"] = bad_point(rng, suite, enc)
    return Case("hpke-open", asked, or_none(open_it, suite, private, asked), suite.name,
                reasons={"invalidPublicKey", "notAuthentic"})


def hpke_case(rng):
    return rng.choice((sealing, opening))(rng, SUITES[rng.choice(("x25519-chachapoly", "p256-aesgcm"))])
