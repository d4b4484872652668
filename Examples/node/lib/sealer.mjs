import { randomUUID } from "node:crypto";
import { isAccountTag, withAccount } from "./accounts.mjs";
import { encode } from "./base64url.mjs";
import { bindingInfo } from "./binding.mjs";
import { ascii, unsigned } from "./bytes.mjs";
import { isCallers, reserved } from "./callers.mjs";
import { parseContent } from "./content.mjs";
import { Refused, SealError } from "./errors.mjs";
import * as hpke from "./hpke.mjs";
import { compact, parsed } from "./json.mjs";
import { SenderSet } from "./recipients.mjs";
import { SigningKey } from "./signing_key.mjs";
import { isTopic, isTopicOf } from "./signed_set.mjs";

const longestPayload = 4096;
const longestLife = 2592000;
const paddings = ["buckets", "maximum", "none"];
/** Content type, and the priorities that go with it, the usual one first. */
const pushTypes = new Map([["alert", { type: 1, priorities: [10, 5, 1] }], ["background", { type: 2, priorities: [5] }]]);
const fcmTypes = new Map([
  ["fcm", { type: 1, priorities: ["HIGH", "NORMAL"] }], ["fcm-data", { type: 2, priorities: ["NORMAL"] }],
]);
/** What FCM keeps a message for, in seconds. */
const longestFCM = 2419200;
const envelopeKey = "ENCRYPTED_DATA";
const knownToAll = ["pushType", "messageID", "issuedAt", "lifetime", "priority", "padding", "suite", "account", "now"];
const unsigning = Symbol("anonymous");

/** Seals an app's messages, and signs them. */
export class Sealer {
  #signingKey;
  #published;

  /** `published` is the set that devices have: a message that they would not trust by it is not sealed. */
  constructor(topic, signingKey, { published, ...others } = {}) {
    const isKey = signingKey === unsigning || signingKey instanceof SigningKey;
    refuseUnless(isKey, "a sealer needs a signing key; Sealer.anonymous has none");
    refuseUnless(isTopic(topic), "topic is the app's bundle id");
    refuseOthers(others, []);
    refuseUnless(published === undefined || published instanceof SenderSet, "published is a SenderSet");
    refuseUnless(published === undefined || published.topic === topic, "the senders' set is for another app");
    const isListed = published === undefined || published.kids.includes(encode(signingKey.thumbprint));
    refuseUnless(isListed, "the senders' set does not have the signing key");
    this.topic = topic;
    this.#signingKey = signingKey === unsigning ? null : signingKey;
    this.#published = published;
  }

  /** A sealer that does not sign. Devices show such messages only if their app accepts them. */
  static anonymous(topic) {
    return new Sealer(topic, unsigning);
  }

  /**
   * Seals a payload, `{ aps: {…}, … }`, or its JSON, whose numbers stay as they are. Throws `SealError`, or
   * `KeyFileError` for the device's keys. A retry passes the same `messageID`, `issuedAt` and `lifetime`.
   */
  seal(payload, to, options = {}) {
    return sealWith(hpke.newKey, this.#sender, payload, to, options);
  }

  /**
   * Seals the same payload for a device of FCM: `data` and `android`, members of FCM's message. The sealer's topic is the
   * app's application id.
   */
  sealFCM(payload, to, options = {}) {
    return sealForFCM(hpke.newKey, this.#sender, payload, to, options);
  }

  get #sender() {
    return { topic: this.topic, signingKey: this.#signingKey, published: this.#published };
  }
}

/** What a sealer does, with ephemeral keys from `newKey`: a second message with the same one would reveal both. */
export function sealWith(newKey, sender, payload, to, options) {
  refuseOthers(options, [...knownToAll, "title", "body", "sound"]);
  const { title = "New notification", body = "(Encrypted)", sound = true } = options;
  const message = checked(options, pushTypes, "alert", longestLife);
  const { pushType, messageID, issuedAt, lifetime, priority } = message;
  const isText = (value) => typeof value === "string" && !/\p{Surrogate}/u.test(value);
  refuseUnless(isText(title) && isText(body), "title and body are texts");
  refuseUnless(typeof sound === "boolean", "sound is true or false");
  const alert = { alert: { title, body }, "mutable-content": 1, ...(sound ? { sound: "default" } : {}) };
  const aps = pushType === "alert" ? alert : { "content-available": 1 };
  const visible = (envelope) => Buffer.from(JSON.stringify({ aps, [envelopeKey]: envelope }));
  const room = longestPayload - visible("").length;
  const { envelope, members } = envelopeOf(newKey, sender, payload, to, message, "apns", room);
  return {
    payload: visible(envelope),
    headers: {
      "apns-push-type": pushType, "apns-topic": sender.topic, "apns-id": messageID, "apns-priority": String(priority),
      "apns-collapse-id": members.get(reserved)?.get("replaces") ?? messageID,
      "apns-expiration": String(lifetime === 0 ? 0 : issuedAt + lifetime),
    },
  };
}

/** The same for FCM. */
export function sealForFCM(newKey, sender, payload, to, options) {
  refuseOthers(options, [...knownToAll, "ttl", "collapseKey"]);
  const message = checked(options, fcmTypes, "fcm", longestFCM);
  const longest = Math.min(message.lifetime, longestFCM);
  const { ttl = longest, collapseKey } = options;
  refuseUnless(Number.isInteger(ttl) && ttl >= 0 && ttl <= longest, `ttl is 0 to ${longest} seconds`);
  const isKey = collapseKey === undefined || (typeof collapseKey === "string" && /^[!-~]{1,64}$/.test(collapseKey));
  refuseUnless(isKey, "collapseKey is 1 to 64 visible characters of ASCII");
  const room = longestPayload - envelopeKey.length;
  const { envelope } = envelopeOf(newKey, sender, payload, to, message, "fcm", room);
  const data = { [envelopeKey]: envelope };
  const android = { priority: message.priority, ttl: `${ttl}s` };
  if (collapseKey !== undefined) android.collapse_key = collapseKey;
  return { data, android, request: (token) => ({ message: { token, android, data } }) };
}

/** The envelope, of at most `room` characters, and the content's members. */
function envelopeOf(newKey, { topic, signingKey, published }, payload, to, message, service, room) {
  const { type, messageID, now, issuedAt, lifetime, padding, suite: name, account } = message;
  const { content: whole, members } = contentOf(payload, type === 1);
  refuseUnless(to !== undefined, "there is no such registration: undefined was given as the device");
  const isDevice = typeof to?.recipient === "function";
  refuseUnless(isDevice, "a message goes to a PublicKeySet, a DeviceKeySet or a Registration");
  const tag = account ?? to.account;
  const content = tag === undefined ? whole : withAccount(whole, members, tag);
  refuseUnless(isTopicOf(service, topic), `the topic is no id of an app of ${service}`);
  const recipient = to.recipient(name);
  const { suite, thumbprint, end } = recipient;
  refuseUnless((to.topic ?? topic) === topic, "the device's keys are for another app");
  refuseUnless((to.service ?? service) === service, `${service} does not carry the device's messages`);
  refuseUnless(now <= end, "the device's key has ended");
  const isAlive = signingKey === null || (signingKey.begin <= now && now <= signingKey.end);
  refuseUnless(isAlive, "the signing key has ended, or has not begun");
  refuseUnless(published === undefined || issuedAt <= published.endsAt, "the senders' set has ended");

  const info = bindingInfo(topic, suite, thumbprint);
  const id = Buffer.from(messageID.replaceAll("-", ""), "hex");
  const sender = signingKey === null ? [] : [signingKey.thumbprint.subarray(0, 8)];
  const kind = (type << 4) | sender.length;
  const fields = Buffer.concat([Buffer.of(kind), id, unsigned(issuedAt, 8), unsigned(lifetime, 4), ...sender]);
  const signed = [ascii("sealed-push v1 signature\0"), info, fields, content];
  const signature = signingKey === null ? [] : [signingKey.sign(Buffer.concat(signed))];

  const capacity = Math.floor((3 * room) / 4) - 10 - suite.encapsulated - 16;
  const plaintext = padded(Buffer.concat([fields, ...signature, content, Buffer.of(0x80)]), capacity, padding);
  const sealed = hpke.seal(suite, recipient, info, plaintext, newKey(suite));
  const envelope = encode(Buffer.concat([Buffer.of(1, suite.number), thumbprint.subarray(0, 8), sealed]));
  return { envelope, members };
}

/** The options that every message has, with what is not said; throws `SealError` for what is wrong. */
function checked(options, types, usual, usualLife) {
  const { pushType = usual, padding = "buckets" } = options;
  const { messageID = randomUUID(), now = Math.floor(Date.now() / 1000), lifetime = usualLife } = options;
  const issuedAt = options.issuedAt ?? now;
  refuseUnless(types.has(pushType), `pushType is ${[...types.keys()].join(" or ")}`);
  const { type, priorities } = types.get(pushType);
  const priority = options.priority ?? priorities[0];
  const isUUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(messageID);
  refuseUnless(typeof messageID === "string" && isUUID, "messageID is a UUID");
  refuseUnless(Number.isSafeInteger(now) && Number.isSafeInteger(issuedAt) && issuedAt >= 0, "times are whole seconds");
  const isLife = Number.isInteger(lifetime) && lifetime >= 0 && lifetime <= longestLife;
  refuseUnless(isLife, `lifetime is 0 to ${longestLife} seconds`);
  refuseUnless(priorities.includes(priority), "priority does not go with the push type");
  refuseUnless(paddings.includes(padding), `padding is one of ${paddings.join(", ")}`);
  const isAccount = options.account === undefined || isAccountTag(options.account);
  refuseUnless(isAccount, "account is a tag of 22 characters");
  return {
    pushType, type, messageID: messageID.toLowerCase(), now, issuedAt, lifetime, priority, padding,
    suite: options.suite, account: options.account,
  };
}

function refuseUnless(condition, message) {
  if (!condition) throw new SealError(message);
}

function refuseOthers(options, names) {
  const other = Object.keys(options).find((name) => !names.includes(name));
  refuseUnless(other === undefined, `there is no option ${other}`);
}

/** Section 6: the content's bytes, without white space, with numbers as they were written, and its members. */
function contentOf(payload, isNotification) {
  const given = typeof payload === "string" || payload instanceof Uint8Array ? payload : written(payload);
  const value = parsed(Buffer.from(given));
  const isText = typeof given !== "string" || !/\p{Surrogate}/u.test(given);
  refuseUnless(value !== undefined && isText, "the payload is not strict JSON");
  const content = Buffer.from(compact(value));
  try {
    const members = parseContent(content, isNotification);
    const isAllowed = !members.has(reserved) || isCallers(members.get(reserved));
    refuseUnless(isAllowed && !members.has(envelopeKey), "a member of the payload is reserved");
    return { content, members };
  } catch (error) {
    throw error instanceof Refused ? new SealError(error.message) : error;
  }
}

/** An object as JSON. `JSON.stringify` would write null for numbers that JSON does not have, and leave out functions. */
function written(payload) {
  const refuse = (name, value) => {
    refuseUnless(typeof value !== "number" || Number.isFinite(value), "a number is not finite");
    refuseUnless(!["bigint", "function", "symbol"].includes(typeof value), "a value that JSON does not have");
    return value;
  };
  try {
    return JSON.stringify(payload, refuse) ?? "";
  } catch (error) {
    throw error instanceof SealError ? error : new SealError("the payload is a circle, or has too many containers");
  }
}

/** Section 9: zeros up to a bucket, to the capacity, or none. */
function padded(message, capacity, padding) {
  refuseUnless(message.length <= capacity, `too long by ${message.length - capacity} bytes`);
  const bucket = [256, 512, 1024, 2048].find((each) => each >= message.length && each <= capacity);
  const length = { buckets: bucket ?? capacity, maximum: capacity, none: message.length }[padding];
  return Buffer.concat([message], length);
}
