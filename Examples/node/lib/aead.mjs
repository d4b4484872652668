import { createCipheriv } from "node:crypto";

export const tagLength = 16;

/** The ciphertext with its tag behind it, without additional data. */
export function seal(cipher, key, nonce, plaintext) {
  const encipher = createCipheriv(cipher, key, nonce, { authTagLength: tagLength });
  return Buffer.concat([encipher.update(plaintext), encipher.final(), encipher.getAuthTag()]);
}
