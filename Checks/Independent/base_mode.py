"""HPKE's base mode (RFC 9180) in one shot, of either suite, from HMAC-SHA-256, Diffie-Hellman and an AEAD."""
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305

ORDER_P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def mac(key, data):
    h = hmac.HMAC(key or bytes(32), hashes.SHA256())
    h.update(data)
    return h.finalize()


def extract(suite_id, salt, label, ikm):
    return mac(salt, b"HPKE-v1" + suite_id + label + ikm)


def expand(suite_id, prk, label, info, length):
    assert length <= 32  # so that the first block of HKDF-Expand is enough
    return mac(prk, length.to_bytes(2, "big") + b"HPKE-v1" + suite_id + label + info + b"\1")[:length]


def derive_key_pair(suite, ikm):
    """7.1.3: the private key and its serialised public key."""
    kem = b"KEM" + (0x20 if suite.id == 1 else 0x10).to_bytes(2, "big")
    prk = extract(kem, b"", b"dkp_prk", ikm)
    if suite.id == 1:
        key = x25519.X25519PrivateKey.from_private_bytes(expand(kem, prk, b"sk", b"", 32))
        return key, key.public_key().public_bytes_raw()
    for counter in range(256):
        scalar = int.from_bytes(expand(kem, prk, b"candidate", bytes([counter]), 32), "big")
        if 0 < scalar < ORDER_P256:
            key = ec.derive_private_key(scalar, ec.SECP256R1())
            point = key.public_key().public_numbers()
            return key, b"\4" + point.x.to_bytes(32, "big") + point.y.to_bytes(32, "big")
    raise ValueError("DeriveKeyPairError")


def exchange(suite, private, public_raw):
    if suite.id == 1:
        return private.exchange(x25519.X25519PublicKey.from_public_bytes(public_raw))
    return private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public_raw))


def schedule(suite, dh, enc, recipient_raw, info):
    """4.1, 5.1: the AEAD with its key, and the first nonce."""
    kem_id = 0x20 if suite.id == 1 else 0x10
    kem = b"KEM" + kem_id.to_bytes(2, "big")
    shared = expand(kem, extract(kem, b"", b"eae_prk", dh), b"shared_secret", enc + recipient_raw, 32)
    aead_id = 3 if suite.id == 1 else 2
    hpke = b"HPKE" + b"".join(n.to_bytes(2, "big") for n in (kem_id, 1, aead_id))
    context = b"\0" + extract(hpke, b"", b"psk_id_hash", b"") + extract(hpke, b"", b"info_hash", info)
    secret = extract(hpke, shared, b"secret", b"")
    key, nonce = expand(hpke, secret, b"key", context, 32), expand(hpke, secret, b"base_nonce", context, 12)
    return (ChaCha20Poly1305 if suite.id == 1 else AESGCM)(key), nonce


def seal_base(suite, ephemeral, enc, recipient_raw, info, plaintext, aad=b""):
    """6.1: Encap with a given ephemeral key, and one message."""
    aead, nonce = schedule(suite, exchange(suite, ephemeral, recipient_raw), enc, recipient_raw, info)
    return aead.encrypt(nonce, plaintext, aad)


def open_base(suite, private, enc, recipient_raw, info, ciphertext, aad=b""):
    """6.1: Decap, and one message. InvalidTag or ValueError if it does not open."""
    aead, nonce = schedule(suite, exchange(suite, private, enc), enc, recipient_raw, info)
    return aead.decrypt(nonce, ciphertext, aad)
