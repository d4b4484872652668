/**
 * The bytes of a base64url text by rule 2.1, or null. What else `Buffer` takes, such as padding, other alphabets and unused
 * bits, is written in another way when it is encoded again.
 */
export function decode(text) {
  if (typeof text !== "string") return null;
  const bytes = Buffer.from(text, "base64url");
  return encode(bytes) === text ? bytes : null;
}

/** The same, if there are as many bytes. */
export function decodeExactly(text, count) {
  const bytes = decode(text);
  return bytes !== null && bytes.length === count ? bytes : null;
}

export function encode(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64url");
}
