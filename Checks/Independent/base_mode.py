"""HPKE that checks need beside that of Examples/python: deriving keys, and opening."""
from cryptography.hazmat.primitives.asymmetric import ec, x25519

import examples  # where sealedpush is
import ml_kem
from sealedpush import xwing
from sealedpush.hpke import KEM_IDS, exchange, expand, extract, extract_and_expand, mac, schedule, seal

ORDER_P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def derive_key_pair(suite, ikm):
    """7.1.3 Returns the private key and its serialised public key."""
    kem = b"KEM" + KEM_IDS[suite.id].to_bytes(2, "big")
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


def encapsulate_again(suite, seed, recipient_raw, top_bit=0):
    """Encap with a vector's randomness: `ikmE`, or X-Wing's `eseed`. Returns the shared secret and the encapsulated key.

    `top_bit` is set in the encapsulated key of X25519 or in X-Wing's ct_X, which no sealer does, and bound.
    """
    if suite.id != 3:
        ephemeral, enc = derive_key_pair(suite, seed)
        enc = enc[:31] + bytes([enc[31] | top_bit]) + enc[32:]
        return extract_and_expand(suite, exchange(ephemeral, recipient_raw), enc, recipient_raw), enc
    ss_m, ct_m = ml_kem.encapsulate(recipient_raw[:1184], seed[:32])
    ephemeral, pk_x = x25519.X25519PrivateKey.from_private_bytes(seed[32:]), recipient_raw[1184:]
    ct_x = ephemeral.public_key().public_bytes_raw()
    ct_x = ct_x[:31] + bytes([ct_x[31] | top_bit])
    ss_x = ephemeral.exchange(x25519.X25519PublicKey.from_public_bytes(pk_x))
    return xwing.combined(ss_m, ss_x, ct_x, pk_x), ct_m + ct_x


def seal_base(suite, ephemeral, enc, recipient_raw, info, plaintext, aad=b""):
    """6.1 Encapsulates with an ephemeral key, and seals one message."""
    shared = extract_and_expand(suite, exchange(ephemeral, recipient_raw), enc, recipient_raw)
    return seal(suite, shared, info, plaintext, aad)


def open_base(suite, private, enc, recipient_raw, info, ciphertext, aad=b""):
    """6.1 Decapsulates, and opens one message; InvalidTag or ValueError if it does not open."""
    shared = extract_and_expand(suite, exchange(private, enc), enc, recipient_raw)
    aead, nonce = schedule(suite, shared, info)
    return aead.decrypt(nonce, ciphertext, aad)
