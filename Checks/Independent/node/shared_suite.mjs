import { hkdfSync, timingSafeEqual } from "node:crypto";
import { decodeExactly } from "../../../Examples/node/lib/base64url.mjs";
import * as aead from "./aead.mjs";
import { require } from "../../../Examples/node/lib/errors.mjs";

/** Opens a ciphertext of suite 0x10: the commitment first (rules 4.2 and 4.3). */
export function open(suite, recipient, encapsulated, info, ciphertext) {
  const [salt, commitment] = [encapsulated.subarray(0, 32), encapsulated.subarray(32)];
  const derived = Buffer.from(hkdfSync("sha256", recipient.secret, salt, info, 76));
  require(timingSafeEqual(derived.subarray(0, 32), commitment), "4.2", "not-authentic");
  const plaintext = aead.open(suite.cipher, derived.subarray(32, 64), derived.subarray(64), ciphertext);
  require(plaintext !== null, "4.3", "not-authentic");
  return plaintext;
}

/** Section 3: the thumbprint of a shared key; null if the key is refused. */
export function sharedThumbprint(text) {
  const key = decodeExactly(text, 32);
  if (key === null || key.every((byte) => byte === 0)) return null;
  return Buffer.from(hkdfSync("sha256", key, "", "sealed-push v1 shared id", 32));
}
