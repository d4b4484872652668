import { require } from "../../../Examples/node/lib/errors.mjs";
import { ascii, bigEndian } from "../../../Examples/node/lib/bytes.mjs";
import { encode } from "../../../Examples/node/lib/base64url.mjs";
import { isValidSignature } from "../../../Examples/node/lib/signature.mjs";

const malformed = "malformed-content";
const clockSkew = 300;

/** The fields of a plaintext (rules 5.1 to 5.6). `contentType` is the expected type. */
export function parsePlaintext(bytes, contentType) {
  let last = bytes.length - 1;
  while (last >= 0 && bytes[last] === 0) last -= 1;
  require(last >= 0 && bytes[last] === 0x80, "5.1", malformed);
  const body = bytes.subarray(0, last);
  require(body.length >= 1, "5.2", malformed);
  const signed = (body[0] & 1) === 1;
  const fieldsEnd = signed ? 37 : 29;
  const contentStart = signed ? 101 : 29;
  require(body.length >= contentStart, "5.2", malformed);
  require(body[0] >> 4 === contentType, "5.3", malformed);
  require((body[0] & 0b1110) === 0, "5.4", malformed);
  const issuedAt = bigEndian(body.subarray(17, 25));
  require(issuedAt < 2n ** 53n, "5.5", malformed);
  const lifetime = body.readUInt32BE(25);
  require(lifetime <= 2592000, "5.6", malformed);
  return {
    messageID: body.subarray(1, 17), issuedAt: Number(issuedAt), lifetime,
    senderID: signed ? body.subarray(29, 37) : null, signature: signed ? body.subarray(37, 101) : null,
    fields: body.subarray(0, fieldsEnd), content: body.subarray(contentStart),
  };
}

/** The thumbprint of the key that signed a plaintext; null for an anonymous one (rules 5.7 to 5.9). */
export function authenticate(plaintext, info, keys, { anonymous, now }) {
  if (plaintext.signature === null) {
    require(anonymous, "5.7", "anonymous-not-accepted");
    return null;
  }
  const sender = keys.sender(plaintext.senderID, plaintext.issuedAt, now);
  require(sender !== null, "5.8", "unknown-sender");
  const message = Buffer.concat([
    ascii("sealed-push v1 signature"), Buffer.of(0), info, plaintext.fields, plaintext.content,
  ]);
  require(isValidSignature(sender.publicBytes, message, plaintext.signature), "5.9", "bad-signature");
  return encode(sender.thumbprint);
}

/** Rules 5.10 and 5.11. */
export function checkTimes({ issuedAt, lifetime }, now) {
  require(now <= issuedAt + lifetime + clockSkew, "5.10", "expired");
  require(issuedAt <= now + clockSkew, "5.11", "not-yet-valid");
}

/** When a message is forgotten. */
export function expiry({ issuedAt, lifetime }) {
  return issuedAt + lifetime + clockSkew;
}
