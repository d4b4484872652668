import { Broken, require } from "./broken.mjs";
import { parsed } from "./json.mjs";
import { openSignedSet } from "./signed_set.mjs";

const members = ["v", "topic", "environment", "token", "keys"];

/** An enrolment for the app `topic`, or any if that is null (rules 11.10 to 11.13). */
export function openEnrolment(text, topic, challenge) {
  require(Buffer.byteLength(text) <= 32768, "11.10", "too-large");
  const enrolment = openMembers(text, members, topic);
  const isWanted = challenge === undefined || enrolment.set.claims.get("challenge") === challenge;
  require(isWanted, "11.13", "wrong-challenge");
  return enrolment;
}

/** A registration's line, without its line feed (rule 11.17, but for the lines before it). */
export function openLine(text) {
  try {
    require(Buffer.byteLength(text) <= 65536, "11.10", "too-large");
    const line = openMembers(text, [...members, "registration", "identity"], null);
    require(isName(line.values.get("registration")), null, "malformed-enrolment");
    require(line.values.get("identity") === line.set.signer, null, "other-identity");
    return { ...line, name: line.values.get("registration") };
  } catch (error) {
    throw within("11.17", error);
  }
}

function isName(name) {
  const length = Buffer.byteLength(name);
  return length >= 1 && length <= 255 && !/[\u0000-\u001f\u007f-\u009f]/.test(name);
}

/** Rules 11.10 to 11.12, but for the length. */
function openMembers(text, names, topic) {
  const values = parsed(Buffer.from(text));
  require(values instanceof Map, "11.10", "malformed-enrolment");
  require(values.get("v")?.literal === "1", "11.10", "unsupported-version");
  require(!(values.get("keys") instanceof Map), "11.10", "unsigned");
  const areStrings = names.every((name) => name === "v" || typeof values.get(name) === "string");
  require(areStrings && values.size === names.length, "11.10", "malformed-enrolment");
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
