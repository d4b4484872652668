import { createPublicKey, diffieHellman, generateKeyPairSync } from "node:crypto";
import * as aead from "./aead.mjs";
import { decode } from "./base64url.mjs";
import { ascii, unsigned } from "./bytes.mjs";
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

/** RFC 9180, 4.1: ExtractAndExpand, of a Diffie-Hellman secret. */
export function sharedSecret(suite, secret, encapsulated, recipientBytes) {
  const id = kemID(suite);
  const context = Buffer.concat([encapsulated, recipientBytes]);
  return labeledExpand(id, labeledExtract(id, "", "eae_prk", secret), "shared_secret", context, 32);
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

/** A new private key, for one message. */
export function newKey(suite) {
  return generateKeyPairSync(...suite.newKey).privateKey;
}

/**
 * RFC 9180, 6.1: the encapsulated key and the ciphertext, in base mode, with no additional data. `recipient` is a public
 * key that is known to be a point, and not one of small order.
 */
export function seal(suite, { publicKey, publicBytes }, info, plaintext, privateKey) {
  const encapsulated = rawKey(createPublicKey(privateKey));
  const secret = diffieHellman({ privateKey, publicKey });
  const { key, nonce } = keySchedule(suite, sharedSecret(suite, secret, encapsulated, publicBytes), info);
  return Buffer.concat([encapsulated, aead.seal(suite.cipher, key, nonce, plaintext)]);
}

/** HPKE's form of a public key. */
function rawKey(key) {
  const { crv, x, y } = key.export({ format: "jwk" });
  return crv === "P-256" ? Buffer.concat([Buffer.of(4), decode(x), decode(y)]) : decode(x);
}
