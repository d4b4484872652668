import { decode } from "../../../Examples/node/lib/base64url.mjs";
import { isMessageID } from "./message_id.mjs";

const rules = {
  replaces: isMessageID,
  removes: (value) => Array.isArray(value) && value.length >= 1 && value.length <= 32 && value.every(isMessageID),
  bytes: (value) => typeof value === "string" && decode(value) !== null,
};

/** What an opener heeds of an opened message's `sealed-push` (rules 6.6 and 6.7); what is not valid is passed over. */
export function heeded({ json, sender }) {
  const said = json.get("sealed-push");
  if (sender === null || !(said instanceof Map) || said.get("v")?.literal !== "1") return new Map();
  return new Map([...said].filter(([name, value]) => Object.hasOwn(rules, name) && rules[name](value)));
}
