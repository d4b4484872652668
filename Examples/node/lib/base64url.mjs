const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The bytes of a base64url text by rule 2.1, or null. `Buffer` alone takes padding, other alphabets and unused bits. */
export function decode(text) {
  if (typeof text !== "string" || text.length % 4 === 1) return null;
  for (const character of text) if (!alphabet.includes(character)) return null;
  const bytes = Buffer.from(text, "base64url");
  return encode(bytes) === text ? bytes : null;
}

/** The same, if there are as many bytes. */
export function decodeExactly(text, count) {
  const bytes = decode(text);
  return bytes !== null && bytes.length === count ? bytes : null;
}

export function encode(bytes) {
  return Buffer.from(bytes).toString("base64url");
}
