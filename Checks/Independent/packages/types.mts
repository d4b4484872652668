// Code that tsc must accept, and, after each @ts-expect-error, a line that it must not.
import {
  CallersMember, PublicKeySet, Registration, SealedPush, Sealer, SigningKey, accountTag, byPerson, readRegistrations,
} from "sealedpush";

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
const member: CallersMember = { v: 1, removes: ["2c75dea1-70b5-4c96-b740-1f3362cce2e9"], bytes: "AA" };
for (const each of devices ?? []) sealer.seal({ aps: { alert: "B" }, "sealed-push": member }, each);
// @ts-expect-error: there is no other version
const other: CallersMember = { v: 2, bytes: "AA" };
// @ts-expect-error: the account is an option
const named: CallersMember = { v: 1, account: "AAAAAAAAAAAAAAAAAAAAAA" };
console.log(other, named);
Sealer.anonymous("com.example.app").seal("{}", PublicKeySet.parse("{}"));
// @ts-expect-error: anonymous only explicitly
new Sealer("com.example.app");
// @ts-expect-error: keys must be parsed or verified
new PublicKeySet();
// @ts-expect-error: a text is not a recipient
sealer.seal({}, "{}");
