/**
 * Strict JSON (rule 6.1). `JSON.parse` keeps the last of two members of one name, forgets how a number was written,
 * takes surrogates without their pairs, and is not limited in depth.
 *
 * An object is a `Map`, a number a `JSONNumber`; all else is what it is in JavaScript.
 */

const deepest = 32;

export class InvalidJSON extends Error {}

/** A number as it was written. */
export class JSONNumber {
  constructor(literal) {
    this.literal = literal;
  }

  /** The value of one written in digits alone, with a minus sign or not; null for others and for `-0`. */
  get integer() {
    return /^-?[0-9]+$/.test(this.literal) && this.literal !== "-0" ? BigInt(this.literal) : null;
  }

  /** The value as a double; null if it is not finite, or zero although a digit before the exponent is not. */
  get double() {
    const value = Number(this.literal);
    if (!Number.isFinite(value)) return null;
    return value === 0 && /[1-9]/.test(this.literal.split(/[eE]/)[0]) ? null : value;
  }
}

/** Parses all of `bytes`, containers at most `depth` deep; throws `InvalidJSON`. */
export function parse(bytes, depth = deepest) {
  let text;
  try {
    // A byte order mark stays in the text, where it is no white space.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new InvalidJSON("no UTF-8");
  }
  const parser = new Parser(text, depth);
  const value = parser.value(0);
  parser.skipSpace();
  if (parser.at !== text.length) throw new InvalidJSON("something behind the value");
  return value;
}

/** The value that `bytes` are, or undefined. */
export function parsed(bytes) {
  try {
    return parse(bytes);
  } catch (error) {
    if (error instanceof InvalidJSON) return undefined;
    throw error;
  }
}

/** Parsed JSON without white space. */
export function compact(value) {
  if (value instanceof JSONNumber) return value.literal;
  if (Array.isArray(value)) return `[${value.map(compact).join(",")}]`;
  if (value instanceof Map) {
    return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${compact(member)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

const escapes = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

class Parser {
  constructor(text, deepest) {
    this.text = text;
    this.deepest = deepest;
    this.at = 0;
  }

  skipSpace() {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at += 1;
  }

  /** What `pattern`, a sticky one, matches here; null if it does not. */
  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at += found[0].length;
    return found[0];
  }

  expect(character) {
    this.skipSpace();
    if (this.text[this.at] !== character) throw new InvalidJSON(`no ${character} at ${this.at}`);
    this.at += 1;
  }

  /** Whether the next character is this one, which is then read. */
  takes(character) {
    this.skipSpace();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  value(depth) {
    this.skipSpace();
    if (this.takes("{")) return this.object(depth + 1);
    if (this.takes("[")) return this.array(depth + 1);
    if (this.text[this.at] === '"') return this.string();
    const number = this.match(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y);
    if (number !== null) return new JSONNumber(number);
    switch (this.match(/true|false|null/y)) {
      case "true": return true;
      case "false": return false;
      case "null": return null;
      default: throw new InvalidJSON(`no value at ${this.at}`);
    }
  }

  object(depth) {
    if (depth > this.deepest) throw new InvalidJSON("too deep");
    const members = new Map();
    if (this.takes("}")) return members;
    do {
      this.skipSpace();
      const name = this.string();
      if (members.has(name)) throw new InvalidJSON("a member twice");
      this.expect(":");
      members.set(name, this.value(depth));
    } while (this.takes(","));
    this.expect("}");
    return members;
  }

  array(depth) {
    if (depth > this.deepest) throw new InvalidJSON("too deep");
    const elements = [];
    if (this.takes("]")) return elements;
    do elements.push(this.value(depth));
    while (this.takes(","));
    this.expect("]");
    return elements;
  }

  string() {
    if (this.text[this.at] !== '"') throw new InvalidJSON(`no string at ${this.at}`);
    this.at += 1;
    let string = "";
    for (;;) {
      string += this.match(/[^"\\\u0000-\u001f]*/y);
      const next = this.text[this.at];
      if (next !== '"' && next !== "\\") throw new InvalidJSON("an open string, or a control character in it");
      this.at += 1;
      if (next === '"') break;
      string += this.escape();
    }
    if (/\p{Surrogate}/u.test(string)) throw new InvalidJSON("a surrogate without its pair");
    return string;
  }

  escape() {
    const letter = this.text[this.at];
    if (letter === "u") {
      const digits = this.match(/u[0-9a-fA-F]{4}/y);
      if (digits === null) throw new InvalidJSON("no four digits");
      return String.fromCharCode(parseInt(digits.slice(1), 16));
    }
    if (letter === undefined || !Object.hasOwn(escapes, letter)) throw new InvalidJSON("an unknown escape");
    this.at += 1;
    return escapes[letter];
  }
}
