// Code that tsc must accept, and, after each @ts-expect-error, a line that it must not.
import { PublicKeySet, Registration, SealedPush, Sealer, SigningKey, accountTag, byPerson, readRegistrations } from "sealedpush";

const key = SigningKey.parse("");
const device: Registration | undefined = readRegistrations(new Uint8Array()).get("ada-1");
const sealer = new Sealer("com.example.app", key);
if (device !== undefined) {
  const push: SealedPush = sealer.seal({ aps: { alert: "B" } }, device, { pushType: "alert", priority: 5 });
  const sent: [string, Uint8Array, string] = [device.token, push.payload, push.headers["apns-id"]];
  // @ts-expect-error: an unknown option
  sealer.seal({}, device, { pushtype: "alert" });
  console.log(sent, device.persons, device.of("ada").account ?? accountTag("ada", device.identity));
}
const devices: Registration[] | undefined = byPerson(readRegistrations("")).get("ada");
for (const each of devices ?? []) sealer.seal({}, each, { account: each.account });
Sealer.anonymous("com.example.app").seal("{}", PublicKeySet.parse("{}"));
// @ts-expect-error: anonymous only explicitly
new Sealer("com.example.app");
// @ts-expect-error: keys must be parsed or verified
new PublicKeySet();
// @ts-expect-error: a text is not a recipient
sealer.seal({}, "{}");
