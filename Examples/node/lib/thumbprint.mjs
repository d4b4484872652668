import { createHash } from "node:crypto";

/** RFC 7638, and RFC 9964, 6: the members in order, of keys in base64url. */
export function publicThumbprint({ kty, crv, x, y, alg, pub }) {
  if (kty === "AKP") return createHash("sha256").update(`{"alg":"${alg}","kty":"AKP","pub":"${pub}"}`).digest();
  const last = crv === "P-256" ? `,"y":"${y}"` : "";
  return createHash("sha256").update(`{"crv":"${crv}","kty":"${kty}","x":"${x}"${last}}`).digest();
}

/** A key id: the first 8 bytes of a thumbprint. */
export function keyID(thumbprint) {
  return thumbprint.subarray(0, 8);
}

