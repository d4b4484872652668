"""X-Wing (FORMAT.md, section 4): ML-KEM-768 from `cryptography`, X25519 beside it, and what combines them."""
import functools
import hashlib

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import x25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from .curves import P, acceptable_x25519
from .errors import SealError

try:
    from cryptography.hazmat.primitives.asymmetric import mlkem
except ImportError:
    mlkem = None  # type: ignore[assignment]

PUBLIC, MLKEM_PUBLIC = 1216, 1184
COEFFICIENTS, Q = 1152, 3329
# One in every 24 bits, of as many as two coefficients have.
ONES = sum(1 << at for at in range(0, 8 * COEFFICIENTS, 24))
LABEL = rb"\.//^" + b"\\"


@functools.cache
def is_available() -> bool:
    """Whether this `cryptography`, and the library under it, have ML-KEM."""
    try:
        return mlkem is not None and mlkem.MLKEM768PrivateKey.generate() is not None
    except UnsupportedAlgorithm:
        return False


def acceptable_xwing(raw: bytes) -> bool:
    """Section 3: every coefficient is below q, and the part of X25519 is canonical and not of small order."""
    coefficients, point = int.from_bytes(raw[:COEFFICIENTS], "little"), raw[MLKEM_PUBLIC:]
    return (len(raw) == PUBLIC and _are_below_q(coefficients) and _are_below_q(coefficients >> 12)
            and int.from_bytes(point, "little") < P and acceptable_x25519(point))


def _are_below_q(coefficients: int) -> bool:
    """Whether every other number of 12 bits is: the 13th bit stays 0 if 4096 - q is added."""
    return (((coefficients & 0xFFF * ONES) + (4096 - Q) * ONES) >> 12) & ONES == 0


def encapsulate(recipient: bytes) -> tuple[bytes, bytes]:
    """A new shared secret, and the encapsulated key. `SealError` if ML-KEM is missing."""
    if not is_available():
        raise SealError("the suite xwing-aesgcm needs cryptography 48 or later, with ML-KEM: "
                        "pip install 'cryptography>=48'")
    ss_m, ct_m = mlkem.MLKEM768PublicKey.from_public_bytes(recipient[:MLKEM_PUBLIC]).encapsulate()
    ephemeral, pk_x = x25519.X25519PrivateKey.generate(), recipient[MLKEM_PUBLIC:]
    ct_x = ephemeral.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    ss_x = ephemeral.exchange(x25519.X25519PublicKey.from_public_bytes(pk_x))
    return combined(ss_m, ss_x, ct_x, pk_x), ct_m + ct_x


def combined(ss_m: bytes, ss_x: bytes, ct_x: bytes, pk_x: bytes) -> bytes:
    return hashlib.sha3_256(ss_m + ss_x + ct_x + pk_x + LABEL).digest()
