import { createDecipheriv } from "node:crypto";
import { tagLength } from "../../../Examples/node/lib/aead.mjs";

export { seal, tagLength } from "../../../Examples/node/lib/aead.mjs";

/** The plaintext of a ciphertext followed by its tag, without additional data; null if it does not open. */
export function open(cipher, key, nonce, sealed) {
  const decipher = createDecipheriv(cipher, key, nonce, { authTagLength: tagLength });
  decipher.setAuthTag(sealed.subarray(sealed.length - tagLength));
  const plaintext = decipher.update(sealed.subarray(0, sealed.length - tagLength));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch {
    return null;
  }
}
