import { isNonEmpty } from "../../../Examples/node/lib/content.mjs";
import { Double, userInfo } from "./user_info.mjs";

const nothing = {
  title: "", subtitle: "", body: "", sound: null, badge: null, category: "", threadIdentifier: "",
  targetContentIdentifier: null, interruptionLevel: "active", relevanceScore: new Double(0),
};

/** What a person sees for a content (sections 6 and 8). */
export function shownOpened(content, isAnonymous, envelopeKey) {
  const aps = content.get("aps");
  const alert = aps.get("alert");
  const text = (name, key) => {
    if (typeof alert === "string") return name === "body" ? alert : "";
    return [alert.get(name), alert.get(key)].find(isNonEmpty) ?? "";
  };
  const level = aps.get("interruption-level") ?? "active";
  return {
    title: text("title", "title-loc-key"), subtitle: text("subtitle", "subtitle-loc-key"), body: text("body", "loc-key"),
    sound: sound(aps.get("sound"), isAnonymous),
    badge: aps.get("badge")?.integer ?? null,
    category: aps.get("category") ?? "", threadIdentifier: aps.get("thread-id") ?? "",
    targetContentIdentifier: aps.get("target-content-id") ?? null,
    interruptionLevel: isAnonymous && ["time-sensitive", "critical"].includes(level) ? "active" : level,
    relevanceScore: new Double(aps.get("relevance-score")?.double ?? 0),
    userInfo: userInfo(content, envelopeKey),
  };
}

/** A name, or the object of a critical sound, which only a signed message may have. */
function sound(value, isAnonymous) {
  if (!(value instanceof Map)) return value ?? null;
  if (isAnonymous || value.get("critical")?.integer !== 1n) return value.get("name");
  const critical = new Map([["critical", 1n], ["name", value.get("name")]]);
  if (value.has("volume")) critical.set("volume", new Double(value.get("volume").double));
  return critical;
}

/** Section 8: what a person sees if a rule is broken or time runs out. */
export function shownDegraded(payload, reason, envelopeKey) {
  const aps = member(payload, "aps");
  const outerTitle = member(member(aps, "alert"), "title");
  const title = typeof outerTitle === "string" ? outerTitle : "";
  const envelope = member(payload, envelopeKey);
  const isKept = typeof envelope === "string" && Buffer.byteLength(envelope) <= 8192;
  const place = reason === "deadline" && title !== "" ? "subtitle" : "body";
  return {
    ...nothing, title, [place]: "(Encrypted)",
    sound: (member(aps, "sound") ?? null) === null ? null : "default",
    userInfo: new Map(isKept ? [[envelopeKey, envelope]] : []),
  };
}

/** A member of a value that may not be an object. */
export function member(value, name) {
  return value instanceof Map ? value.get(name) : undefined;
}
