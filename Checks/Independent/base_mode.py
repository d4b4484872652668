"""What checks need beside the HPKE of Examples/python: keys that are derived, and opening."""
from cryptography.hazmat.primitives.asymmetric import ec, x25519

import examples  # where sealedpush is
from sealedpush.hpke import exchange, expand, extract, mac, schedule, seal_base

ORDER_P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


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


def open_base(suite, private, enc, recipient_raw, info, ciphertext, aad=b""):
    """6.1: Decap, and one message. InvalidTag or ValueError if it does not open."""
    aead, nonce = schedule(suite, exchange(private, enc), enc, recipient_raw, info)
    return aead.decrypt(nonce, ciphertext, aad)
