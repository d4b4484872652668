/**
 * An opener for `sealpush vectors verify`: answers each message with its content, or with the reason why it does not open.
 * Other questions it does not know.
 */
import { Refused } from "../../../Examples/node/lib/errors.mjs";
import { parsePayload } from "./envelope.mjs";
import { parse } from "../../../Examples/node/lib/json.mjs";
import { Keys } from "./keys.mjs";
import { answerLines } from "./lines.mjs";
import { Opener } from "./opener.mjs";

const parsed = (value) => (value === undefined ? undefined : parse(Buffer.from(JSON.stringify(value))));

await answerLines((question) => {
  if (!["notification", "data"].includes(question.as)) return { unsupported: true };
  const { topic, now, accepts, payload, after, locked } = question;
  const keys = new Keys({ device: parsed(question.keys), shared: parsed(question.shared), senders: parsed(question.senders) });
  const opener = new Opener({ topic, ...accepts, lacks: question.lacks, accounts: question.accounts, keys: locked ? null : keys });
  const isData = question.as === "data";
  const open = (text) => (isData ? opener.data(parsePayload(text), now, question.pushType) : opener.notification(parsePayload(text), now));
  if (after !== undefined) open(after);
  const message = isData ? data(() => open(payload)) : open(payload);
  return message.reason === undefined ? { opened: message.content.toString() } : { reason: message.reason };
});

function data(open) {
  try {
    return open();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}
