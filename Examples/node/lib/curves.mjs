import { createPublicKey } from "node:crypto";
import { encode } from "./base64url.mjs";
import { bigEndian, littleEndian } from "./bytes.mjs";

/** The prime of Curve25519 and edwards25519. */
const p = 2n ** 255n - 19n;
/** The order of their subgroups (RFC 8032, 5.1). */
const order = 2n ** 252n + 27742317777372353535851937790883648493n;
/** The prime of P-256, and b of its equation. */
const p256 = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const p256b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** Both points of order 8 of Curve25519, by u. */
const montgomeryOrder8 = [
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
].map((hex) => littleEndian(Buffer.from(hex, "hex")));

/** All four points of order 8 of edwards25519, by y. */
const edwardsOrder8 = [
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
].map((hex) => littleEndian(Buffer.from(hex, "hex")));

function withoutTopBit(bytes) {
  return littleEndian(bytes) & (2n ** 255n - 1n);
}

/** Whether an X25519 public key is the canonical encoding of its point (section 3). */
export function isCanonicalX25519(bytes) {
  return littleEndian(bytes) < p;
}

/** Rule 4.1: u is 0, 1, p - 1, p, p + 1 or one of order 8, with the top bit set or not. */
export function isSmallOrderX25519(bytes) {
  return [0n, 1n, p - 1n, ...montgomeryOrder8].includes(withoutTopBit(bytes) % p);
}

/**
 * A public key of X-Wing (section 3): each of ML-KEM's coefficients, two in three bytes, is below q, and X25519's part is
 * canonical and not of small order.
 */
export function isXWingKey(bytes) {
  if (bytes.length !== 1216) return false;
  for (let at = 0; at < 1152; at += 3) {
    const [a, b, c] = bytes.subarray(at, at + 3);
    if (a + 256 * (b % 16) >= 3329 || (b >> 4) + 16 * c >= 3329) return false;
  }
  const point = bytes.subarray(1184);
  return isCanonicalX25519(point) && !isSmallOrderX25519(point);
}

/** Whether 65 bytes that begin with 4 are a point whose coordinates are below p (rule 4.1). */
export function isP256Point(bytes) {
  if (bytes.length !== 65 || bytes[0] !== 4) return false;
  const [x, y] = [bigEndian(bytes.subarray(1, 33)), bigEndian(bytes.subarray(33))];
  return x < p256 && y < p256 && (y * y - (x * x * x - 3n * x + p256b)) % p256 === 0n;
}

/** The key of such bytes; null if they are no such point. */
export function p256Key(bytes) {
  if (!isP256Point(bytes)) return null;
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)];
  return createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: encode(x), y: encode(y) } });
}

/** Rule 5.9: a public key below p that is not of small order. */
export function isGoodEd25519Key(bytes) {
  return withoutTopBit(bytes) < p && !isSmallOrderEd25519(bytes);
}

/** Whether a point of edwards25519, canonical or not, is of small order. */
export function isSmallOrderEd25519(bytes) {
  return [0n, 1n, p - 1n, ...edwardsOrder8].includes(withoutTopBit(bytes) % p);
}

/** Rule 5.9: S is below L. */
export function isCanonicalScalar(bytes) {
  return littleEndian(bytes) < order;
}
