"""The secrets between a recipient's key and a message's key: RFC 9180, 4.1 and 5.1."""
import hmac, struct

from cryptography.hazmat.primitives.asymmetric import ec, x25519

import sealed_push

IDS = {"x25519": (0x20, 1, 3, 32, "X25519"), "p256": (0x10, 1, 2, 65, "P-256")}
HEAD = 10  # bytes of an envelope before the encapsulated key


def extract(suite, salt, label, secret):
    return hmac.digest(salt, b"HPKE-v1" + suite + label + secret, "sha256")


def expand(suite, secret, label, info):
    data = struct.pack(">H", 32) + b"HPKE-v1" + suite + label + info
    return hmac.digest(secret, data + b"\1", "sha256")


def exchange(key, enc):
    private = sealed_push.private_key(key)
    if key["crv"] == "X25519":
        return private.exchange(x25519.X25519PublicKey.from_public_bytes(enc))
    return private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), enc))


def agreed(name, key, envelope, topic):
    """The secrets by their names in the RFC; none if the key is for another suite."""
    sealed = envelope[HEAD:]
    if name == "shared":
        info = sealed_push.binding(topic, sealed_push.SUITES["shared-chachapoly"], key)
        return {"message key": sealed_push.schedule(sealed[:32], sealed_push.shared_key(key), info)[1]}
    kem, kdf, aead, size, curve = IDS[name]
    if key["crv"] != curve:
        return {}
    enc, suite = sealed[:size], next(each for each in sealed_push.SUITES.values() if each.kind == curve)
    info = sealed_push.binding(topic, suite, key)
    of_kem, of_hpke = b"KEM" + struct.pack(">H", kem), b"HPKE" + struct.pack(">HHH", kem, kdf, aead)
    dh = exchange(key, enc)
    prk = extract(of_kem, b"", b"eae_prk", dh)
    shared = expand(of_kem, prk, b"shared_secret", enc + sealed_push.public_raw(key))
    context = b"\0" + extract(of_hpke, b"", b"psk_id_hash", b"") + extract(of_hpke, b"", b"info_hash", info)
    secret = extract(of_hpke, shared, b"secret", b"")
    return {"dh": dh, "eae_prk": prk, "shared_secret": shared, "secret": secret,
            "message key": expand(of_hpke, secret, b"key", context)}
