"""Thumbprints: random JWK Sets, RFC 7638 in a few lines, and the rules by which ours accepts fewer keys."""
import hashlib, json

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, x25519

import differential_json_texts as texts
import examples  # where sealedpush is
from sealedpush.curves import P, SMALL_U, SMALL_Y, acceptable_ed25519, acceptable_x25519
from differential_base64url import encode
from differential_ciphers import private_key
from differential_case import Case, altered
from sealed_push import SUITES, unb64

KINDS = {"X25519": ("OKP", "HPKE-4", "enc"), "P-256": ("EC", "HPKE-7", "enc"), "Ed25519": ("OKP", "EdDSA", "sig")}
# Coordinates of small order, beyond the field's end, or with the bit that X25519 ignores.
SMALL = {"X25519": sorted(SMALL_U), "Ed25519": sorted(SMALL_Y), "P-256": [0]}
BEYOND = [*range(P, 2 ** 255), 2 ** 255 + 9]
PRIVATE = ("d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv")


# --- the other implementation

def read_key(jwk):
    """The public key for `cryptography`; ValueError if it is not a valid one."""
    kind, x = KINDS[jwk["crv"]][0], unb64(jwk["x"])
    if jwk["kty"] != kind or len(x) != 32:
        raise ValueError("not a key of its curve")
    if jwk["crv"] != "P-256":
        kinds = {"X25519": x25519.X25519PublicKey, "Ed25519": ed25519.Ed25519PublicKey}
        return kinds[jwk["crv"]].from_public_bytes(x)
    y = unb64(jwk["y"])
    if len(y) != 32:
        raise ValueError("a coordinate of another size")
    point = int.from_bytes(x, "big"), int.from_bytes(y, "big")
    return ec.EllipticCurvePublicNumbers(*point, ec.SECP256R1()).public_key()


def thumbprint(jwk):
    """RFC 7638, 3: the hash of the required members, in the order of their names."""
    read_key(jwk)
    names = sorted(("crv", "kty", "x", "y") if jwk["kty"] == "EC" else ("crv", "kty", "x"))
    return hashlib.sha256(json.dumps({name: jwk[name] for name in names}, separators=(",", ":")).encode()).digest()


def broken_rules(jwk, at):
    """The names of the rules that a key breaks, with the reason that ours may give: that of the first broken rule."""
    found, raw = {}, unb64(jwk["x"])
    _, algorithm, use = KINDS[jwk["crv"]]
    if any(name in jwk for name in PRIVATE):
        found["a private member"] = {
            f"key set: key {at} is private where a public key is expected; anyone who received it can open or sign"}
    for name, right in (("alg", algorithm), ("use", use)):
        if jwk.get(name, right) != right:
            found[f"another {name}"] = {wrong(at, name)}
    if jwk["kty"] == "OKP" and "y" in jwk:
        found["y beside a key without"] = {wrong(at, "y")}
    acceptable = {"X25519": lambda: acceptable_x25519(raw) and int.from_bytes(raw, "little") < P,
                  "Ed25519": lambda: acceptable_ed25519(raw)}.get(jwk["crv"], lambda: True)
    if not acceptable():
        found["small order, or not canonical"] = {wrong(at, "x")}
    if "kid" in jwk and jwk["kid"] != encode(thumbprint(jwk)).decode():
        found["a kid that is not the thumbprint"] = {
            f"key set: key {at}: 'kid' must be the key's thumbprint, {encode(thumbprint(jwk)).decode()}; "
            "a public key may leave it out"}
    return found


def wrong(at, member):
    return f"key set: key {at}: '{member}' is missing or wrong"


def judge(jwks):
    """The thumbprints, or None; and the rules that the keys break."""
    try:
        wanted = [thumbprint(jwk) for jwk in jwks]
    except (KeyError, TypeError, ValueError):
        return None, {}
    rules = {}
    for at, jwk in enumerate(jwks):
        for rule, reasons in broken_rules(jwk, at).items():
            rules.setdefault(rule, set()).update(reasons)
    curves = [jwk["crv"] for jwk in jwks]
    if len(set(wanted)) < len(wanted):
        rules["a key twice"] = {"key set: a key is duplicated"}
    if "Ed25519" in curves and set(curves) != {"Ed25519"}:
        rules["devices' and senders' keys"] = {"key set: keys of devices, senders, roots and so on cannot share a set"}
    elif any(curves.count(curve) > 1 for curve in ("X25519", "P-256")):
        rules["two active keys of a device"] = {"key set: two keys of a suite are active"}
    return wanted, rules


# --- sets

def new_key(rng, curve):
    if curve == "Ed25519":
        key = ed25519.Ed25519PrivateKey.from_private_bytes(rng.randbytes(32)).public_key().public_bytes_raw()
    else:
        key = private_key(rng, SUITES["x25519-chachapoly" if curve == "X25519" else "p256-aesgcm"])[2]
    kind, algorithm, use = KINDS[curve]
    jwk = {"kty": kind, "crv": curve}
    jwk |= {"x": b64(key)} if curve != "P-256" else {"x": b64(key[1:33]), "y": b64(key[33:])}
    more = {"alg": algorithm, "use": use, "kid": b64(thumbprint(jwk)), "status": "active",
            "iat": rng.randrange(2 ** 32)}
    return jwk | {name: value for name, value in more.items() if rng.random() < 0.4}


def b64(raw):
    return encode(raw).decode()


def spoiled(rng, jwk):
    """The key with one fault."""
    x = jwk["x"]
    if rng.random() < 0.25:
        edge = rng.choice(rng.choice((SMALL[jwk["crv"]], BEYOND))).to_bytes(32, "little")
        return {**{name: value for name, value in jwk.items() if name != "kid"}, "x": b64(edge)}
    wrong = {
        rng.choice(PRIVATE): "AQAB", "k": b64(rng.randbytes(32)),
        "kid": b64(rng.randbytes(32)), "y": b64(rng.randbytes(32)),
        "alg": rng.choice(("ES256", "HPKE-1", "EdDSA", "HPKE-4")), "use": rng.choice(("enc", "sig", "")),
        "x": rng.choice((x + "=", x[:-1], x[:-1] + "_", b64(rng.randbytes(31)), b64(altered(rng, unb64(x))), 1, None)),
        "crv": rng.choice(("P-384", "X448", "p-256", *KINDS)), "kty": rng.choice(("OKP", "EC", "RSA", "oct", "ec"))}
    changed = {**jwk, **dict([rng.choice(list(wrong.items()))])}
    if rng.random() < 0.1:
        del changed[rng.choice(("kty", "crv", "x"))]
    return changed


def written(rng, jwk):
    """The key in JSON, with its members in any order, and other members."""
    text = lambda value: texts.spelled(rng, value) if isinstance(value, str) else json.dumps(value).encode()
    members = [texts.member(rng, name, text(value)) for name, value in jwk.items()]
    members += [texts.member(rng, name, texts.value(rng, 4)) for name in rng.sample(texts.NAMES, rng.randrange(3))]
    members += [texts.member(rng, "x5u", texts.value(rng, 3))] if rng.random() < 0.2 else []
    rng.shuffle(members)
    return texts.container(rng, members, b"{}")


def case(rng):
    curves = rng.choice((("X25519",), ("P-256",), ("X25519", "P-256"), ("P-256", "X25519"),
                         *[("Ed25519",) * rng.randint(1, 3)] * 2, ("X25519", "X25519"), rng.choices(list(KINDS), k=2)))
    jwks = [new_key(rng, curve) for curve in curves]
    if rng.random() < 0.5:
        at = rng.randrange(len(jwks))
        jwks[at] = spoiled(rng, jwks[at])
    elif curves[0] == "Ed25519" and rng.random() < 0.4:
        jwks.append(jwks[0])
    wanted, rules = judge(jwks)
    members = [texts.member(rng, "keys", texts.container(rng, (written(rng, jwk) for jwk in jwks), b"[]"))]
    members += [b'"v":1'] if rng.random() < 0.5 else []
    members += [texts.member(rng, name, texts.value(rng, 4)) for name in rng.sample(texts.NAMES, rng.randrange(3))]
    rng.shuffle(members)
    return Case("thumbprints", {"set": texts.container(rng, members, b"{}")}, wanted, stricter=rules)
