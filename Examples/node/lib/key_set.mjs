import { decodeExactly, encode } from "./base64url.mjs";
import { isCanonicalX25519, isGoodEd25519Key, isSmallOrderX25519, p256Key } from "./curves.mjs";
import { KeyFileError } from "./errors.mjs";
import { JSONNumber } from "./json.mjs";
import { keyID, publicThumbprint } from "./thumbprint.mjs";

export const secretMembers = ["d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv"];
const curves = {
  X25519: { kty: "OKP", use: "enc", alg: "HPKE-4", isPoint: (x) => isCanonicalX25519(x) && !isSmallOrderX25519(x) },
  "P-256": { kty: "EC", use: "enc", alg: "HPKE-7", isPoint: (x, y) => p256Key(Buffer.concat([Buffer.of(4), x, y])) !== null },
  Ed25519: { kty: "OKP", use: "sig", alg: "EdDSA", isPoint: isGoodEd25519Key },
};

/** A time or a serial: an integer written in digits alone, from `least` to 2^53 - 1. */
export function isCount(value, least) {
  return value instanceof JSONNumber && /^[0-9]+$/.test(value.literal)
    && value.integer >= least && value.integer < 2n ** 53n;
}

/** A public JWK Set by section 3, `{ use, role, keys }`; throws `KeyFileError`. A `role` is one of section 11. */
export function publicSet(set) {
  const isSet = set instanceof Map && Array.isArray(set.get("keys")) && (!set.has("v") || set.get("v")?.literal === "1");
  refuseUnless(isSet, "this is no JWK Set of version 1");
  const [role, list] = [set.get("role"), set.get("keys")];
  refuseUnless(!set.has("role") || ["identity", "root"].includes(role), "the set has an unknown role");
  refuseUnless(list.length > 0 && list.length <= 16384, "the set has no keys, or too many");
  const keys = list.map(publicKey);
  const use = keys[0].use;
  refuseUnless(keys.every((key) => key.use === use), "the set has keys of a device and of a sender");
  refuseUnless(role === undefined || use === "sig", "the set has a role, and not its keys");
  const ids = new Set(keys.map((key) => encode(keyID(key.thumbprint))));
  refuseUnless(ids.size === keys.length, "the set has two keys with one key id");
  const active = keys.filter((key) => key.isActive).map((key) => key.crv);
  refuseUnless(use !== "enc" || new Set(active).size === active.length, "the set has two active keys of one suite");
  return { use, role, keys, hasActive: active.length > 0 };
}

/** One key of a public set; throws `KeyFileError`. */
export function publicKey(key) {
  refuseUnless(key instanceof Map && !secretMembers.some((name) => key.has(name)), "a key is private, or none");
  const [kty, crv, x, y] = ["kty", "crv", "x", "y"].map((name) => key.get(name));
  const curve = Object.hasOwn(curves, crv) ? curves[crv] : undefined;
  refuseUnless(curve !== undefined && kty === curve.kty && key.has("y") === (crv === "P-256"), "a key is of another kind");
  const coordinates = (crv === "P-256" ? [x, y] : [x]).map((text) => decodeExactly(text, 32));
  const isPoint = !coordinates.includes(null) && curve.isPoint(...coordinates);
  refuseUnless(isPoint, "a key is no point, or one of small order");
  const thumbprint = publicThumbprint({ kty, crv, x, y });
  const allowed = { kid: [encode(thumbprint)], use: [curve.use], alg: [curve.alg], status: ["active", "accepted"] };
  for (const [name, values] of Object.entries(allowed)) {
    refuseUnless(!key.has(name) || values.includes(key.get(name)), `a key has another ${name}`);
  }
  const areTimes = ["iat", "nbf", "exp"].every((name) => !key.has(name) || isCount(key.get(name), 0n));
  refuseUnless(areTimes, "a key's times are wrong");
  return {
    crv, use: curve.use, thumbprint, isActive: (key.get("status") ?? "active") === "active",
    publicBytes: crv === "P-256" ? Buffer.concat([Buffer.of(4), ...coordinates]) : coordinates[0],
    begin: Number(key.get("nbf")?.literal ?? 0), end: Number(key.get("exp")?.literal ?? Infinity),
  };
}

function refuseUnless(condition, message) {
  if (!condition) throw new KeyFileError(message);
}
