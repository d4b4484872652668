/** An unsigned integer, big endian. */
export function unsigned(value, count) {
  return Buffer.from(BigInt(value).toString(16).padStart(2 * count, "0"), "hex");
}

/** The value of bytes that are big endian. */
export function bigEndian(bytes) {
  return BigInt("0x" + (Buffer.from(bytes).toString("hex") || "0"));
}

/** The value of bytes that are little endian. */
export function littleEndian(bytes) {
  return bigEndian(Buffer.from(bytes).reverse());
}

export function ascii(text) {
  return Buffer.from(text, "latin1");
}
