import { require } from "./errors.mjs";
import { parsed } from "./json.mjs";
import { isCount } from "./key_set.mjs";
import { Registration, textOf } from "./recipients.mjs";
import { within } from "./registrations.mjs";
import { isName, isTopic, openJWS, signerOf } from "./signed_set.mjs";

/**
 * A leave as an app sends it (rules 11.25 and 11.26). `audience` is the backend's own name. Any topic is good if `topic` is
 * null.
 */
export function openLeave(text, { audience, topic = null }) {
  require(Buffer.byteLength(text) <= 32768, "11.25", "too-large");
  const values = parsed(Buffer.from(text));
  require(values instanceof Map, "11.25", "malformed-leave");
  require(values.get("v")?.literal === "1", "11.25", "unsupported-version");
  require(values.size === 2 && typeof values.get("leave") === "string", "11.25", "malformed-leave");
  const { publicBytes, payload } = openedJWS(values.get("leave"));
  const claims = parsed(payload);
  require(claims instanceof Map, "11.26", "malformed-claims");
  require(claims.get("v")?.literal === "1", "11.26", "unsupported-version");
  const isGood = isTopic(claims.get("topic")) && isCount(claims.get("serial"), 1n) && isCount(claims.get("iat"), 0n)
    && isName(claims.get("audience"));
  require(isGood, "11.26", "malformed-claims");
  require(topic === null || claims.get("topic") === topic, "11.26", "other-topic");
  require(claims.get("audience") === audience, "11.26", "other-audience");
  const [serial, issuedAt] = ["serial", "iat"].map((name) => Number(claims.get(name).literal));
  return { text: values.get("leave"), topic: claims.get("topic"), identity: signerOf(publicBytes), serial, issuedAt };
}

/** What a device signs before its keys are destroyed. */
export class Leave {
  constructor({ topic, identity, serial }) {
    Object.assign(this, { topic, identity, serial });
  }

  /** A leave as the app sends it; `audience` is the backend's own name. Throws `Refused`. */
  static parse(text, audience, topic = null) {
    return new Leave(openLeave(textOf(text), { audience, topic }));
  }

  /**
   * The names of the registrations that it removes (rule 11.27), as `readRegistrations` gives them; none if nobody has its
   * identity: it has arrived before. Throws `Refused`.
   */
  names(registrations) {
    const known = [...registrations.values()].filter((one) => one.identity === this.identity);
    const own = known.filter((one) => Registration.newest(one).topic === this.topic);
    require(own.length > 0 || known.length === 0, "11.27", "other-topic");
    const older = own.filter((one) => Registration.newest(one).serial < this.serial);
    require(older.length > 0 || own.length === 0, "11.27", "older-serial");
    return older.map((one) => one.name);
  }
}

function openedJWS(text) {
  try {
    return openJWS(text, { type: "sealed-push-leave+jws" });
  } catch (error) {
    throw within("11.26", error);
  }
}
