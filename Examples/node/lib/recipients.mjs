import { createPublicKey } from "node:crypto";
import { accountTag } from "./accounts.mjs";
import { encode } from "./base64url.mjs";
import { KeyFileError, require } from "./errors.mjs";
import { parsed } from "./json.mjs";
import { publicSet } from "./key_set.mjs";
import { apnsAlone, openLine, openLines } from "./registrations.mjs";
import { activeKeys, openSignedSet, serviceOf } from "./signed_set.mjs";
import { suites } from "./suites.mjs";

const missing = "Node's crypto module has no ML-KEM; sealpush seal --lines and the package for Python have it";

/** A device's public keys: what `sealpush keys export` writes, or what stands in a signed set. */
export class PublicKeySet {
  #keys;

  constructor(set) {
    if (set.role !== undefined || set.use !== "enc") throw new KeyFileError("these are no device's public keys");
    this.#keys = activeKeys(set);
  }

  /** Nobody has signed it, so it must have come by a way that you trust. Throws `KeyFileError`. */
  static parse(text) {
    return new PublicKeySet(publicSet(parsed(bytesOf(text))));
  }

  /** The active key of a suite, or of the preferred one. */
  recipient(name) {
    return chosen(this.#keys, name);
  }
}

/** A device's signed set, of the identity that its backend has pinned. */
export class DeviceKeySet extends PublicKeySet {
  constructor(set) {
    super({ use: "enc", keys: set.keys });
    this.service = serviceOf(set.claims);
    for (const name of ["topic", "token", "environment"]) this[name] = set.claims.get(name);
  }

  /** `identity` is the thumbprint that the backend keeps. Throws `Refused`, also if another one signed the set. */
  static verify(text, identity, topic = null) {
    const set = openSignedSet(textOf(text), { topic });
    require(set.signer === identity, "11.14", "other-identity");
    return new DeviceKeySet(set);
  }
}

/** The senders' set that devices trust, as `sealpush keys sign-senders` signs it. */
export class SenderSet {
  constructor(set) {
    this.topic = set.claims.get("topic");
    this.endsAt = set.end;
    this.kids = set.keys.map((key) => encode(key.thumbprint));
  }

  /** `roots` is the roots' public set. Throws `Refused` if none of them signed it. */
  static parse(text, roots, topic = null) {
    const pinned = publicSet(parsed(bytesOf(roots)));
    if (pinned.role !== "root") throw new KeyFileError("this is no set of roots");
    const keys = new Map(pinned.keys.map((key) => [encode(key.thumbprint), key.publicBytes]));
    return new SenderSet(openSignedSet(textOf(text), { roots: keys, topic }));
  }
}

/** A device, as a backend has registered it; what it has proven is sealed to, and nothing else. */
export class Registration {
  #proven;
  #newest;

  constructor({ name, persons, identity, set, newest, proven, address }) {
    this.name = name;
    this.persons = persons;
    this.identity = identity ?? set.signer;
    this.#newest = newest ?? { topic: set.claims.get("topic"), serial: set.serial };
    this.#proven = address ?? (proven && addressOf(proven));
  }

  /** One line of a registrations' file, with its signatures verified. Throws `Refused`. */
  static parse(line, { services = apnsAlone } = {}) {
    return new Registration(openLine(textOf(line), services));
  }

  /** The topic and the serial of the newest enrolment, proven or not. */
  static newest(registration) { return registration.#newest; }

  /** The tag of the person's account, if the device has one person: see `of`. */
  get account() {
    return this.persons.length === 1 ? accountTag(this.persons[0], this.identity) : undefined;
  }

  /** The same device for messages to one of its persons. Throws `KeyFileError` if it is not that person's. */
  of(person) {
    if (!this.persons.includes(person)) throw new KeyFileError("the device is not this person's");
    const { name, identity } = this;
    return new Registration({
      name, persons: [person], identity, newest: this.#newest, address: this.#proven, proven: null,
    });
  }

  get service() { return this.#address.service; }
  get topic() { return this.#address.topic; }
  get token() { return this.#address.token; }
  get environment() { return this.#address.environment; }

  /** The proven key of a suite, or of the preferred one. */
  recipient(name) {
    return chosen(this.#address.keys, name);
  }

  get #address() {
    if (this.#proven === null) throw new KeyFileError("the device has not proven that it has its keys and its token");
    return this.#proven;
  }
}

/** What is proven and needed to seal: the rest of a set is not kept. */
function addressOf({ set, kids }) {
  const [topic, token, environment] = ["topic", "token", "environment"].map((name) => set.claims.get(name));
  const service = serviceOf(set.claims);
  return { service, topic, token, environment, keys: activeKeys(set).filter((key) => kids.includes(encode(key.thumbprint))) };
}

/** The registrations of a file by their names. One bad line makes the whole file refused: throws `Refused`. */
export function readRegistrations(text, { services = apnsAlone } = {}) {
  const lines = textOf(text).split("\n");
  require(lines.pop() === "", "11.17", "malformed-enrolment"); // each line ends with a line feed
  const registrations = new Map();
  for (const line of openLines(lines, services)) registrations.set(line.name, new Registration(line));
  return registrations;
}

/** The devices of each person, for messages to that person; a device may be several persons'. */
export function byPerson(registrations) {
  const found = new Map();
  for (const registration of registrations.values()) {
    for (const person of registration.persons) {
      if (!found.has(person)) found.set(person, []);
      found.get(person).push(registration.of(person));
    }
  }
  return found;
}

/** The first of these keys that is of a suite, if it is named, and otherwise of one that Node has. */
function chosen(keys, name) {
  if (name !== undefined && !suites.some((suite) => suite.name === name)) {
    throw new KeyFileError(`a suite is one of ${suites.map((suite) => suite.name).join(", ")}`);
  }
  for (const key of keys) {
    const suite = suites.find((each) => each.kind === key.kind);
    if (suite.isMissing && name === undefined) continue;
    if (suite.isMissing && name === suite.name) throw new KeyFileError(`nothing can be sealed with ${name}: ${missing}`);
    if (name === undefined || name === suite.name) return { ...key, suite, publicKey: keyObject(key) };
  }
  if (name === undefined && keys.length > 0) throw new KeyFileError(`the device's keys are for xwing-aesgcm alone: ${missing}`);
  throw new KeyFileError("the device has no active key of a suite that is wanted");
}

function keyObject({ kind, publicBytes }) {
  const jwk = kind === "P-256"
    ? { kty: "EC", crv: kind, x: encode(publicBytes.subarray(1, 33)), y: encode(publicBytes.subarray(33)) }
    : { kty: "OKP", crv: kind, x: encode(publicBytes) };
  return createPublicKey({ format: "jwk", key: jwk });
}

function bytesOf(text) {
  return typeof text === "string" ? Buffer.from(text) : text;
}

/** A name of a registration is not signed, so what is no text must not become another one. */
export function textOf(text) {
  try {
    if (typeof text !== "string") return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
  } catch {
    throw new KeyFileError("this is no UTF-8");
  }
  if (/\p{Surrogate}/u.test(text)) throw new KeyFileError("a surrogate has no pair");
  return text;
}
