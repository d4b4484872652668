import { accountTag } from "../../../Examples/node/lib/accounts.mjs";
import { encode } from "../../../Examples/node/lib/base64url.mjs";
import { Refused } from "../../../Examples/node/lib/errors.mjs";
import { Mismatch, expectEqual, properties } from "./checker.mjs";
import { parsePayload } from "./envelope.mjs";
import { parse, parsed } from "../../../Examples/node/lib/json.mjs";
import { heeded } from "./callers_member.mjs";
import { Keys } from "./keys.mjs";
import { ReplayMemory } from "./replay.mjs";
import { Opener } from "./opener.mjs";
import { member } from "./shown.mjs";
import { suites } from "./suites.mjs";
import { sharedThumbprint } from "./shared_suite.mjs";
import { visiblePayload } from "./visible.mjs";

const everySuite = [...suites.values()].map((suite) => suite.name);

/** Checks the lists of vectors of messages, with the keys of one file. */
export class MessageChecks {
  #keys;

  /** `sets` has the parsed JWK Sets `device`, `shared` and `senders`. */
  constructor(sets) {
    this.#keys = new Keys(sets);
  }

  #opener(topic, { suites = everySuite, anonymous = true, locked = false, lacks, accounts, memory } = {}) {
    return new Opener({ topic, suites, anonymous, lacks, accounts, memory, keys: locked ? null : this.#keys });
  }

  opened(vector) {
    const { topic, now, payload: text, limit, shown, after, accounts, duplicate = false } = properties(vector);
    const payload = parsePayload(text);
    const opener = this.#opener(topic, { accounts });
    if (after !== undefined) expectEqual(opener.notification(parsePayload(after), now).reason, undefined, "the reason before");
    const message = opener.notification(payload, now);
    checkClaims(message, vector);
    expectEqual(message.isDuplicate, duplicate, "the first one's duplicate");
    expectEqual(new Map(Object.entries(message.shown)), shown, "shown");
    expectEqual(opener.notification(payload, now).isDuplicate, true, "the second one's duplicate");
    if (counted(payload, text, vector.get("pushType")) > limit) throw new Mismatch("it is too long");
  }

  degraded(vector) {
    const { topic, now, payload, accepts, after, locked, lacks, accounts, deadline, rule, expect, shown } = properties(vector);
    const opener = this.#opener(topic, { ...Object.fromEntries(accepts), locked, lacks, accounts });
    if (after !== undefined) {
      const before = opener.notification(parsePayload(after), now);
      expectEqual(before.reason, undefined, "the reason of the one before");
    }
    const outcome = opener.notification(parsePayload(payload), now, { deadline });
    expectEqual(outcome.reason, expect, "the reason");
    expectEqual(outcome.rule, rule, "the rule");
    expectEqual(new Map(Object.entries(outcome.shown)), shown, "shown");
  }

  /** What an opener heeds of what a caller says beside the content. */
  caller(vector) {
    const { topic, now, payload, heeds } = properties(vector);
    this.opened(vector);
    expectEqual(heeded(this.#opener(topic).notification(parsePayload(payload), now)), heeds, "what is heeded");
  }

  /** A push after others, which may open or not. */
  memory(vector) {
    const { topic, capacity, before, expect, rule } = properties(vector);
    const opener = this.#opener(topic, { memory: new ReplayMemory(capacity) });
    for (const push of before) marked(opener, properties(push));
    const found = marked(opener, properties(vector));
    expectEqual(found.mark ?? found.reason, expect, "the mark");
    expectEqual(found.rule, rule, "the rule");
  }

  /** A message of a suite that this system lacks. */
  unsupported(vector) {
    const { topic, now, payload } = properties(vector);
    const outcome = this.#opener(topic).notification(parsePayload(payload), now);
    expectEqual(outcome.rule, "2.7", "the rule");
    expectEqual(outcome.reason, "unsupported-suite", "the reason");
  }

  data(vector) {
    const { topic, now, payload: text, pushType, after, rule, expect, padding, limit, content, accounts } = properties(vector);
    const payload = parsePayload(text);
    const opener = this.#opener(topic, { accounts });
    const expected = { alert: "background", fcm: "fcm-data" }[pushType] ?? pushType;
    if (after !== undefined) opener.data(parsePayload(after), now, expected);
    for (let time = 0; time < 2; time += 1) {
      if (expect === "opened") {
        const message = opener.data(payload, now, expected);
        checkClaims(message, vector);
        expectEqual(message.isDuplicate, pushType === "liveactivity" ? undefined : time > 0, "whether it is a duplicate");
      } else expectBroken(() => opener.data(payload, now, expected), rule, expect);
    }
    // A message that was sealed as a notification is one if it has a text.
    const isNotification = this.#opener(topic).notification(payload, now).reason === undefined;
    const hasText = member(member(parsed(Buffer.from(content)), "aps"), "alert") !== undefined;
    expectEqual(isNotification, ["alert", "fcm"].includes(pushType) && hasText, "that it is a notification");
    if (expect === "opened" && padding !== "other") checkVisible(payload, pushType, content);
    if (padding !== "other" && counted(payload, text, pushType) > limit) throw new Mismatch("it is too long");
  }

  /** The tag of a person's account on a device. */
  tag(vector) {
    const { person, identity, tag } = properties(vector);
    expectEqual(accountTag(person, identity), tag, "the tag");
  }

  thumbprint(vector) {
    const { k, kid } = properties(vector);
    const thumbprint = sharedThumbprint(k);
    expectEqual(thumbprint === null ? null : encode(thumbprint), kid, "the thumbprint");
  }
}

/** What the memory says of a push, or why it does not open. */
function marked(opener, { payload: text, now, pushType }) {
  const payload = parsePayload(text);
  try {
    const message = pushType === undefined ? opener.notification(payload, now) : opener.data(payload, now, pushType);
    return message.reason === undefined ? { mark: message.repetition ?? "opened" } : message;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error;
  }
}

/** The bytes that count: those of the payload or, of FCM's data, those of the names and values. */
function counted(payload, text, pushType = "alert") {
  return pushType.startsWith("fcm") ? Buffer.byteLength([...payload].flat().join("")) : Buffer.byteLength(text);
}

function checkClaims(message, vector) {
  const { suite, sender, messageID, issuedAt, lifetime, content } = properties(vector);
  if (message.reason !== undefined) throw new Mismatch(`not opened: ${message.rule} ${message.reason}`);
  expectEqual(message.suite.name, suite, "the suite");
  expectEqual(message.sender, sender, "the sender");
  expectEqual(message.messageID.toString("hex"), messageID.replaceAll("-", ""), "the message id");
  expectEqual(message.issuedAt, issuedAt, "issued at");
  expectEqual(message.lifetime, lifetime, "the lifetime");
  expectEqual(message.content.toString("hex"), Buffer.from(content).toString("hex"), "the content");
}

function expectBroken(run, rule, reason) {
  try {
    run();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    expectEqual(error.reason, reason, "the reason");
    expectEqual(error.rule, rule, "the rule");
    return;
  }
  throw new Mismatch("it opened");
}

function checkVisible(payload, pushType, content) {
  const place = pushType === "liveactivity" ? member(member(payload, "aps"), "content-state") : payload;
  const expected = visiblePayload(pushType, parse(Buffer.from(content)), place.get("ENCRYPTED_DATA"));
  expectEqual(payload, expected, "what is visible");
  const order = (object) => [...(object.get("aps") ?? object).keys()];
  expectEqual(order(payload), order(expected), "the order of what is visible");
}
