import { addressFault } from "./address.mjs";
import { decodeExactly } from "../../../Examples/node/lib/base64url.mjs";
import { Refused, require } from "../../../Examples/node/lib/errors.mjs";
import { JSONNumber } from "../../../Examples/node/lib/json.mjs";

const longestFiles = { image: 10_000_000, audio: 5_000_000, video: 50_000_000 };
const types = [
  "image/jpeg", "image/png", "image/gif", "audio/aiff", "audio/wav", "audio/mpeg", "audio/mp4", "video/mpeg",
  "video/mpeg2", "video/mp4", "video/x-msvideo",
];

/** The verdict on each descriptor in a content's `sealed-push` that is checked (rule 10.1). */
export function verdicts(member) {
  if (!(member instanceof Map) || member.get("v")?.literal !== "1") return [];
  const list = member.get("attachments");
  return Array.isArray(list) ? list.slice(0, 8).map(verdict) : [];
}

/** Each reason for which a descriptor is left out, with its rule; empty if it is accepted. */
export function faults(value) {
  if (!(value instanceof Map)) return [["10.2", "not-a-descriptor"]];
  return checks.flatMap((check) => {
    try {
      check(value);
      return [];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return [[error.rule, error.reason]];
    }
  });
}

function verdict(value) {
  return faults(value)[0]?.[1] ?? "accepted";
}

const checks = [
  (value) => {
    require(value.has("url"), "10.2", "missing-url");
    require(typeof value.get("url") === "string", "10.2", "invalid-url");
    const fault = addressFault(value.get("url"));
    require(fault === null, fault, "invalid-url");
  },
  (value) => require(decodeExactly(value.get("key"), 16) !== null, "10.2", "invalid-key"),
  (value) => require(decodeExactly(value.get("sha256"), 32) !== null, "10.2", "invalid-sha256"),
  (value) => {
    require(typeof value.get("type") === "string", "10.2", "invalid-type");
    require(types.includes(value.get("type")), "10.3", "invalid-type");
  },
  (value) => checkSize(value.get("size"), value.get("type")),
];

function checkSize(value, type) {
  const isDigits = value instanceof JSONNumber && /^[0-9]+$/.test(value.literal) && value.integer < 2n ** 63n;
  require(isDigits, "10.2", "invalid-size");
  const size = value.integer;
  const rest = (size - 21n) % 65536n;
  require(size >= 38n && (rest === 0n || rest >= 17n), "10.4", "invalid-size");
  if (types.includes(type)) require(size <= longestBlob(type), "10.4", "too-large");
}

function longestBlob(type) {
  const longest = longestFiles[type.split("/")[0]];
  return BigInt(21 + longest + 17 * Math.max(1, Math.ceil(longest / 65519)));
}
