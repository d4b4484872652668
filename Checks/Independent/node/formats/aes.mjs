import { createDecipheriv } from "node:crypto";
import * as aead from "../aead.mjs";
import { FormatFault, require } from "./format_fault.mjs";

/** CBC with PKCS #7 padding (rule 12.7). */
export function openCBC(key, iv, bytes, rule) {
  const decipher = createDecipheriv(`aes-${8 * key.length}-cbc`, key, iv).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(bytes), decipher.final()]);
  const count = padded[padded.length - 1];
  const isPadding = count >= 1 && count <= 16 && padded.subarray(padded.length - count).every((byte) => byte === count);
  require(isPadding, rule, "not-authentic");
  return padded.subarray(0, padded.length - count);
}

export function openGCM(key, iv, bytes, rule) {
  const plaintext = aead.open(`aes-${8 * key.length}-gcm`, key, iv, bytes);
  if (plaintext === null) throw new FormatFault(rule, "not-authentic");
  return plaintext;
}
