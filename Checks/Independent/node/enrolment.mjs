import { Broken, require } from "./broken.mjs";
import { parsed } from "./json.mjs";
import { isName, isProof, openSignedSet } from "./signed_set.mjs";

const members = ["v", "topic", "environment", "token", "keys"];

/** An enrolment for the app `topic`, or any if that is null, and the backend `audience` (rules 11.10 to 11.13). */
export function openEnrolment(text, topic, challenge, audience) {
  require(Buffer.byteLength(text) <= 32768, "11.10", "too-large");
  const enrolment = openMembers(text, members, topic);
  require(enrolment.set.claims.get("audience") === audience, "11.13", "other-audience");
  const isWanted = challenge === undefined || enrolment.set.claims.get("challenge") === challenge;
  require(isWanted, "11.13", "wrong-challenge");
  return enrolment;
}

/** A registration's line, without its line feed (rule 11.17, but for the lines before it). */
export function openLine(text) {
  try {
    require(Buffer.byteLength(text) <= 65536, "11.10", "too-large");
    const line = openMembers(text, [...members, "registration", "identity"], null,
      ["person", "proven", "pending"]);
    require(isName(line.values.get("registration")), null, "malformed-enrolment");
    require(!line.values.has("person") || isName(line.values.get("person")), null, "malformed-enrolment");
    require(line.values.get("identity") === line.set.signer, null, "other-identity");
    const { values, set } = line;
    const proven = values.has("proven") ? openProven(values.get("proven"), set)
      : { set, kids: set.activeKids, hasToken: true };
    const pending = values.has("pending") ? openPending(values, set) : null;
    return { name: values.get("registration"), set, proven, pending };
  } catch (error) {
    throw within("11.17", error);
  }
}

/** What is proven of a registration whose newest set is another, or null. */
function openProven(value, newest) {
  if (value === null) return null;
  const isGood = value instanceof Map && value.size === 3 && typeof value.get("keys") === "string"
    && Array.isArray(value.get("kids")) && typeof value.get("token") === "boolean";
  require(isGood, null, "malformed-enrolment");
  const set = openSignedSet(value.get("keys"), { topic: newest.claims.get("topic") });
  require(set.signer === newest.signer, null, "other-identity");
  const kids = set.activeKids.filter((kid) => value.get("kids").includes(kid));
  const isWhole = kids.length > 0 && kids.length === value.get("kids").length;
  require(set.serial <= newest.serial && isWhole, null, "malformed-enrolment");
  return { set, kids, hasToken: value.get("token") };
}

function openPending(values, set) {
  const value = values.get("pending");
  const isGood = values.has("proven") && set.claims.has("audience") && value instanceof Map && value.size === 2
    && isProof(value.get("proof")) && typeof value.get("token") === "boolean";
  require(isGood, null, "malformed-enrolment");
  return { proof: value.get("proof"), token: value.get("token") };
}

/** Rules 11.10 to 11.12, but for the length. */
function openMembers(text, names, topic, optional = []) {
  const values = parsed(Buffer.from(text));
  require(values instanceof Map, "11.10", "malformed-enrolment");
  require(values.get("v")?.literal === "1", "11.10", "unsupported-version");
  require(!(values.get("keys") instanceof Map), "11.10", "unsigned");
  const areStrings = names.every((name) => name === "v" || typeof values.get(name) === "string");
  const areKnown = [...values.keys()].every((name) => names.includes(name) || optional.includes(name));
  require(areStrings && areKnown, "11.10", "malformed-enrolment");
  const set = openedSet(values.get("keys"), topic);
  const isSame = ["topic", "environment", "token"].every((name) => values.get(name) === set.claims.get(name));
  require(isSame, "11.12", "mismatch");
  return { text, values, set };
}

function openedSet(text, topic) {
  try {
    return openSignedSet(text, { topic });
  } catch (error) {
    throw within("11.11", error);
  }
}

/** What a rule says that asks for others: its own number, the reason and the number of the one that is broken. */
export function within(rule, error) {
  if (!(error instanceof Broken)) return error;
  const outer = new Broken(rule, error.reason);
  outer.inner = error.rule ?? undefined;
  return outer;
}
