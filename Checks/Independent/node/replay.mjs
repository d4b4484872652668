import { createHash } from "node:crypto";
import { encode } from "../../../Examples/node/lib/base64url.mjs";
import { require } from "../../../Examples/node/lib/errors.mjs";

/** An opener's memory of the messages that it has opened (section 7). */
export class ReplayMemory {
  #entries = new Map();
  #capacity;

  constructor(capacity = 1024) {
    this.#capacity = capacity;
  }

  /** Whether the message was opened before with the same content (rule 7.1). */
  isDuplicate({ origin, messageID, content, expiry, now }) {
    const name = `${origin} ${encode(messageID)}`;
    const digest = createHash("sha256").update(content).digest("hex");
    for (const [each, entry] of this.#entries) if (entry.expiry < now) this.#entries.delete(each);
    const known = this.#entries.get(name);
    require(known === undefined || known.digest === digest, "7.1", "replayed");
    this.#entries.set(name, { digest, expiry: Math.max(expiry, known?.expiry ?? 0) });
    if (this.#entries.size > this.#capacity) this.#entries.delete(this.#entries.keys().next().value);
    return known !== undefined;
  }
}
