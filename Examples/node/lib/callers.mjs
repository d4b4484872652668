import { decode } from "./base64url.mjs";

/** The content's member that is the format's own, at the top level only. */
export const reserved = "sealed-push";

const mostRemoved = 32;

/** Whether the reserved member has something that callers may say, and nothing else: FORMAT.md, [6.6] and [6.7]. */
export function isCallers(member) {
  if (!(member instanceof Map) || member.get("v")?.literal !== "1" || member.size === 1) return false;
  return [...member].every(([name, value]) => name === "v" || (rules.get(name)?.(value) ?? false));
}

function isID(value) {
  return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

const rules = new Map([
  ["replaces", isID],
  ["removes", (value) => Array.isArray(value) && value.length >= 1 && value.length <= mostRemoved && value.every(isID)],
  ["bytes", (value) => decode(value) !== null],
]);
