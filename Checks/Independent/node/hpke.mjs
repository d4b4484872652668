import { createPublicKey, diffieHellman } from "node:crypto";
import * as aead from "./aead.mjs";
import { encode } from "./base64url.mjs";
import { require } from "./broken.mjs";
import { ascii, unsigned } from "./bytes.mjs";
import { isSmallOrderX25519, p256Key } from "./curves.mjs";
import { expand, extract } from "./kdf.mjs";

const version = ascii("HPKE-v1");

/** RFC 9180, 4. */
export function labeledExtract(suiteID, salt, label, keyMaterial) {
  return extract(salt, Buffer.concat([version, suiteID, ascii(label), keyMaterial]));
}

/** RFC 9180, 4. */
export function labeledExpand(suiteID, key, label, info, count) {
  return expand(key, Buffer.concat([unsigned(count, 2), version, suiteID, ascii(label), info]), count);
}

/** RFC 9180, 4.1: the id of a key encapsulation by itself. */
export function kemID(suite) {
  return Buffer.concat([ascii("KEM"), unsigned(suite.kem, 2)]);
}

/** RFC 9180, 5.1 and 6.1: opens a ciphertext in base mode, with no additional data (rule 4.1). */
export function open(suite, recipient, encapsulated, info, ciphertext) {
  const shared = decapsulate(suite, recipient, encapsulated);
  const { key, nonce } = keySchedule(suite, shared, info);
  const plaintext = aead.open(suite.cipher, key, nonce, ciphertext);
  require(plaintext !== null, "4.1", "not-authentic");
  return plaintext;
}

/** RFC 9180, 4.1. The encapsulated key goes into the context as it was sent. */
function decapsulate(suite, recipient, encapsulated) {
  const ephemeral = suite.curve === "X25519" ? x25519Key(encapsulated) : p256Key(encapsulated);
  require(ephemeral !== null, "4.1", "not-authentic");
  let secret;
  try {
    secret = diffieHellman({ privateKey: recipient.privateKey, publicKey: ephemeral });
  } catch {
    secret = Buffer.alloc(32);
  }
  require(secret.some((byte) => byte !== 0), "4.1", "not-authentic");
  const id = kemID(suite);
  const context = Buffer.concat([encapsulated, recipient.publicBytes]);
  return labeledExpand(id, labeledExtract(id, "", "eae_prk", secret), "shared_secret", context, 32);
}

function x25519Key(bytes) {
  if (isSmallOrderX25519(bytes)) return null;
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "X25519", x: encode(bytes) } });
}

/** RFC 9180, 5.1, with mode 0, no pre-shared key and HKDF-SHA256. The first nonce is the base nonce. */
export function keySchedule(suite, shared, info) {
  const id = Buffer.concat([ascii("HPKE"), unsigned(suite.kem, 2), unsigned(0x0001, 2), unsigned(suite.aead, 2)]);
  const none = Buffer.alloc(0);
  const context = Buffer.concat([
    Buffer.of(0), labeledExtract(id, "", "psk_id_hash", none), labeledExtract(id, "", "info_hash", info),
  ]);
  const secret = labeledExtract(id, shared, "secret", none);
  return {
    key: labeledExpand(id, secret, "key", context, 32),
    nonce: labeledExpand(id, secret, "base_nonce", context, 12),
  };
}
