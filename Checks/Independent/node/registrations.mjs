import { encode } from "./base64url.mjs";
import { require } from "./broken.mjs";
import { openEnrolment, openLine, within } from "./enrolment.mjs";
import { keyID } from "./thumbprint.mjs";

/** What a backend knows of its devices, in order. */
export class Registrations {
  #known = new Map();

  /** Reads lines; each is judged beside those before it (rule 11.17). */
  constructor(lines) {
    for (const text of lines) {
      const line = openLine(text);
      require(!this.#known.has(line.name), "11.17", "malformed-enrolment");
      try {
        this.#checkUnique(line.name, line.set);
      } catch (error) {
        throw within("11.17", error);
      }
      this.#known.set(line.name, line.set);
    }
  }

  /** Takes an enrolment under a name (rules 11.10 to 11.16): `registered`, `updated` or `unchanged`. */
  take(name, text) {
    const { set } = openEnrolment(text, null);
    const old = this.#known.get(name);
    if (old !== undefined) {
      require(set.signer === old.signer, "11.14", "other-identity");
      require(set.claims.get("topic") === old.claims.get("topic"), "11.14", "other-topic");
      require(set.serial >= old.serial, "11.15", "older-serial");
      require(set.serial > old.serial || set.text === old.text, "11.15", "same-serial");
      if (set.serial === old.serial) return "unchanged";
    }
    this.#checkUnique(name, set);
    this.#known.set(name, set);
    return old === undefined ? "registered" : "updated";
  }

  /** Name, signer and signed text of each. */
  get list() {
    return [...this.#known].map(([name, set]) => [name, set.signer, set.text]);
  }

  /** Rule 11.16. */
  #checkUnique(name, set) {
    const others = [...this.#known].filter(([each]) => each !== name).map(([, other]) => other);
    const has = (of, isSame) => others.some((other) => isSame(of(other), of(set)));
    const isEqual = (a, b) => a === b;
    const share = (a, b) => a.some((id) => b.includes(id));
    require(!has((each) => each.signer, isEqual), "11.16", "identity-in-use");
    require(!has((each) => each.claims.get("token"), isEqual), "11.16", "token-in-use");
    require(!has((each) => each.keys.map((key) => encode(keyID(key))), share), "11.16", "key-in-use");
  }
}
