import { createHash } from "node:crypto";
import { encode } from "../../../Examples/node/lib/base64url.mjs";
import { KeyFileError } from "../../../Examples/node/lib/errors.mjs";
import { parsed } from "../../../Examples/node/lib/json.mjs";
import { publicSet, secretMembers } from "../../../Examples/node/lib/key_set.mjs";
import { Mismatch, expectEqual, notAll, properties } from "./checker.mjs";
import { parsePayload } from "./envelope.mjs";
import { MessageChecks } from "./check_messages.mjs";
import { missingSuites } from "./suites.mjs";

const xwing = "xwing-aesgcm";

/**
 * Checks the lists of `xwing.json`. `node:crypto` has no ML-KEM: a valid envelope of this suite is only found to be
 * unsupported, and no seed is compared with its public key. Such vectors are counted.
 */
export class XWingChecks {
  #messages;
  #signed;
  #notOpened = 0;
  #notCompared = 0;

  constructor(messages, signed) {
    this.#messages = messages;
    this.#signed = signed;
  }

  sets(vector) {
    const { set, private: isPrivate = false, kids, id } = properties(vector);
    const found = readSet(parsed(Buffer.from(set)), isPrivate);
    if (id === "xwing-set-seed-other") {
      expectEqual(found?.length, 1, "the keys of a file whose seed nobody can check");
      this.#notCompared += 1;
      return notAll;
    }
    expectEqual(found, kids ?? null, "the keys");
    return undefined;
  }

  opened(vector) { return this.#message(vector, () => this.#messages.opened(vector)); }
  degraded(vector) { return this.#message(vector, () => this.#messages.degraded(vector)); }
  data(vector) { return this.#message(vector, () => this.#messages.data(vector)); }
  enrolments(vector) { return this.#signed.enrolments(vector); }
  registrations(vector) { return this.#signed.registrations(vector); }

  /** An envelope of this suite that keeps rules 2.1 to 2.5 is unsupported here. */
  #message(vector, check) {
    const { payload, expect, lacks } = properties(vector);
    const bytes = Buffer.from(parsePayload(payload).get("ENCRYPTED_DATA"), "base64url");
    const isOther = bytes[1] !== 3 || expect === "malformed-envelope" || lacks !== undefined;
    if (isOther || !missingSuites.includes(xwing)) return check();
    this.#messages.unsupported(vector);
    this.#notOpened += 1;
    return notAll;
  }

  /** A line about the vectors that were not checked completely. */
  get left() {
    return `not possible here, for Node has no ML-KEM: ${this.#notOpened} messages of xwing-aesgcm, found to be `
      + `unsupported, and ${this.#notCompared} seed`;
  }
}

/** A public set, with as many more keys as it says. */
export function checkSet(vector) {
  const { set, fill = 0, kids } = properties(vector);
  const more = Array.from({ length: fill }, (_, number) => moreKey(number)).join(",");
  const text = fill === 0 ? set : set.replace(/\](?=[^\]]*$)/, `,${more}]`);
  const read = parsed(Buffer.from(text));
  // A set with a role is one of section 11.
  const found = read instanceof Map && read.has("role") ? null : readSet(read, false);
  expectEqual(found?.slice(0, kids?.length), kids, "the keys");
}

/** An X25519 key that is not active: its x is SHA-256 of its number in 4 bytes, with the top bit cleared. */
function moreKey(number) {
  const digest = createHash("sha256").update(Buffer.from([0, 0, number >> 8, number & 255])).digest();
  digest[31] &= 0x7f;
  return JSON.stringify({ kty: "OKP", crv: "X25519", x: encode(digest), status: "accepted" });
}

/** The thumbprints of a set, or null if it is refused. */
function readSet(set, isPrivate) {
  try {
    return publicSet(isPrivate ? publicHalf(set) : set).keys.map((key) => encode(key.thumbprint));
  } catch (error) {
    if (error instanceof KeyFileError) return null;
    throw error;
  }
}

/** A private file without its seeds, each of which must have 32 bytes. */
function publicHalf(set) {
  const keys = set.get("keys").map((key) => {
    const seed = key.get("priv");
    const isSeed = typeof seed === "string" && Buffer.from(seed, "base64url").length === 32 && seed.length === 43;
    if (!isSeed) throw new KeyFileError("a key has no seed");
    return new Map([...key].filter(([name]) => !secretMembers.includes(name)));
  });
  return new Map([...set, ["keys", keys]]);
}
