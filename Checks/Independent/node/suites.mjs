/** The suites of section 2, by their numbers; `encapsulated` is N. */
export const suites = new Map([
  [0x01, { number: 0x01, name: "x25519-chachapoly", curve: "X25519", algorithm: "HPKE-4", encapsulated: 32,
    kem: 0x0020, aead: 0x0003, cipher: "chacha20-poly1305" }],
  [0x02, { number: 0x02, name: "p256-aesgcm", curve: "P-256", algorithm: "HPKE-7", encapsulated: 65,
    kem: 0x0010, aead: 0x0002, cipher: "aes-256-gcm" }],
  [0x10, { number: 0x10, name: "shared-chachapoly", algorithm: "shared-chachapoly", encapsulated: 64,
    cipher: "chacha20-poly1305" }],
]);
