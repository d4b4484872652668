"""What the format refuses whatever a library does ([4.1], [5.9]), from the curves' public constants."""
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ed25519

P = 2 ** 255 - 19
L = 2 ** 252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def sqrt_mod(a: int) -> int | None:
    """A square root modulo 2^255 - 19, or None."""
    root = pow(a, (P + 3) // 8, P)
    for candidate in (root, root * pow(2, (P - 1) // 4, P) % P):
        if candidate * candidate % P == a % P:
            return candidate
    return None


def order_8() -> tuple[int, int]:
    """y of Ed25519's points of order 8: doubling gives y = 0, so d y^4 + 2 y^2 - 1 = 0."""
    root = sqrt_mod(1 + D)
    assert root is not None
    for r in (root, -root):
        y = sqrt_mod((r - 1) * pow(D, -1, P) % P)
        if y is not None:
            return y, P - y
    raise AssertionError


Y8 = order_8()
SMALL_Y = {0, 1, P - 1, *Y8}
SMALL_U = {0, 1, P - 1, P, P + 1, *((1 + y) * pow(1 - y, -1, P) % P for y in Y8)}
P256 = 2 ** 256 - 2 ** 224 + 2 ** 192 + 2 ** 96 - 1
P256_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B


def acceptable_x25519(raw: bytes) -> bool:
    return len(raw) == 32 and int.from_bytes(raw, "little") % 2 ** 255 not in SMALL_U


def acceptable_p256(raw: bytes) -> bool:
    if len(raw) != 65 or raw[0] != 4:
        return False
    x, y = int.from_bytes(raw[1:33], "big"), int.from_bytes(raw[33:], "big")
    return x < P256 and y < P256 and (y * y - (x * x * x - 3 * x + P256_B)) % P256 == 0


def acceptable_ed25519(raw: bytes) -> bool:
    y = int.from_bytes(raw, "little") % 2 ** 255
    return len(raw) == 32 and y < P and y not in SMALL_Y


def verify_ed25519(public: bytes, signature: bytes, message: bytes) -> bool:
    """[5.9] The equation without the cofactor is OpenSSL's; what is refused besides is refused here."""
    r = int.from_bytes(signature[:32], "little") % 2 ** 255
    if len(signature) != 64 or not acceptable_ed25519(public) or r % P in SMALL_Y:
        return False
    if int.from_bytes(signature[32:], "little") >= L:
        return False
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False
