import { createHash } from "node:crypto";
import { decodeExactly, encode } from "./base64url.mjs";

const size = 16;

/**
 * The tag of a person's account on the device whose identity has this thumbprint, 22 characters (FORMAT.md, section 6). A
 * backend gives it to the app with its answer to an enrolment behind which the person's login stands.
 */
export function accountTag(person, identity) {
  const digest = createHash("sha256").update("sealed-push v1 account\0").update(decodeExactly(identity, 32));
  return encode(digest.update(person).digest().subarray(0, size));
}

/** Whether a value is an account's tag. */
export function isAccountTag(value) {
  return decodeExactly(value, size) !== null;
}

/** The JSON of a content, an object with other members, with the account in the format's own member. */
export function withAccount(content, tag) {
  return Buffer.concat([content.subarray(0, -1), Buffer.from(`,"sealed-push":{"v":1,"account":"${tag}"}}`)]);
}
