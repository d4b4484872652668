/**
 * Seals push notifications by Vectors/FORMAT.md, with `node:crypto` alone. One file: copy it into a backend.
 *
 *   const signer = signingKey(readFileSync("sender.jwks"));
 *   const payload = { aps: { alert: { title: "Ada", body: "Lunch at noon?" } } };
 *   const push = seal(readFileSync("device.pub.jwks"), "com.example.app", payload, { signer });
 *   // POST push.payload with push.headers to /3/device/TOKEN
 *
 * It does not shorten long texts. It supports no attachments, no shared keys, no push types but `alert` and
 * `background`, no signed key sets and no key files with a passphrase. A payload is an object, so a number is only as
 * exact as JavaScript's.
 */
import {
  createCipheriv, createHash, createHmac, createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync,
  randomUUID, sign,
} from "node:crypto";

export class SealError extends Error {}

const suites = {
  "x25519-chachapoly":
    { number: 0x01, crv: "X25519", curve: ["x25519"], kem: 0x0020, aead: 0x0003, cipher: "chacha20-poly1305" },
  "p256-aesgcm":
    { number: 0x02, crv: "P-256", curve: ["ec", { namedCurve: "P-256" }], kem: 0x0010, aead: 0x0002, cipher: "aes-256-gcm" },
};
const secretMembers = ["d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv"];
const suffix = /\.(voip|voip-ptt|complication|pushkit\.fileprovider|location-query|push-type\.\w+)$/;
const levels = ["passive", "active", "time-sensitive", "critical"];
const prime = 2n ** 255n - 19n;

/**
 * Seals `payload`, as {"aps":{…},…}, to the device whose public JWK Set this is: `{ payload, headers }`. Throws
 * `SealError`. Without `signer` the message is anonymous, which few devices accept.
 * A retry passes the same `messageID` and `issuedAt`. `ephemeral`, a private `KeyObject`, is only for tests: a second
 * message with the same one reveals both.
 */
export function seal(recipients, topic, payload, options = {}) {
  const {
    signer, pushType = "alert", title = "New notification", sound = true, messageID = randomUUID(),
    now = Math.floor(Date.now() / 1000), issuedAt = now, lifetime = 2592000,
    priority = pushType === "background" ? 5 : 10, padding = "buckets", suite: name, ephemeral,
  } = options;
  refuseUnless(["alert", "background"].includes(pushType), "pushType is alert or background");
  refuseUnless(/^[A-Za-z0-9.-]{1,255}$/.test(topic) && !suffix.test(topic), "topic is the app's bundle id");
  refuseUnless(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(messageID), "messageID is a UUID");
  refuseUnless(Number.isSafeInteger(issuedAt) && issuedAt >= 0, "issuedAt is in whole seconds");
  refuseUnless(Number.isInteger(lifetime) && lifetime >= 0 && lifetime <= 2592000, "lifetime is 0 to 2592000 seconds");
  refuseUnless((pushType === "alert" ? [10, 5, 1] : [5]).includes(priority), "priority does not go with the push type");
  refuseUnless(["buckets", "maximum", "none"].includes(padding), "padding is buckets, maximum or none");
  refuseUnless(name === undefined || Object.hasOwn(suites, name), "suite is x25519-chachapoly or p256-aesgcm");
  const content = contentOf(payload, pushType === "alert");
  const { suite, key, thumbprint } = recipientOf(recipients, name, now);
  const info = join("sealed-push v1\0", integer(topic.length, 2), topic, [1, suite.number], thumbprint);
  const kind = (pushType === "alert" ? 0x10 : 0x20) | (signer ? 1 : 0);
  const senderID = signer ? signer.thumbprint.subarray(0, 8) : "";
  const id = integer(BigInt(`0x${messageID.replaceAll("-", "")}`), 16);
  const fields = join([kind], id, integer(issuedAt, 8), integer(lifetime, 4), senderID);
  const signature = signer ? sign(null, join("sealed-push v1 signature\0", info, fields, content), signer.key) : "";

  const alert = { alert: { title, body: "(Encrypted)" }, "mutable-content": 1, ...(sound ? { sound: "default" } : {}) };
  const aps = pushType === "alert" ? alert : { "content-available": 1 };
  const visible = (text) => JSON.stringify({ aps, ENCRYPTED_DATA: text });
  const capacity = Math.floor((3 * (4096 - Buffer.byteLength(visible("")))) / 4) - 10 - rawKey(key).length - 16;
  const plaintext = padded(join(fields, signature, content, [0x80]), capacity, padding);
  const { enc, ciphertext } = sealBase(suite, key, info, plaintext, ephemeral);
  const envelope = join([1, suite.number], thumbprint.subarray(0, 8), enc, ciphertext);
  return {
    payload: visible(envelope.toString("base64url")),
    headers: {
      "apns-push-type": pushType, "apns-topic": topic, "apns-id": messageID.toLowerCase(),
      "apns-priority": String(priority), "apns-collapse-id": messageID.toLowerCase(),
      "apns-expiration": String(lifetime === 0 ? 0 : issuedAt + lifetime),
    },
  };
}

/** The key that signs: the active one of a private JWK Set, or an Ed25519 key in PEM. */
export function signingKey(text) {
  const active = () => JSON.parse(text).keys.find((key) => key.use === "sig" && (key.status ?? "active") === "active");
  const isPEM = String(text).startsWith("-----BEGIN");
  const key = attempt(() => createPrivateKey(isPEM ? text : { format: "jwk", key: active() }));
  refuseUnless(key?.asymmetricKeyType === "ed25519", "the signing key is no Ed25519 key");
  return { key, thumbprint: thumbprintOf(createPublicKey(key).export({ format: "jwk" })) };
}

/** The result of `run`, or null if it throws: the error may quote a key. */
function attempt(run) {
  try { return run(); } catch { return null; }
}

function refuseUnless(condition, message) {
  if (!condition) throw new SealError(message);
}

/** Section 6: the content's bytes. `JSON.stringify` would write null for numbers that JSON does not have. */
function contentOf(payload, isNotification) {
  const isText = (value) => typeof value === "string" && !value.includes("\0");
  const isNumber = (value) => typeof value === "number" && value >= 0;
  const isFraction = (value) => isNumber(value) && value <= 1;
  const check = (value, isGood, name) => refuseUnless(value === undefined || isGood(value), `${name} is wrong`);
  (function walk(value, depth) {
    refuseUnless(typeof value !== "number" || Number.isFinite(value), "a number is not finite");
    refuseUnless(!["bigint", "function", "symbol"].includes(typeof value), "a value that JSON does not have");
    refuseUnless(typeof value !== "string" || !/\p{Surrogate}/u.test(value), "a surrogate has no pair");
    const isContainer = value !== null && typeof value === "object";
    refuseUnless(!isContainer || depth <= 32, "more than 32 containers deep");
    if (isContainer) for (const each of Object.entries(value).flat()) walk(each, depth + 1);
  })(payload, 1);
  refuseUnless(isObject(payload) && isObject(payload.aps), "the payload has no object aps");
  refuseUnless(!("sealed-push" in payload) && !("ENCRYPTED_DATA" in payload), "a member of the payload is reserved");
  const { alert, sound, badge, event, "interruption-level": level, "relevance-score": score } = payload.aps;
  check(alert, (value) => isText(value) || isObject(value), "aps.alert");
  for (const name of ["title", "subtitle", "body"]) check(alert?.[name], isText, `aps.alert.${name}`);
  for (const name of ["category", "thread-id", "target-content-id"]) check(payload.aps[name], isText, `aps.${name}`);
  check(sound, (value) => isText(value) || (isObject(value) && isText(value.name)), "aps.sound");
  check(sound?.critical, (value) => [0, 1].includes(value), "aps.sound.critical");
  check(sound?.volume, isFraction, "aps.sound.volume");
  check(badge, (value) => Number.isSafeInteger(value) && value >= 0, "aps.badge");
  check(level, (value) => levels.includes(value), "aps.interruption-level");
  check(score, event === undefined ? isFraction : isNumber, "aps.relevance-score");
  const texts = [alert, ...["title", "body", "title-loc-key", "loc-key"].map((name) => alert?.[name])];
  refuseUnless(!isNotification || texts.some((text) => typeof text === "string" && text !== ""), "there is no text");
  return Buffer.from(JSON.stringify(payload));
}

/** Section 3: the key of a public set to seal to; X25519's if the set has both and none is named. */
function recipientOf(text, name, now) {
  const set = attempt(() => JSON.parse(text));
  const isSet = isObject(set) && Array.isArray(set.keys) && set.keys.every(isObject) && (set.v ?? 1) === 1;
  refuseUnless(isSet && !("role" in set), "the recipient is no public JWK Set");
  refuseUnless(!set.keys.some((key) => secretMembers.some((each) => each in key)), "the recipient's set is private");
  for (const suite of name === undefined ? Object.values(suites) : [suites[name]]) {
    const active = set.keys.filter((each) => each.crv === suite.crv && (each.status ?? "active") === "active");
    refuseUnless(active.length <= 1, "the recipient's set has two active keys of one suite");
    if (active.length === 1) return { suite, ...publicKey(active[0], now) };
  }
  throw new SealError("the recipient's set has no active key of a suite that is wanted");
}

function publicKey({ kty, crv, x, y, kid, exp = Infinity }, now) {
  const isCanonical = (text, bytes) => bytes.length === 32 && bytes.toString("base64url") === text;
  const decoded = (text) => Buffer.from(`${text}`, "base64url");
  const areGood = (crv === "P-256" ? [x, y] : [x]).every((each) => isCanonical(each, decoded(each)));
  const isBelowP = crv === "P-256" || BigInt(`0x0${decoded(x).reverse().toString("hex")}`) < prime;
  const key = attempt(() => createPublicKey({ format: "jwk", key: { kty, crv, x, y } }));
  refuseUnless(areGood && isBelowP && key !== null, "the recipient's key is no point");
  const thumbprint = thumbprintOf({ kty, crv, x, y });
  const name = thumbprint.toString("base64url");
  refuseUnless((kid ?? name) === name, "the recipient's kid is not its thumbprint");
  refuseUnless(typeof exp === "number" && now <= exp, "the recipient's key has ended");
  return { key, thumbprint };
}

/** RFC 7638. */
function thumbprintOf({ kty, crv, x, y }) {
  return createHash("sha256").update(JSON.stringify(kty === "EC" ? { crv, kty, x, y } : { crv, kty, x })).digest();
}

/** Section 9: zeros up to a bucket, to the capacity, or none. */
function padded(message, capacity, padding) {
  refuseUnless(message.length <= capacity, `too long by ${message.length - capacity} bytes`);
  const bucket = [256, 512, 1024, 2048].find((each) => each >= message.length && each <= capacity);
  const length = { buckets: bucket ?? capacity, maximum: capacity, none: message.length }[padding];
  return Buffer.concat([message], length);
}

/** RFC 9180: SealBase with DHKEM and HKDF-SHA256. A point of small order makes `diffieHellman` throw. */
function sealBase(suite, recipient, info, plaintext, ephemeral) {
  const privateKey = ephemeral ?? generateKeyPairSync(...suite.curve).privateKey;
  const enc = rawKey(createPublicKey(privateKey));
  const hmac = (key, ...parts) => createHmac("sha256", key).update(join(...parts)).digest();
  const extract = (id, salt, label, ikm) => hmac(salt, "HPKE-v1", id, label, ikm);
  const expand = (id, key, label, context, count) =>
    hmac(key, integer(count, 2), "HPKE-v1", id, label, context, [1]).subarray(0, count);
  const secret = attempt(() => diffieHellman({ privateKey, publicKey: recipient }));
  refuseUnless(secret !== null, "the recipient's key is of small order");
  const kem = join("KEM", integer(suite.kem, 2));
  const shared = expand(kem, extract(kem, "", "eae_prk", secret), "shared_secret", join(enc, rawKey(recipient)), 32);
  const id = join("HPKE", integer(suite.kem, 2), integer(0x0001, 2), integer(suite.aead, 2));
  const context = join([0], extract(id, "", "psk_id_hash", ""), extract(id, "", "info_hash", info));
  const schedule = extract(id, shared, "secret", "");
  const nonce = expand(id, schedule, "base_nonce", context, 12);
  const aead = createCipheriv(suite.cipher, expand(id, schedule, "key", context, 32), nonce, { authTagLength: 16 });
  return { enc, ciphertext: join(aead.update(plaintext), aead.final(), aead.getAuthTag()) };
}

function rawKey(key) {
  const { crv, x, y } = key.export({ format: "jwk" });
  const coordinates = [x, y].filter(Boolean).map((each) => Buffer.from(each, "base64url"));
  return crv === "P-256" ? join([4], ...coordinates) : coordinates[0];
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const integer = (value, count) => Buffer.from(value.toString(16).padStart(2 * count, "0"), "hex");

/** Bytes, arrays of them and texts of ASCII, one after the other. */
function join(...parts) {
  return Buffer.concat(parts.map((part) => Buffer.from(part, "latin1")));
}
