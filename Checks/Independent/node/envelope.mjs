import { tagLength } from "./aead.mjs";
import { decode } from "../../../Examples/node/lib/base64url.mjs";
import { require } from "../../../Examples/node/lib/errors.mjs";
import { InvalidJSON, parse } from "../../../Examples/node/lib/json.mjs";
import { suites } from "./suites.mjs";

/** Parses a payload; throws `InvalidJSON` if it breaks rule 6.1 or is not an object: then there is no message. */
export function parsePayload(text) {
  const payload = parse(Buffer.from(text));
  if (!(payload instanceof Map)) throw new InvalidJSON("no object");
  return payload;
}

/** The envelope's string in a parsed payload, or in a Live Activity's state (rules 1.1 to 1.3). */
export function envelopeText(members, key) {
  require(members instanceof Map && members.has(key), "1.1", "no-envelope");
  const text = members.get(key);
  require(typeof text === "string", "1.2", "malformed-envelope");
  require(Buffer.byteLength(text) <= 8192, "1.3", "too-large");
  return text;
}

/** The fields of an envelope (rules 2.1 to 2.5). */
export function parseEnvelope(text) {
  const bytes = decode(text);
  require(bytes !== null, "2.1", "malformed-envelope");
  require(bytes.length >= 1, "2.2", "malformed-envelope");
  require(bytes[0] === 1, "2.2", "unsupported-version");
  require(bytes.length >= 2, "2.3", "malformed-envelope");
  const suite = suites.get(bytes[1]);
  require(suite !== undefined, "2.3", "unsupported-suite");
  const end = 10 + suite.encapsulated;
  require(bytes.length >= end + tagLength, "2.4", "malformed-envelope");
  const encapsulated = bytes.subarray(10, end);
  require(suite.number !== 0x02 || encapsulated[0] === 4, "2.5", "malformed-envelope");
  return { suite, keyID: bytes.subarray(2, 10), encapsulated, ciphertext: bytes.subarray(end) };
}
