import { createECDH, hkdfSync } from "node:crypto";
import { decode } from "../../../../Examples/node/lib/base64url.mjs";
import { p256Key } from "../../../../Examples/node/lib/curves.mjs";
import { openGCM } from "./aes.mjs";
import { base64url4, memberBytes, z85 } from "./envelope_text.mjs";
import { keeps, require } from "./format_fault.mjs";

const carriages = { z85: ["p", z85], base64url: ["m", base64url4] };
const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");

export const standard = {
  open(parameters, payload) {
    const receiver = receiverOf(parameters);
    const { member, salt, sender, record } = standardParts(payload, parameters.carriage);
    require(p256Key(sender) !== null, "12.15", "malformed", member);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver.publicKey, sender]);
    const ikm = hkdf(receiver.auth, receiver.agree(sender), info, 32);
    const key = hkdf(salt, ikm, "Content-Encoding: aes128gcm\0", 16);
    const plaintext = openGCM(key, hkdf(salt, ikm, "Content-Encoding: nonce\0", 12), record, "12.16");
    const end = plaintext.findLastIndex((byte) => byte !== 0);
    require(end >= 0 && plaintext[end] === 2, "12.17", "malformed", member);
    return plaintext.subarray(0, end);
  },
  looksLike: (payload) => Object.keys(carriages).some((each) => keeps(() => standardParts(payload, each))),
};

export const draft = {
  open(parameters, payload) {
    const receiver = receiverOf(parameters);
    const { member, salt, sender, body } = draftParts(payload, parameters.carriage);
    require(p256Key(sender) !== null, "12.20", "malformed", "k");
    const size = Buffer.of(0, 65);
    const context = Buffer.concat([Buffer.from("P-256\0"), size, receiver.publicKey, size, sender]);
    const ikm = hkdf(receiver.auth, receiver.agree(sender), "Content-Encoding: auth\0", 32);
    const derive = (label, count) => hkdf(salt, ikm, Buffer.concat([Buffer.from(`Content-Encoding: ${label}\0`), context]), count);
    const plaintext = openGCM(derive("aesgcm", 16), derive("nonce", 12), body, "12.21");
    const end = 2 + plaintext.readUInt16BE(0);
    const isPadded = end <= plaintext.length && plaintext.subarray(2, end).every((byte) => byte === 0);
    require(isPadded, "12.22", "malformed", member);
    return plaintext.subarray(end);
  },
  looksLike: (payload) => Object.keys(carriages).some((each) => keeps(() => draftParts(payload, each))),
};

/** The receiver's keys (rule 12.12). */
function receiverOf({ privateKey, auth: authText }) {
  const [bytes, auth] = [decode(privateKey), decode(authText)];
  const number = BigInt("0x0" + bytes.toString("hex"));
  require(bytes.length === 32 && number > 0n && number < order && auth.length === 16, "12.12", "refused");
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(bytes);
  return { auth, publicKey: ecdh.getPublicKey(), agree: (sender) => ecdh.computeSecret(sender) };
}

function standardParts(payload, carriage) {
  const [member, decodeText] = carriages[carriage];
  require(!payload.has("k") && !payload.has("s"), "12.13", "absent");
  const body = memberBytes(payload, member, decodeText);
  const isLaidOut = body.length >= 86 + 17 && body[20] === 65 && body[21] === 4
    && body.readUInt32BE(16) >= 18 && body.length - 86 <= body.readUInt32BE(16);
  require(isLaidOut, "12.14", "malformed", member);
  return { member, salt: body.subarray(0, 16), sender: body.subarray(21, 86), record: body.subarray(86) };
}

function draftParts(payload, carriage) {
  const [member, decodeText] = carriages[carriage];
  require(payload.has("k") || payload.has("s"), "12.18", "absent");
  const part = (name, isGood) => {
    const bytes = memberBytes(payload, name, decodeText);
    require(isGood(bytes), "12.19", "malformed", name);
    return bytes;
  };
  const body = part(member, (bytes) => bytes.length >= 18 && bytes.length <= 4111);
  const sender = part("k", (bytes) => bytes.length === 65 && bytes[0] === 4);
  return { member, body, sender, salt: part("s", (bytes) => bytes.length === 16) };
}

function hkdf(salt, key, info, count) {
  return Buffer.from(hkdfSync("sha256", key, salt, info, count));
}
