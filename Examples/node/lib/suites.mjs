/** The suites of section 2 for a device's keys, the preferred one first; `encapsulated` is N. */
export const suites = [
  { number: 0x01, name: "x25519-chachapoly", curve: "X25519", algorithm: "HPKE-4", encapsulated: 32,
    kem: 0x0020, aead: 0x0003, cipher: "chacha20-poly1305", newKey: ["x25519"] },
  { number: 0x02, name: "p256-aesgcm", curve: "P-256", algorithm: "HPKE-7", encapsulated: 65,
    kem: 0x0010, aead: 0x0002, cipher: "aes-256-gcm", newKey: ["ec", { namedCurve: "P-256" }] },
];
