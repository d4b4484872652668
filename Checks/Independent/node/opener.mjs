import { encode } from "../../../Examples/node/lib/base64url.mjs";
import { bindingInfo } from "../../../Examples/node/lib/binding.mjs";
import { Refused, require } from "../../../Examples/node/lib/errors.mjs";
import { parseContent } from "../../../Examples/node/lib/content.mjs";
import { envelopeText, parseEnvelope } from "./envelope.mjs";
import * as hpke from "./hpke.mjs";
import { authenticate, checkTimes, expiry, parsePlaintext } from "./plaintext.mjs";
import { parseRequest } from "./proof_request.mjs";
import { ReplayMemory } from "./replay.mjs";
import * as sharedSuite from "./shared_suite.mjs";
import { contentTypes } from "./content_types.mjs";
import { missingSuites } from "./suites.mjs";
import { member, shownDegraded, shownOpened } from "./shown.mjs";

/** Opens messages like a receiver of one app. Payloads are parsed JSON (`json.mjs`). */
export class Opener {
  #memory;

  /**
   * `suites` are the names of accepted suites, `lacks` the names of those that this system lacks; `keys` is null if the
   * key store cannot be read. `memory` is one of its own, unless it is given. `accounts` are the tags that are signed in, undefined for an opener that does not know them.
   */
  constructor({ topic, keys, suites, anonymous, lacks = missingSuites, accounts, memory, envelopeKey = "ENCRYPTED_DATA" }) {
    this.#memory = memory ?? new ReplayMemory();
    Object.assign(this, { topic, keys, suites, anonymous, lacks, accounts, envelopeKey });
  }

  /** A notification, or its placeholder with the rule that it breaks. */
  notification(payload, now, { deadline } = {}) {
    try {
      require(deadline !== 0, "8", "deadline");
      const message = this.#remembered(this.#open(envelopeText(payload, this.envelopeKey), contentTypes.alert, now), now);
      const shown = shownOpened(message.json, message.sender === null, this.envelopeKey);
      // Only the first has consequences.
      return { ...message, shown: message.repetition === "first" ? shown : { ...shown, sound: null } };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { rule, reason } = error;
      return { rule, reason, shown: shownDegraded(payload, reason, this.envelopeKey) };
    }
  }

  /** The data in a payload, or in a Live Activity's state, which is the only one not remembered; throws `Refused`. */
  data(payload, now, pushType) {
    const isActivity = pushType === "liveactivity";
    const place = isActivity ? member(member(payload, "aps"), "content-state") : payload;
    const message = this.#open(envelopeText(place, this.envelopeKey), contentTypes[pushType], now);
    return isActivity ? message : this.#remembered(message, now);
  }

  /** A proof request in a background push (rule 11.19), `{ request, kid }`; throws `Refused`. */
  proofRequest(payload, now) {
    const message = this.#open(envelopeText(payload, this.envelopeKey), contentTypes.proofRequest, now);
    this.#remembered(message, now);
    return { request: message.json, kid: message.recipient };
  }

  /** Rule 6.5. */
  #checkAccount(member) {
    if (this.accounts === undefined || !(member instanceof Map) || !member.has("account")) return;
    require(this.accounts.includes(member.get("account")), "6.5", "other-account");
  }

  #remembered(message, now) {
    const origin = message.sender ?? `anonymous ${message.recipient}`;
    const repetition = this.#memory.mark({ ...message, origin, expiry: expiry(message), now });
    return { ...message, repetition, isDuplicate: repetition === "duplicate" };
  }

  #open(text, contentType, now) {
    const { suite, keyID, encapsulated, ciphertext } = parseEnvelope(text);
    require(!this.lacks.includes(suite.name), "2.7", "unsupported-suite");
    require(this.suites.includes(suite.name), "2.6", "suite-not-accepted");
    require(this.keys !== null, "3.2", "key-locked");
    const recipient = this.keys.recipient(keyID, suite, now);
    require(recipient !== null, "3.1", "unknown-key");
    const info = bindingInfo(this.topic, suite, recipient.thumbprint);
    const scheme = suite.number === 0x10 ? sharedSuite : hpke;
    const plaintext = parsePlaintext(scheme.open(suite, recipient, encapsulated, info, ciphertext), contentType);
    const isRequest = contentType === contentTypes.proofRequest;
    require(!isRequest || plaintext.signature !== null, "11.19", "anonymous-not-accepted");
    const sender = authenticate(plaintext, info, this.keys, { anonymous: this.anonymous, now });
    checkTimes(plaintext, now);
    const json = isRequest ? parseRequest(plaintext.content) : parseContent(plaintext.content, contentType === 1);
    if (!isRequest) this.#checkAccount(json.get("sealed-push"));
    return { ...plaintext, contentType, suite, recipient: encode(recipient.thumbprint), sender, json };
  }
}
