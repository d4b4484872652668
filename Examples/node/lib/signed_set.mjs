import { decode, decodeExactly, encode } from "./base64url.mjs";
import { KeyFileError, Refused, require } from "./errors.mjs";
import { ascii } from "./bytes.mjs";
import { isGoodEd25519Key } from "./curves.mjs";
import { parsed } from "./json.mjs";
import { isCount, publicSet } from "./key_set.mjs";
import { isValidSignature } from "./signature.mjs";
import { suites } from "./suites.mjs";
import { publicThumbprint } from "./thumbprint.mjs";

const suffixes = [
  ".voip", ".voip-ptt", ".complication", ".pushkit.fileprovider", ".location-query", ".push-type.liveactivity",
  ".push-type.widgets", ".push-type.controls",
];

/**
 * The claims of a signed set (rules 11.1 to 11.8): a sender's, if `roots` are given, the parsed keys of roots by their
 * thumbprints in base64url, or else a device's. Any topic is good if `topic` is null.
 */
export function openSignedSet(text, { roots = null, topic }) {
  const isSender = roots !== null;
  const { publicBytes, payload } = openJWS(text, { roots, type: "sealed-push-keys+jws" });
  const claims = parsed(payload);
  checkClaims(claims, isSender);
  const set = keysOf(claims);
  const isDevices = set.role === undefined && set.use === "enc";
  require(!isDevices || set.hasActive, "11.7", "invalid-keys");
  require(set.role === undefined && set.use === (isSender ? "sig" : "enc"), "11.7", "wrong-keys");
  require(topic === null || claims.get("topic") === topic, "11.8", "other-topic");
  const [serial, issuedAt] = ["serial", "iat"].map((name) => Number(claims.get(name).literal));
  return {
    text, claims, serial, issuedAt, end: isSender ? Number(claims.get("exp").literal) : null,
    keys: set.keys, activeKids: activeKeys(set).map((key) => encode(key.thumbprint)),
    signer: signerOf(publicBytes),
  };
}

/**
 * Who signed a JWS (rules 11.1 to 11.5), and its payload: one of the `roots`, or an identity if there are none.
 */
export function openJWS(text, { roots = null, type }) {
  require(Buffer.byteLength(text) <= 65536, "11.1", "too-large");
  const parts = text.split(".");
  const bytes = parts.map(decode);
  require(parts.length === 3 && bytes.every((part) => part !== null && part.length > 0), "11.2", "malformed-jws");
  const header = parsed(bytes[0]);
  checkHeader(header, type, roots === null ? "jwk" : "kid");
  const publicBytes = roots === null ? identityOf(header.get("jwk")) : roots.get(header.get("kid"));
  require(publicBytes !== undefined, "11.4", "unknown-signer");
  const isGood = isValidSignature(publicBytes, ascii(`${parts[0]}.${parts[1]}`), bytes[2]);
  require(isGood, "11.5", "bad-signature");
  return { publicBytes, payload: bytes[1] };
}

/** The thumbprint of an Ed25519 key. */
export function signerOf(publicBytes) {
  return encode(publicThumbprint({ kty: "OKP", crv: "Ed25519", x: encode(publicBytes) }));
}

/** A device's active keys, the preferred suite's first. */
export function activeKeys({ keys }) {
  return suites.flatMap(({ kind }) => keys.filter((key) => key.kind === kind && key.isActive));
}

function keysOf(claims) {
  try {
    return publicSet(claims.get("keys"));
  } catch (error) {
    if (error instanceof KeyFileError) throw new Refused("11.7", "invalid-keys");
    throw error;
  }
}

function checkHeader(header, type, signerMember) {
  require(header instanceof Map, "11.3", "malformed-header");
  require(header.get("alg") === "EdDSA", "11.3", "unsupported-algorithm");
  require(header.get("typ") === type, "11.3", "wrong-type");
  require(header.size === 3 && header.has(signerMember), "11.3", "malformed-header");
}

/** The identity's public key in a device's header (rule 11.4). */
function identityOf(jwk) {
  const isKey = jwk instanceof Map && jwk.size === 3 && jwk.get("kty") === "OKP" && jwk.get("crv") === "Ed25519";
  const bytes = isKey ? decodeExactly(jwk.get("x"), 32) : null;
  require(bytes !== null && isGoodEd25519Key(bytes), "11.4", "malformed-header");
  return bytes;
}

/** Rule 11.6. */
function checkClaims(claims, isSender) {
  require(claims instanceof Map, "11.6", "malformed-claims");
  require(claims.get("v")?.literal === "1", "11.6", "unsupported-version");
  const members = { ...bothMembers, ...(isSender ? senderMembers : deviceMembers) };
  for (const [name, isGood] of Object.entries(members)) {
    require(isGood(claims.get(name), claims.has(name), claims), "11.6", "malformed-claims");
  }
}

const bothMembers = {
  topic: isTopic,
  serial: (value) => isCount(value, 1n),
  iat: (value) => isCount(value, 0n),
  keys: (value) => value instanceof Map,
};

const senderMembers = {
  exp: (value) => isCount(value, 0n),
};

const deviceMembers = {
  topic: (value, _, claims) => isTopicOf(serviceOf(claims), value),
  service: (value, isThere) => !isThere || value === "fcm",
  environment: (value, isThere, claims) =>
    serviceOf(claims) === "fcm" ? !isThere : ["production", "sandbox"].includes(value),
  token: (value, _, claims) => typeof value === "string" && tokens[serviceOf(claims)].test(value),
  audience: (value, isThere) => !isThere || isName(value),
  proof: (value, isThere) => !isThere || isProof(value),
  challenge: (value, isThere) => !isThere || (typeof value === "string" && value !== "" && Buffer.byteLength(value) <= 255),
};

const tokens = { apns: /^(?:[0-9a-f]{2}){1,256}$/, fcm: /^[A-Za-z0-9_:-]{1,1024}$/ };

/** What carries a device's messages, by its claims: `apns` or `fcm`. */
export function serviceOf(claims) {
  return claims.has("service") ? "fcm" : "apns";
}

/** Whether a value is an app's bundle id, without APNs' suffixes, or its application id on Android. */
export function isTopic(value) {
  return typeof value === "string" && /^(?:[A-Za-z0-9.-]{1,255}|[A-Za-z0-9._]{1,255})$/.test(value)
    && !suffixes.some((suffix) => value.endsWith(suffix));
}

/** Whether a value is the id of an app of a service: a bundle id has no underscore, and an application id no hyphen. */
export function isTopicOf(service, value) {
  return isTopic(value) && !value.includes(service === "fcm" ? "-" : "_");
}

/** Whether a value is a text as names of registrations and backends are. */
export function isName(value) {
  if (typeof value !== "string") return false;
  const length = Buffer.byteLength(value);
  return length >= 1 && length <= 255 && !/[\u0000-\u001f\u007f-\u009f]/.test(value);
}

/** Whether a value is what a proof request asks for. */
export function isProof(value) {
  return typeof value === "string" && value.length >= 22 && value.length <= 255 && decode(value) !== null;
}
