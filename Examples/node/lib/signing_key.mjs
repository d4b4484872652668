import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { KeyFileError } from "./errors.mjs";
import { parsed } from "./json.mjs";
import { publicKey, secretMembers } from "./key_set.mjs";
import { publicThumbprint } from "./thumbprint.mjs";

/** A sender's private Ed25519 key. It shows itself to nobody. */
export class SigningKey {
  #key;

  constructor(key, { begin = 0, end = Infinity } = {}) {
    this.#key = key;
    this.thumbprint = publicThumbprint(createPublicKey(key).export({ format: "jwk" }));
    Object.assign(this, { begin, end });
  }

  /** The active key of a sender's private JWK Set, or an Ed25519 key in PEM; no passphrase. Throws `KeyFileError`. */
  static parse(text) {
    const bytes = Buffer.from(text);
    if (bytes.subarray(0, 10).toString() === "-----BEGIN") return new SigningKey(privateKey(bytes));
    const set = parsed(bytes);
    const isSet = set instanceof Map && Array.isArray(set.get("keys")) && !set.has("role")
      && (!set.has("v") || set.get("v")?.literal === "1");
    const keys = (isSet ? set.get("keys") : []).filter((key) => key instanceof Map && key.get("crv") === "Ed25519");
    const active = keys.filter((key) => !key.has("status") || key.get("status") === "active");
    if (active.length !== 1) throw new KeyFileError("the file has no active signing key, or several");
    return SigningKey.#of(active[0]);
  }

  static #of(jwk) {
    const facts = publicKey(new Map([...jwk].filter(([name]) => !secretMembers.includes(name))));
    const [x, d] = [jwk.get("x"), jwk.get("d")];
    const key = new SigningKey(privateKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x, d } }), facts);
    if (!key.thumbprint.equals(facts.thumbprint)) {
      throw new KeyFileError("the signing key's two halves do not belong together");
    }
    return key;
  }

  sign(message) {
    return sign(null, message, this.#key);
  }
}

/** An Ed25519 key. What else goes wrong might quote it. */
function privateKey(given) {
  let key;
  try {
    key = createPrivateKey(given);
  } catch {
    throw new KeyFileError("the signing key cannot be read, or it has a passphrase");
  }
  if (key.asymmetricKeyType !== "ed25519") throw new KeyFileError("the signing key is no Ed25519 key");
  // Of a JWK's two halves the private one alone counts, so that the public one can be compared.
  return createPrivateKey({ format: "der", type: "pkcs8", key: key.export({ format: "der", type: "pkcs8" }) });
}
