"""HPKE's base mode (RFC 9180) in one shot, of every suite, from HMAC-SHA-256, a KEM and an AEAD.

Not the library's own: only its newest releases have HPKE.
"""
from dataclasses import dataclass
from typing import Protocol

from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from . import xwing

PrivateKey = x25519.X25519PrivateKey | ec.EllipticCurvePrivateKey


class HasID(Protocol):
    @property
    def id(self) -> int: ...


@dataclass(frozen=True)
class Suite:
    """A suite of FORMAT.md's section 2 for keys of a device; `kind` is what keys.py calls them, `encapsulated` is N."""

    id: int
    name: str
    kind: str
    encapsulated: int

    @property
    def is_available(self) -> bool:
        """Whether this `cryptography` has what the suite needs."""
        return self.id != 3 or xwing.is_available()


# The preferred one first.
SUITES = {suite.name: suite for suite in (
    Suite(3, "xwing-aesgcm", "xwing-aesgcm", 1120), Suite(1, "x25519-chachapoly", "X25519", 32),
    Suite(2, "p256-aesgcm", "P-256", 65))}
KEM_IDS = {1: 0x20, 2: 0x10, 3: 0x647A}


def mac(key: bytes, data: bytes) -> bytes:
    h = hmac.HMAC(key or bytes(32), hashes.SHA256())
    h.update(data)
    return h.finalize()


def extract(suite_id: bytes, salt: bytes, label: bytes, ikm: bytes) -> bytes:
    return mac(salt, b"HPKE-v1" + suite_id + label + ikm)


def expand(suite_id: bytes, prk: bytes, label: bytes, info: bytes, length: int) -> bytes:
    assert length <= 32  # so that the first block of HKDF-Expand is enough
    return mac(prk, length.to_bytes(2, "big") + b"HPKE-v1" + suite_id + label + info + b"\1")[:length]


def generate(suite: HasID) -> tuple[PrivateKey, bytes]:
    """A new private key, and its public key in HPKE's form."""
    if suite.id == 1:
        key = x25519.X25519PrivateKey.generate()
        return key, key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    private = ec.generate_private_key(ec.SECP256R1())
    return private, private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def exchange(private: PrivateKey, public_raw: bytes) -> bytes:
    if isinstance(private, x25519.X25519PrivateKey):
        return private.exchange(x25519.X25519PublicKey.from_public_bytes(public_raw))
    return private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public_raw))


def extract_and_expand(suite: HasID, dh: bytes, enc: bytes, recipient_raw: bytes) -> bytes:
    """4.1: the shared secret of a KEM that is made of Diffie-Hellman."""
    kem = b"KEM" + KEM_IDS[suite.id].to_bytes(2, "big")
    return expand(kem, extract(kem, b"", b"eae_prk", dh), b"shared_secret", enc + recipient_raw, 32)


def encapsulate(suite: HasID, recipient_raw: bytes) -> tuple[bytes, bytes]:
    """Encap, with a new ephemeral key: the shared secret and the encapsulated key."""
    if suite.id == 3:
        return xwing.encapsulate(recipient_raw)
    ephemeral, enc = generate(suite)
    return extract_and_expand(suite, exchange(ephemeral, recipient_raw), enc, recipient_raw), enc


def schedule(suite: HasID, shared: bytes, info: bytes) -> tuple[AESGCM | ChaCha20Poly1305, bytes]:
    """5.1: the AEAD with its key, and the first nonce."""
    aead_id = 3 if suite.id == 1 else 2
    hpke = b"HPKE" + b"".join(n.to_bytes(2, "big") for n in (KEM_IDS[suite.id], 1, aead_id))
    context = b"\0" + extract(hpke, b"", b"psk_id_hash", b"") + extract(hpke, b"", b"info_hash", info)
    secret = extract(hpke, shared, b"secret", b"")
    key, nonce = expand(hpke, secret, b"key", context, 32), expand(hpke, secret, b"base_nonce", context, 12)
    return (ChaCha20Poly1305 if suite.id == 1 else AESGCM)(key), nonce


def seal(suite: HasID, shared: bytes, info: bytes, plaintext: bytes, aad: bytes = b"") -> bytes:
    """6.1: one message, with a shared secret that nothing else may use."""
    aead, nonce = schedule(suite, shared, info)
    return aead.encrypt(nonce, plaintext, aad)
