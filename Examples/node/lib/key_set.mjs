import { decodeExactly, encode } from "./base64url.mjs";
import { isCanonicalX25519, isGoodEd25519Key, isP256Point, isSmallOrderX25519, isXWingKey } from "./curves.mjs";
import { KeyFileError } from "./errors.mjs";
import { JSONNumber } from "./json.mjs";
import { keyID, publicThumbprint } from "./thumbprint.mjs";

export const secretMembers = ["d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv"];
/** What a key is: its members and what is true of them. `alg` says so where there is no `crv`. */
const kinds = {
  X25519: { kty: "OKP", use: "enc", alg: "HPKE-4", isKey: (x) => isCanonicalX25519(x) && !isSmallOrderX25519(x) },
  "P-256": { kty: "EC", use: "enc", alg: "HPKE-7", isKey: isP256Point },
  "xwing-aesgcm": { kty: "AKP", use: "enc", alg: "xwing-aesgcm", isKey: isXWingKey },
  Ed25519: { kty: "OKP", use: "sig", alg: "EdDSA", isKey: isGoodEd25519Key },
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
  const active = keys.filter((key) => key.isActive).map((key) => key.kind);
  refuseUnless(use !== "enc" || new Set(active).size === active.length, "the set has two active keys of one suite");
  return { use, role, keys, hasActive: active.length > 0 };
}

/** One key of a public set; throws `KeyFileError`. */
export function publicKey(key) {
  refuseUnless(key instanceof Map && !secretMembers.some((name) => key.has(name)), "a key is private, or none");
  const jwk = Object.fromEntries(["kty", "crv", "alg", "x", "y", "pub"].map((name) => [name, key.get(name)]));
  const kind = jwk.kty === "AKP" ? jwk.alg : jwk.crv;
  const facts = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  refuseUnless(facts !== undefined && jwk.kty === facts.kty, "a key is of another kind");
  const members = jwk.kty === "AKP" ? ["pub"] : kind === "P-256" ? ["crv", "x", "y"] : ["crv", "x"];
  const isOwn = ["crv", "x", "y", "pub"].every((name) => key.has(name) === members.includes(name));
  refuseUnless(isOwn, "a key lacks its public part, or has that of another kind");
  const publicBytes = publicBytesOf(kind, jwk);
  refuseUnless(publicBytes !== null && facts.isKey(publicBytes), "a key is no public key, or a point of small order");
  const thumbprint = publicThumbprint(jwk);
  const allowed = { kid: [encode(thumbprint)], use: [facts.use], alg: [facts.alg], status: ["active", "accepted"] };
  for (const [name, values] of Object.entries(allowed)) {
    refuseUnless(!key.has(name) || values.includes(key.get(name)), `a key has another ${name}`);
  }
  const areTimes = ["iat", "nbf", "exp"].every((name) => !key.has(name) || isCount(key.get(name), 0n));
  refuseUnless(areTimes, "a key's times are wrong");
  return {
    kind, use: facts.use, thumbprint, isActive: (key.get("status") ?? "active") === "active",
    publicBytes: Buffer.alloc(publicBytes.length, publicBytes), // not a piece of a larger buffer, which it would keep
    begin: Number(key.get("nbf")?.literal ?? 0), end: Number(key.get("exp")?.literal ?? Infinity),
  };
}

/** HPKE's (or Ed25519's) form of a public key; null if a member has another length or is not base64url. */
export function publicBytesOf(kind, { x, y, pub }) {
  if (kind === "xwing-aesgcm") return decodeExactly(pub, 1216);
  const coordinates = (kind === "P-256" ? [x, y] : [x]).map((text) => decodeExactly(text, 32));
  if (coordinates.includes(null)) return null;
  return kind === "P-256" ? Buffer.concat([Buffer.of(4), ...coordinates]) : coordinates[0];
}

function refuseUnless(condition, message) {
  if (!condition) throw new KeyFileError(message);
}
