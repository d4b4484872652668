/** An opener for `sealpush vectors verify`: answers each vector with its content, or with the reason why it does not open. */
import { Broken } from "./broken.mjs";
import { parsePayload } from "./envelope.mjs";
import { parse } from "./json.mjs";
import { Keys } from "./keys.mjs";
import { answerLines } from "./lines.mjs";
import { Opener } from "./opener.mjs";

const parsed = (value) => (value === undefined ? undefined : parse(Buffer.from(JSON.stringify(value))));

await answerLines((question) => {
  const { topic, now, accepts, payload, after, locked } = question;
  const keys = new Keys({ device: parsed(question.keys), shared: parsed(question.shared), senders: parsed(question.senders) });
  const opener = new Opener({ topic, ...accepts, keys: locked ? null : keys });
  if (after !== undefined) opener.notification(parsePayload(after), now);
  const message = question.as === "data" ? data(() => opener.data(parsePayload(payload), now, question.pushType))
    : opener.notification(parsePayload(payload), now);
  return message.reason === undefined ? { opened: message.content.toString() } : { reason: message.reason };
});

function data(open) {
  try {
    return open();
  } catch (error) {
    if (error instanceof Broken) return error;
    throw error;
  }
}
