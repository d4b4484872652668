import * as base64url from "../../../../Examples/node/lib/base64url.mjs";
import { FormatFault, require } from "./format_fault.mjs";

const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/** The bytes of a member (rules 12.1 to 12.4); `decode` returns null for an invalid text. */
export function memberBytes(members, name, decode) {
  require(members.has(name), "12.1", "absent");
  const text = members.get(name);
  require(typeof text === "string", "12.2", "malformed", name);
  require(Buffer.byteLength(text) <= 8192, "12.3", "too-large");
  const bytes = decode(text);
  if (bytes === null) throw new FormatFault("12.4", "malformed", name);
  return bytes;
}

/** Base64 as an encoder writes it. */
export function base64(text) {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}

/** The same with white space between groups of four characters. */
export function base64InLines(text) {
  const groups = text.split(/[ \t\r\n]+/);
  return groups.slice(0, -1).every((group) => group.length % 4 === 0) ? base64(groups.join("")) : null;
}

/** Base64url with padding or without. */
export function base64url4(text) {
  return base64url.decode(text.length % 4 === 0 ? text.replace(/={1,2}$/, "") : text);
}

export function z85(text) {
  const groups = text.match(/.{1,5}/gsu) ?? [];
  const decoded = groups.map(group);
  return decoded.includes(null) ? null : Buffer.concat(decoded);
}

function group(characters) {
  let number = 0;
  for (const character of characters) {
    if (!digits.includes(character)) return null;
    number = 85 * number + digits.indexOf(character);
  }
  const count = characters.length - 1;
  if (count === 0 || number >= 256 ** count) return null;
  return Buffer.from(number.toString(16).padStart(2 * count, "0"), "hex");
}
