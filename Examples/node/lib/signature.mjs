import { createPublicKey, verify } from "node:crypto";
import { encode } from "./base64url.mjs";
import { isCanonicalScalar, isGoodEd25519Key, isSmallOrderEd25519 } from "./curves.mjs";

/** Rule 5.9. OpenSSL's equation is the one without the cofactor; what it lets through is refused here. */
export function isValidSignature(publicBytes, message, signature) {
  if (signature.length !== 64 || !isGoodEd25519Key(publicBytes)) return false;
  if (isSmallOrderEd25519(signature.subarray(0, 32)) || !isCanonicalScalar(signature.subarray(32))) return false;
  const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: encode(publicBytes) } });
  return verify(null, message, key, signature);
}
