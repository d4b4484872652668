import { createHash } from "node:crypto";
import { encode } from "../../../Examples/node/lib/base64url.mjs";
import { require } from "../../../Examples/node/lib/errors.mjs";

/** When all that was issued at a floor has expired, in seconds. */
const floorEnds = 2592300;

/** An opener's memory of the messages that it has opened (section 7). */
export class ReplayMemory {
  /** In the order in which they were recorded. */
  #entries = new Map();
  /** By their origins. */
  #floors = new Map();
  #capacity;

  constructor(capacity = 1024) {
    this.#capacity = capacity;
  }

  /** `first`, `duplicate` or `not-checked` (rule 7.1). */
  mark({ origin, contentType, messageID, content, issuedAt, expiry, now }) {
    const name = `${origin} ${contentType} ${encode(messageID)}`;
    const digest = createHash("sha256").update(content).digest("hex");
    const known = this.#entries.get(name);
    if (known !== undefined && now <= known.expiry) {
      require(known.digest === digest, "7.1", "replayed");
      if (expiry > known.expiry) {
        this.#entries.set(name, { ...known, expiry, issuedAt: Math.max(issuedAt, known.issuedAt) });
      }
      return "duplicate";
    }
    if (issuedAt <= (this.#floors.get(origin) ?? -1)) return "not-checked";
    this.#entries.delete(name);
    this.#makeRoom(now);
    this.#entries.set(name, { origin, digest, issuedAt, expiry });
    return "first";
  }

  #makeRoom(now) {
    if (this.#entries.size < this.#capacity) return;
    for (const [name, entry] of this.#entries) if (entry.expiry < now) this.#entries.delete(name);
    for (const [origin, time] of this.#floors) if (now > time + floorEnds) this.#floors.delete(origin);
    for (const [name, { origin, issuedAt }] of this.#entries) {
      if (this.#entries.size < this.#capacity) return;
      this.#entries.delete(name);
      this.#floors.set(origin, Math.max(issuedAt, this.#floors.get(origin) ?? 0));
    }
  }
}
