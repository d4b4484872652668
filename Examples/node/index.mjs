/**
 * Seals push notifications to devices by the sealed push format, version 1, with `node:crypto` alone.
 *
 *   const sealer = new Sealer("com.example.app", SigningKey.parse(readFileSync("sender.jwks")));
 *   const device = readRegistrations(readFileSync("registrations")).get("ada-1");
 *   const push = sealer.seal({ aps: { alert: { title: "Ada", body: "Lunch at noon?" } } }, device);
 *   // POST push.payload, byte for byte, with push.headers to /3/device/ and device.token.
 */
export { accountTag } from "./lib/accounts.mjs";
export { KeyFileError, Refused, SealError, SealedPushError } from "./lib/errors.mjs";
export { Leave } from "./lib/leave.mjs";
export { DeviceKeySet, PublicKeySet, Registration, SenderSet, byPerson, readRegistrations } from "./lib/recipients.mjs";
export { Sealer } from "./lib/sealer.mjs";
export { SigningKey } from "./lib/signing_key.mjs";
