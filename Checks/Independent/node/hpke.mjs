import { createPublicKey, diffieHellman } from "node:crypto";
import { encode } from "../../../Examples/node/lib/base64url.mjs";
import { isSmallOrderX25519, p256Key } from "../../../Examples/node/lib/curves.mjs";
import { require } from "../../../Examples/node/lib/errors.mjs";
import { keySchedule, sharedSecret } from "../../../Examples/node/lib/hpke.mjs";
import * as aead from "./aead.mjs";

/** RFC 9180, 5.1 and 6.1: opens a ciphertext in base mode, with no additional data (rule 4.1). */
export function open(suite, recipient, encapsulated, info, ciphertext) {
  const shared = decapsulate(suite, recipient, encapsulated);
  const { key, nonce } = keySchedule(suite, shared, info);
  const plaintext = aead.open(suite.cipher, key, nonce, ciphertext);
  require(plaintext !== null, "4.1", "not-authentic");
  return plaintext;
}

/** RFC 9180, 4.1. The context has the encapsulated key as it was sent. */
function decapsulate(suite, recipient, encapsulated) {
  const ephemeral = suite.kind === "X25519" ? x25519Key(encapsulated) : p256Key(encapsulated);
  require(ephemeral !== null, "4.1", "not-authentic");
  let secret;
  try {
    secret = diffieHellman({ privateKey: recipient.privateKey, publicKey: ephemeral });
  } catch {
    secret = Buffer.alloc(32);
  }
  require(secret.some((byte) => byte !== 0), "4.1", "not-authentic");
  return sharedSecret(suite, secret, encapsulated, recipient.publicBytes);
}

function x25519Key(bytes) {
  if (isSmallOrderX25519(bytes)) return null;
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "X25519", x: encode(bytes) } });
}
