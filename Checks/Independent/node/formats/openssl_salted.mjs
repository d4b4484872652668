import { createHash, pbkdf2Sync } from "node:crypto";
import { openCBC } from "./aes.mjs";
import { base64InLines, memberBytes } from "./envelope_text.mjs";
import { require } from "./format_fault.mjs";

export function open({ password, iterations, digest, member = "ENCRYPTED_DATA" }, payload) {
  const size = Buffer.byteLength(password);
  require(size >= 1 && size <= 1024, "12.5", "refused");
  require(iterations === undefined || (iterations >= 1 && iterations <= 1_000_000), "12.5", "refused");
  const bytes = memberBytes(payload.has(member) ? payload : contentState(payload), member, base64InLines);
  const isLaidOut = bytes.subarray(0, 8).equals(Buffer.from("Salted__")) && bytes.length > 16 && bytes.length % 16 === 0;
  require(isLaidOut, "12.6", "malformed", member);
  const salt = bytes.subarray(8, 16);
  const derived = iterations === undefined ? oneRound(password, salt, digest) : pbkdf2Sync(password, salt, iterations, 48, digest);
  return openCBC(derived.subarray(0, 32), derived.subarray(32, 48), bytes.subarray(16), "12.7");
}

export function looksLike(payload) {
  return [...payload.values(), ...contentState(payload).values()]
    .some((value) => typeof value === "string" && value.startsWith("U2FsdGVkX1"));
}

function contentState(payload) {
  const aps = payload.get("aps");
  const state = aps instanceof Map ? aps.get("content-state") : undefined;
  return state instanceof Map ? state : new Map();
}

function oneRound(password, salt, digest) {
  const blocks = [];
  for (let last = Buffer.alloc(0), length = 0; length < 48; length += last.length) {
    last = createHash(digest).update(last).update(password).update(salt).digest();
    blocks.push(last);
  }
  return Buffer.concat(blocks);
}
