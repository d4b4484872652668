import { createHash } from "node:crypto";
import { decodeExactly, encode } from "./base64url.mjs";
import { reserved } from "./callers.mjs";
import { compact } from "./json.mjs";

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

/**
 * A content, an object with these members and others than the format's own, with the account in that one, as JSON. What the
 * caller has said there stays.
 */
export function withAccount(content, members, tag) {
  if (!members.has(reserved)) {
    return Buffer.concat([content.subarray(0, -1), Buffer.from(`,"${reserved}":{"v":1,"account":"${tag}"}}`)]);
  }
  const member = new Map([...members.get(reserved), ["account", tag]]);
  return Buffer.from(compact(new Map([...members, [reserved, member]])));
}
