import { createECDH, createPrivateKey } from "node:crypto";
import { encode } from "../../../Examples/node/lib/base64url.mjs";
import { bigEndian } from "../../../Examples/node/lib/bytes.mjs";
import { kemID, labeledExpand, labeledExtract } from "../../../Examples/node/lib/hpke.mjs";

const orderP256 = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** RFC 8410: the bytes before an X25519 private key in DER. */
const prefixX25519 = Buffer.from("302e020100300506032b656e04220420", "hex");

/** RFC 9180, 7.1.3: the private key that is derived from key material. */
export function deriveKeyPair(suite, keyMaterial) {
  const id = kemID(suite);
  const key = labeledExtract(id, "", "dkp_prk", keyMaterial);
  if (suite.kind === "X25519") {
    const scalar = labeledExpand(id, key, "sk", Buffer.alloc(0), 32);
    return createPrivateKey({ format: "der", type: "pkcs8", key: Buffer.concat([prefixX25519, scalar]) });
  }
  for (let counter = 0; counter < 256; counter += 1) {
    const scalar = labeledExpand(id, key, "candidate", Buffer.of(counter), 32);
    if (bigEndian(scalar) > 0n && bigEndian(scalar) < orderP256) return p256PrivateKey(scalar);
  }
  throw new Error("no key in 256 candidates");
}

function p256PrivateKey(scalar) {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(scalar);
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(encode);
  return createPrivateKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y, d: encode(scalar) } });
}
