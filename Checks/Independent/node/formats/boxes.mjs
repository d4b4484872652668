/** The formats with XSalsa20-Poly1305 boxes: everything except opening the boxes. */
import { decode } from "../../../../Examples/node/lib/base64url.mjs";
import { isSmallOrderX25519 } from "../../../../Examples/node/lib/curves.mjs";
import { JSONNumber } from "../../../../Examples/node/lib/json.mjs";
import { base64, memberBytes } from "./envelope_text.mjs";
import { NotPossible, keeps, require } from "./format_fault.mjs";

export const sealedBox = {
  open({ privateKey, member = "sealed_box" }, payload) {
    require(decode(privateKey).length === 32, "12.23", "refused");
    const box = boxBytes(payload, member, 48, "12.24");
    require(!isSmallOrderX25519(box.subarray(0, 32)), "12.25", "not-authentic");
    throw new NotPossible();
  },
  looksLike: (payload) => keeps(() => boxBytes(payload, "sealed_box", 48, "12.24")),
};

export const zulip = {
  open({ keys }, payload) {
    const known = keys.map((key) => {
      const bytes = base64(key.get("pushKey"));
      require(bytes !== null && bytes.length === 33 && bytes[0] === 0x31, "12.26", "refused");
      return key.get("id").literal;
    });
    require(known.includes(zulipNumber(payload)), "12.29", "wrong-key");
    throw new NotPossible();
  },
  looksLike: (payload) => keeps(() => zulipNumber(payload)),
};

export const homeAssistant = {
  open({ secret, rule, webhookID }, payload) {
    require(rule === "hexadecimal" ? /^[0-9a-fA-F]{64}$/.test(secret) : secret !== "", "12.31", "refused");
    homeAssistantBox(payload);
    if (payload.has("webhook_id")) {
      const id = payload.get("webhook_id");
      require(typeof id === "string", "12.34", "malformed", "webhook_id");
      require(webhookID === undefined || id === webhookID, "12.34", "wrong-key");
    }
    throw new NotPossible();
  },
  looksLike: (payload) => keeps(() => homeAssistantBox(payload)),
};

function boxBytes(payload, member, least, rule) {
  const bytes = memberBytes(payload, member, base64);
  require(bytes.length >= least, rule, "malformed", member);
  return bytes;
}

/** The key's number as the payload writes it (rules 12.27 and 12.28). */
function zulipNumber(payload) {
  require(payload.has("push_key_id"), "12.27", "absent");
  const number = payload.get("push_key_id");
  const isNumber = number instanceof JSONNumber && /^[0-9]+$/.test(number.literal) && number.integer < 2n ** 32n;
  require(isNumber, "12.27", "malformed", "push_key_id");
  boxBytes(payload, "encrypted_data", 40, "12.28");
  return number.literal;
}

function homeAssistantBox(payload) {
  require(payload.has("encrypted"), "12.32", "absent");
  const isEncrypted = payload.get("encrypted");
  require(typeof isEncrypted === "boolean", "12.32", "malformed", "encrypted");
  require(isEncrypted, "12.32", "absent");
  boxBytes(payload, "encrypted_data", 40, "12.33");
}
