import { createHash, timingSafeEqual } from "node:crypto";
import * as aead from "./aead.mjs";
import { require } from "../../../Examples/node/lib/errors.mjs";
import { ascii, unsigned } from "../../../Examples/node/lib/bytes.mjs";
import { expand, extract } from "../../../Examples/node/lib/kdf.mjs";

const recordSize = 65536;
const headerLength = 21;

/** The file in a blob, by its descriptor (rules 10.9 to 10.13). */
export function openBlob(blob, { key, size, sha256 }) {
  require(blob.length === size, "10.9", "wrong-size");
  require(blob.readUInt32BE(16) === recordSize && blob[20] === 0, "10.10", "malformed-blob");
  const keys = recordKeys(key, blob.subarray(0, 16));
  const contents = [];
  for (let start = headerLength, number = 0; start < size; start += recordSize, number += 1) {
    const end = Math.min(start + recordSize, size);
    const plaintext = aead.open("aes-128-gcm", keys.key, keys.nonce(number), blob.subarray(start, end));
    require(plaintext !== null, "10.11", "not-authentic");
    contents.push(contentOf(plaintext, end === size ? 2 : 1));
  }
  require(timingSafeEqual(createHash("sha256").update(blob).digest(), sha256), "10.13", "wrong-digest");
  return Buffer.concat(contents);
}

/** The blob that a sealer makes from a file. */
export function sealBlob(file, key, salt) {
  const keys = recordKeys(key, salt);
  const parts = [salt, unsigned(recordSize, 4), Buffer.of(0)];
  for (let start = 0, number = 0; number === 0 || start < file.length; start += recordSize - 17, number += 1) {
    const content = file.subarray(start, start + recordSize - 17);
    const delimiter = start + content.length === file.length ? 2 : 1;
    parts.push(aead.seal("aes-128-gcm", keys.key, keys.nonce(number), Buffer.concat([content, Buffer.of(delimiter)])));
  }
  return Buffer.concat(parts);
}

/** RFC 8188, 2.2 and 2.3. */
function recordKeys(key, salt) {
  const prk = extract(salt, key);
  const base = expand(prk, Buffer.concat([ascii("Content-Encoding: nonce"), Buffer.of(0)]), 12);
  return {
    key: expand(prk, Buffer.concat([ascii("Content-Encoding: aes128gcm"), Buffer.of(0)]), 16),
    nonce: (number) => unsigned(BigInt("0x" + base.toString("hex")) ^ BigInt(number), 12),
  };
}

function contentOf(plaintext, delimiter) {
  let last = plaintext.length - 1;
  while (last >= 0 && plaintext[last] === 0) last -= 1;
  require(last >= 0 && plaintext[last] === delimiter, "10.12", "malformed-blob");
  return plaintext.subarray(0, last);
}
