import { openCBC, openGCM } from "./aes.mjs";
import { base64, memberBytes } from "./envelope_text.mjs";
import { require } from "./format_fault.mjs";

export function open({ mode, key: keyText, iv: kept }, payload) {
  const [key, size] = [Buffer.from(keyText), mode === "cbc" ? 16 : 12];
  const isVector = (value) => typeof value === "string" && Buffer.byteLength(value) === size;
  require([16, 24, 32].includes(key.length) && (kept === undefined || isVector(kept)), "12.8", "refused");
  const bytes = memberBytes(payload, "ciphertext", base64);
  const isPossible = mode === "cbc" ? bytes.length > 0 && bytes.length % 16 === 0 : bytes.length >= 16;
  require(isPossible, "12.9", "malformed", "ciphertext");
  const iv = payload.has("iv") ? payload.get("iv") : kept;
  require(isVector(iv), "12.10", "malformed", "iv");
  return (mode === "cbc" ? openCBC : openGCM)(key, Buffer.from(iv), bytes, "12.11");
}

export function looksLike(payload) {
  const text = payload.get("ciphertext");
  return typeof text === "string" && text !== "" && !payload.has("ephemeral")
    && (!payload.has("iv") || typeof payload.get("iv") === "string");
}
