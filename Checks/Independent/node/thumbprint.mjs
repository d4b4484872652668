import { createHash, hkdfSync } from "node:crypto";
import { decodeExactly } from "./base64url.mjs";

/** RFC 7638: the members in order, of coordinates in base64url. */
export function publicThumbprint({ kty, crv, x, y }) {
  const last = crv === "P-256" ? `,"y":"${y}"` : "";
  return createHash("sha256").update(`{"crv":"${crv}","kty":"${kty}","x":"${x}"${last}}`).digest();
}

/** Section 3: the thumbprint of a shared key; null for one that is refused. */
export function sharedThumbprint(text) {
  const key = decodeExactly(text, 32);
  if (key === null || key.every((byte) => byte === 0)) return null;
  return Buffer.from(hkdfSync("sha256", key, "", "sealed-push v1 shared id", 32));
}

/** A key id: the first 8 bytes of a thumbprint. */
export function keyID(thumbprint) {
  return thumbprint.subarray(0, 8);
}

