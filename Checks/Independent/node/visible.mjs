import { JSONNumber } from "../../../Examples/node/lib/json.mjs";

const placeholder = [["title", "New notification"], ["body", "(Encrypted)"]];
const activityMembers = [
  "timestamp", "event", "stale-date", "dismissal-date", "relevance-score", "attributes-type", "input-push-token",
  "input-push-channel",
];

/** Section 1: the visible payload around `envelope` for a content, with the usual title and the default sound. */
export function visiblePayload(pushType, content, envelope) {
  const sealed = ["ENCRYPTED_DATA", envelope];
  switch (pushType) {
    case "alert":
      return new Map([["aps", new Map([
        ["alert", new Map(placeholder)], ["mutable-content", new JSONNumber("1")], ["sound", "default"],
      ])], sealed]);
    case "background":
      return new Map([["aps", new Map([["content-available", new JSONNumber("1")]])], sealed]);
    case "voip":
    case "complication":
    case "pushtotalk":
      return new Map([["aps", new Map()], sealed]);
    case "fcm":
    case "fcm-data":
      return new Map([sealed]);
    case "liveactivity":
      return new Map([["aps", activity(content.get("aps"), sealed)]]);
    default:
      throw new Error(`push type ${pushType}`);
  }
}

function activity(aps, sealed) {
  const visible = new Map(activityMembers.filter((name) => aps.has(name)).map((name) => [name, aps.get(name)]));
  if (aps.has("attributes")) visible.set("attributes", new Map());
  if (aps.has("alert")) visible.set("alert", new Map([...placeholder, ["sound", "default"]]));
  visible.set("content-state", new Map([sealed]));
  return visible;
}
