/**
 * The suites of section 2 for a device's keys, the preferred one first; `kind` is what key_set.mjs calls the keys,
 * `encapsulated` is N. Nothing can be sealed with X-Wing here, because `node:crypto` has no ML-KEM.
 */
export const suites = [
  { number: 0x03, name: "xwing-aesgcm", kind: "xwing-aesgcm", algorithm: "xwing-aesgcm", encapsulated: 1120,
    isMissing: true },
  { number: 0x01, name: "x25519-chachapoly", kind: "X25519", algorithm: "HPKE-4", encapsulated: 32,
    kem: 0x0020, aead: 0x0003, cipher: "chacha20-poly1305", newKey: ["x25519"] },
  { number: 0x02, name: "p256-aesgcm", kind: "P-256", algorithm: "HPKE-7", encapsulated: 65,
    kem: 0x0010, aead: 0x0002, cipher: "aes-256-gcm", newKey: ["ec", { namedCurve: "P-256" }] },
];
