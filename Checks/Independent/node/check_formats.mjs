import { encode } from "../../../Examples/node/lib/base64url.mjs";
import { Mismatch, expectEqual, notAll, properties } from "./checker.mjs";
import * as bark from "./formats/bark.mjs";
import { homeAssistant, sealedBox, zulip } from "./formats/boxes.mjs";
import { FormatFault, NotPossible } from "./formats/format_fault.mjs";
import * as openSSL from "./formats/openssl_salted.mjs";
import { draft, standard } from "./formats/web_push.mjs";
import { parse } from "../../../Examples/node/lib/json.mjs";

const formats = {
  "openssl-salted": openSSL, bark, "webpush-aes128gcm": standard, "webpush-aesgcm": draft,
  "sodium-sealed-box": sealedBox, zulip, "home-assistant": homeAssistant,
};

/** Checks the vectors of other systems' formats, and counts those whose box Node cannot open. */
export class FormatChecks {
  #notOpened = new Map();

  vector(vector) {
    const { format, parameters, payload: text, recognized, expect, rule, member, plaintext } = properties(vector);
    const payload = parse(Buffer.from(text));
    const looks = Object.keys(formats).filter((name) => formats[name].looksLike(payload));
    expectEqual(looks, recognized, "what it looks like");
    const found = this.#open(format, properties(parameters), payload);
    if (found instanceof NotPossible) {
      if (!["opened", "not-authentic"].includes(expect)) throw new Mismatch(`it came to its box, and not to ${expect}`);
      this.#notOpened.set(format, (this.#notOpened.get(format) ?? 0) + 1);
      return notAll;
    }
    expectEqual(found.reason ?? "opened", expect, "the reason");
    expectEqual(found.rule, rule, "the rule");
    expectEqual(found.member, member, "the member");
    expectEqual(found.plaintext, plaintext, "the plaintext");
    return undefined;
  }

  #open(format, parameters, payload) {
    try {
      return { plaintext: encode(formats[format].open(parameters, payload)) };
    } catch (error) {
      if (error instanceof FormatFault || error instanceof NotPossible) return error;
      throw error;
    }
  }

  /** A line about the envelopes that were not opened. */
  get left() {
    const counts = [...this.#notOpened].map(([name, count]) => `${name} ${count}`).join(", ");
    return `not possible here, for Node has no XSalsa20-Poly1305; looked at up to their boxes: ${counts || "none"}`;
  }
}
