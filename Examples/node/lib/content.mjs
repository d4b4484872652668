import { require } from "./errors.mjs";
import { JSONNumber, parsed } from "./json.mjs";

const malformed = "malformed-content";
export const levels = ["passive", "active", "time-sensitive", "critical"];

/** The content as parsed JSON (rules 6.1 to 6.4). */
export function parseContent(bytes, isNotification) {
  const content = parsed(bytes);
  require(content !== undefined, "6.1", malformed, "the payload is not strict JSON");
  require(content instanceof Map && content.get("aps") instanceof Map, "6.2", malformed, "the payload has no object aps");
  const aps = content.get("aps");
  for (const [name, isGood] of Object.entries(members)) {
    if (aps.has(name)) require(isGood(aps.get(name), aps), "6.3", malformed, `aps.${name} is wrong`);
  }
  require(!isNotification || hasText(aps.get("alert")), "6.4", malformed, "there is no text: no title and no body");
  return content;
}

function isText(value) {
  return typeof value === "string" && !value.includes("\0");
}

const members = {
  alert: (value) => isText(value) || (value instanceof Map
    && ["title", "subtitle", "body"].every((name) => !value.has(name) || isText(value.get(name)))),
  category: isText,
  "thread-id": isText,
  "target-content-id": isText,
  sound: (value) => isText(value) || (value instanceof Map && isText(value.get("name"))
    && (!value.has("critical") || ["0", "1"].includes(value.get("critical")?.literal))
    && (!value.has("volume") || isFraction(value.get("volume")))),
  badge: (value) => isDigits(value) && value.integer < 2n ** 63n,
  "interruption-level": (value) => levels.includes(value),
  "relevance-score": (value, aps) => (aps.has("event") ? isNotNegative(value) : isFraction(value)),
};

function isDigits(value) {
  return value instanceof JSONNumber && /^[0-9]+$/.test(value.literal);
}

function isNotNegative(value) {
  return value instanceof JSONNumber && value.double !== null && value.double >= 0;
}

function isFraction(value) {
  return isNotNegative(value) && value.double <= 1;
}

function hasText(alert) {
  if (typeof alert === "string") return alert !== "";
  if (!(alert instanceof Map)) return false;
  return ["title", "body", "title-loc-key", "loc-key"].some((name) => isNonEmpty(alert.get(name)));
}

/** Whether a value is a string with something in it. */
export function isNonEmpty(value) {
  return typeof value === "string" && value !== "";
}
