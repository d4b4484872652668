/** Checks of the lists of `attachments.json`, by their names. */
import { addressFault } from "./address.mjs";
import { decode } from "../../../Examples/node/lib/base64url.mjs";
import { openBlob, sealBlob } from "./blob.mjs";
import { Refused } from "../../../Examples/node/lib/errors.mjs";
import { Mismatch, expectEqual, properties } from "./checker.mjs";
import { faults, verdicts } from "./descriptor.mjs";
import { parse } from "../../../Examples/node/lib/json.mjs";

export function members(vector) {
  const { member, expect } = properties(vector);
  expectEqual(verdicts(parse(Buffer.from(member))), expect, "the verdicts");
}

export function descriptors(vector) {
  const { descriptor, rule, expect } = properties(vector);
  const found = faults(parse(Buffer.from(descriptor)));
  expectEqual(found, expect === "accepted" ? [] : [[rule, expect]], "the faults");
}

export function addresses(vector) {
  const { url, rule, expect } = properties(vector);
  expectEqual(addressFault(url), rule ?? null, "the rule");
  expectEqual(expect, rule === undefined ? "accepted" : "invalid-url", "what is expected");
}

export function blobs(vector) {
  const { descriptor, blob: text, rule, expect, padding, salt } = properties(vector);
  const blob = decode(text);
  const members = parse(Buffer.from(descriptor));
  const key = decode(members.get("key"));
  const outcome = opened(blob, { key, size: Number(members.get("size").literal), sha256: decode(members.get("sha256")) });
  expectEqual(outcome.reason ?? "opened", expect, "the outcome");
  expectEqual(outcome.rule, rule, "the rule");
  if (expect !== "opened") return;
  const file = fileOf(vector);
  if (!outcome.file.equals(file)) throw new Mismatch("another file");
  const isSame = sealBlob(file, key, decode(salt)).equals(blob);
  expectEqual(isSame, padding === "none", "that the sealed one is the same");
}

function opened(blob, descriptor) {
  try {
    return { file: openBlob(blob, descriptor) };
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

function fileOf(vector) {
  if (vector.has("file")) return decode(vector.get("file"));
  const { byte, count } = properties(vector.get("fileRepeat"));
  return Buffer.alloc(count, byte);
}
