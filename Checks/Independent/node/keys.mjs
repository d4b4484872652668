import { createPrivateKey } from "node:crypto";
import { decodeExactly } from "../../../Examples/node/lib/base64url.mjs";
import { publicBytesOf } from "../../../Examples/node/lib/key_set.mjs";
import { keyID, publicThumbprint } from "../../../Examples/node/lib/thumbprint.mjs";
import { sharedThumbprint } from "./shared_suite.mjs";
import { suites } from "./suites.mjs";

/**
 * An opener's keys: a device's, shared ones, and the trusted senders'. They are parsed JWK Sets. `sendersEnd` is the
 * `exp` of the signed set that the senders' keys are from.
 */
export class Keys {
  constructor({ device, shared, senders, sendersEnd = Infinity }) {
    this.recipients = [...keysOf(device).map(deviceKey), ...keysOf(shared).map(sharedKey)];
    this.senders = keysOf(senders).map(senderKey);
    this.sendersEnd = sendersEnd;
  }

  /** Rule 3.1: the one key with this ID, if it is for this suite and its life has not ended. */
  recipient(id, suite, now) {
    const found = this.recipients.find((key) => keyID(key.thumbprint).equals(id));
    return found !== undefined && found.suite === suite && now <= found.end ? found : null;
  }

  /** Rule 5.8. */
  sender(id, issuedAt, now) {
    const found = this.senders.find((key) => keyID(key.thumbprint).equals(id));
    const isTrusted = found !== undefined && found.begin <= now && now <= found.end && issuedAt <= this.sendersEnd;
    return isTrusted ? found : null;
  }
}

/** The members of each key, with texts unchanged and numbers as numbers. */
function keysOf(set) {
  return (set?.get("keys") ?? []).map((key) =>
    Object.fromEntries([...key].map(([name, value]) => [name, value?.literal ? Number(value.literal) : value])));
}

function life(key) {
  return { begin: key.nbf ?? 0, end: key.exp ?? Infinity };
}

function deviceKey(key) {
  const kind = key.crv ?? key.alg;
  const suite = [...suites.values()].find((each) => each.kind === kind);
  const { kty, crv, x, y, d } = key;
  return {
    ...life(key), suite, thumbprint: publicThumbprint(key), publicBytes: publicBytesOf(kind, key),
    privateKey: suite.isMissing ? null : createPrivateKey({ format: "jwk", key: { kty, crv, x, y, d } }),
  };
}

function sharedKey(key) {
  return { ...life(key), suite: suites.get(0x10), thumbprint: sharedThumbprint(key.k), secret: decodeExactly(key.k, 32) };
}

function senderKey(key) {
  return { ...life(key), thumbprint: publicThumbprint(key), publicBytes: decodeExactly(key.x, 32) };
}
