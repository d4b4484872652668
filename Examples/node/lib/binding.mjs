import { ascii, unsigned } from "./bytes.mjs";

/** Section 3: what a message is bound to. */
export function bindingInfo(topic, suite, thumbprint) {
  return Buffer.concat([
    ascii("sealed-push v1"), Buffer.of(0), unsigned(topic.length, 2), ascii(topic), Buffer.of(1, suite.number), thumbprint,
  ]);
}
