/** Opens one message per line: `device`, `shared`, `senders`, `topic`, `now`, `pushType`, `anonymous` and `payload`. */
import { encode } from "../../../Examples/node/lib/base64url.mjs";
import { Refused } from "../../../Examples/node/lib/errors.mjs";
import { parsePayload } from "./envelope.mjs";
import { InvalidJSON, parse } from "../../../Examples/node/lib/json.mjs";
import { jsonText } from "./json_text.mjs";
import { Keys } from "./keys.mjs";
import { answerLines } from "./lines.mjs";
import { Opener } from "./opener.mjs";
import { suites } from "./suites.mjs";

const everySuite = [...suites.values()].map((suite) => suite.name);

await answerLines(({ topic, now, pushType, anonymous, payload, ...sets }) => {
  const keys = new Keys(Object.fromEntries(
    Object.entries(sets).map(([name, set]) => [name, set === null ? undefined : parse(Buffer.from(JSON.stringify(set)))])));
  const opener = new Opener({ topic, keys, suites: everySuite, anonymous });
  const message = outcome(() => (pushType === "alert" ? opener.notification(parsePayload(payload), now)
    : opener.data(parsePayload(payload), now, pushType)));
  if (message instanceof InvalidJSON) return { refused: message.message };
  if (message.reason !== undefined) return { reason: message.reason };
  const { sender, suite, messageID, issuedAt, lifetime, content, shown } = message;
  const shownText = shown && jsonText(new Map(Object.entries(shown)));
  return { shownText, sender, suite: suite.name, messageID: messageID.toString("hex"), issuedAt, lifetime, content: encode(content) };
});

/** A message, or the error that says why there is none. */
function outcome(open) {
  try {
    return open();
  } catch (error) {
    if (error instanceof Refused || error instanceof InvalidJSON) return error;
    throw error;
  }
}
