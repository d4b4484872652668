import { decode } from "../../../Examples/node/lib/base64url.mjs";
import { isMessageID } from "./message_id.mjs";

const isBytes = (value) => typeof value === "string" && decode(value) !== null;

/** The ids among the first 32 of `removes`. */
const removed = (value) => (Array.isArray(value) ? value.slice(0, 32).filter(isMessageID) : []);

/** What an opener heeds of an opened message's `sealed-push` (rules 6.6 and 6.7); what is not valid is passed over. */
export function heeded({ json, sender }) {
  const said = json.get("sealed-push");
  if (sender === null || !(said instanceof Map) || said.get("v")?.literal !== "1") return new Map();
  const heeds = new Map();
  if (isMessageID(said.get("replaces"))) heeds.set("replaces", said.get("replaces"));
  if (isBytes(said.get("bytes"))) heeds.set("bytes", said.get("bytes"));
  const removes = removed(said.get("removes"));
  if (removes.length > 0) heeds.set("removes", removes);
  return heeds;
}
