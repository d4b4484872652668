import { require } from "../../../Examples/node/lib/errors.mjs";
import { enrolmentMembers, openMembers } from "../../../Examples/node/lib/registrations.mjs";

/** An enrolment for the app `topic`, or for any app if it is null, and for the backend `audience` (rules 11.10 to 11.13). */
export function openEnrolment(text, topic, challenge, audience, services = ["apns"]) {
  require(Buffer.byteLength(text) <= 32768, "11.10", "too-large");
  const enrolment = openMembers(text, enrolmentMembers, topic, [], services);
  require(enrolment.set.claims.get("audience") === audience, "11.13", "other-audience");
  const isWanted = challenge === undefined || enrolment.set.claims.get("challenge") === challenge;
  require(isWanted, "11.13", "wrong-challenge");
  return enrolment;
}
