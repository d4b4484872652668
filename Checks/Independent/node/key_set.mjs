import { decodeExactly, encode } from "./base64url.mjs";
import { isCanonicalX25519, isGoodEd25519Key, isSmallOrderX25519, p256Key } from "./curves.mjs";
import { JSONNumber } from "./json.mjs";
import { keyID, publicThumbprint } from "./thumbprint.mjs";

const secretMembers = ["d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv"];
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

/** A public JWK Set by section 3, `{ use, role, keys }`; null if it is refused. A `role` is one of section 11. */
export function publicSet(set) {
  if (set.has("v") && set.get("v")?.literal !== "1") return null;
  const role = set.get("role");
  if (set.has("role") && !["identity", "root"].includes(role)) return null;
  const list = set.get("keys");
  if (!Array.isArray(list) || list.length === 0 || list.length > 16384) return null;
  const keys = list.map(publicKey);
  if (keys.includes(null)) return null;
  const use = keys[0].use;
  const ids = new Set(keys.map((key) => encode(keyID(key.thumbprint))));
  if (ids.size !== keys.length || keys.some((key) => key.use !== use) || (role !== undefined && use !== "sig")) return null;
  const active = keys.filter((key) => key.isActive).map((key) => key.crv);
  if (use === "enc" && new Set(active).size !== active.length) return null;
  return { use, role, keys, hasActive: active.length > 0 };
}

function publicKey(key) {
  if (!(key instanceof Map) || secretMembers.some((name) => key.has(name))) return null;
  const [kty, crv, x, y] = ["kty", "crv", "x", "y"].map((name) => key.get(name));
  const curve = Object.hasOwn(curves, crv) ? curves[crv] : undefined;
  if (curve === undefined || kty !== curve.kty || key.has("y") !== (crv === "P-256")) return null;
  const coordinates = (crv === "P-256" ? [x, y] : [x]).map((text) => decodeExactly(text, 32));
  if (coordinates.includes(null) || !curve.isPoint(...coordinates)) return null;
  const thumbprint = publicThumbprint({ kty, crv, x, y });
  const allowed = { kid: [encode(thumbprint)], use: [curve.use], alg: [curve.alg], status: ["active", "accepted"] };
  for (const [name, values] of Object.entries(allowed)) if (key.has(name) && !values.includes(key.get(name))) return null;
  for (const name of ["iat", "nbf", "exp"]) if (key.has(name) && !isCount(key.get(name), 0n)) return null;
  return { crv, use: curve.use, thumbprint, isActive: (key.get("status") ?? "active") === "active" };
}
