"""X25519, P-256 and Ed25519 that refuse nothing, from the curves' equations.

Libraries refuse some of what FORMAT.md refuses, and not all of them the same. With these in their place, nothing is
refused but by the rules themselves: [4.1], [5.9]. They are slow and not constant time.
"""
import hashlib

from sealedpush.curves import D, L, P, P256, P256_B, sqrt_mod

P256_A = -3


def x25519(scalar: bytes, u: bytes) -> bytes:
    """RFC 7748, 5: the ladder. The top bit of u is ignored, and u is reduced."""
    k = int.from_bytes(scalar, "little") & ~7 & (2 ** 255 - 1) | 2 ** 254
    x1 = int.from_bytes(u, "little") % 2 ** 255 % P
    x2, z2, x3, z3 = 1, 0, x1, 1
    for at in reversed(range(255)):
        if k >> at & 1:
            x2, z2, x3, z3 = *ladder(x1, x3, z3, x2, z2)[2:], *ladder(x1, x3, z3, x2, z2)[:2]
        else:
            x2, z2, x3, z3 = ladder(x1, x2, z2, x3, z3)
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def ladder(x1, x2, z2, x3, z3):
    """The double of the first point, and the sum of both."""
    a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
    aa, bb, da, cb = a * a, b * b, d * a, c * b
    e = aa - bb
    return aa * bb % P, e * (aa + 121665 * e) % P, (da + cb) ** 2 % P, x1 * (da - cb) ** 2 % P


def p256(scalar: int, point: bytes) -> bytes:
    """The x coordinate of a product. Coordinates are reduced, and the point may be on another curve (another b)."""
    added = int.from_bytes(point[1:33], "big") % P256, int.from_bytes(point[33:], "big") % P256
    total = None
    while scalar:
        if scalar & 1:
            total = p256_sum(total, added)
        added, scalar = p256_sum(added, added), scalar >> 1
    return (total[0] if total else 0).to_bytes(32, "big")


def p256_sum(one, other):
    if one is None or other is None:
        return one or other
    (x1, y1), (x2, y2) = one, other
    if x1 == x2 and (y1 + y2) % P256 == 0:
        return None
    slope = (3 * x1 * x1 + P256_A) * pow(2 * y1, -1, P256) if one == other else (y2 - y1) * pow(x2 - x1, -1, P256)
    x3 = (slope * slope - x1 - x2) % P256
    return x3, (slope * (x1 - x3) - y1) % P256


def ed25519_is_valid(public: bytes, signature: bytes, message: bytes) -> bool:
    """[5.9]'s equation, S B = R + k A, and no other rule. Encodings are reduced."""
    r, a = edwards_point(signature[:32]), edwards_point(public)
    if r is None or a is None:
        return False
    k = hashlib.sha512(signature[:32] + public + message).digest()
    k = int.from_bytes(k, "little") % L
    s = int.from_bytes(signature[32:64], "little")
    return same(edwards_product(s, BASE), edwards_sum(r, edwards_product(k, a)))


def same(one, other):
    """Whether two points are one: the equation without the cofactor."""
    return affine(one) == affine(other)


def edwards_point(raw: bytes):
    """RFC 8032, 5.1.3, without its step 1 and without the check of a zero's sign; None if there is no such point."""
    number = int.from_bytes(raw, "little")
    y, sign = number % 2 ** 255 % P, number >> 255
    x = sqrt_mod((y * y - 1) * pow(D * y * y + 1, -1, P) % P)
    if x is None:
        return None
    x = P - x if x & 1 != sign else x
    return x % P, y, 1, x * y % P


def edwards_sum(one, other):
    """RFC 8032, 5.1.4."""
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b, c, d = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2), 2 * t1 * D * t2, 2 * z1 * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def edwards_product(scalar: int, point):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = edwards_sum(total, point)
        point, scalar = edwards_sum(point, point), scalar >> 1
    return total


def affine(point):
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return x * inverse % P, y * inverse % P


BASE = edwards_point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
