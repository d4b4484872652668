/** Seals with the installed package `sealedpush`, one line of JSON per question; answers with the payload or the error. */
import { createInterface } from "node:readline";
import {
  DeviceKeySet, PublicKeySet, SealedPushError, Sealer, SenderSet, SigningKey, byPerson, readRegistrations,
} from "sealedpush";

function sealed({
  signer, published, roots, topic, registration, registrations, identity, signed, app, set, to: given, options,
  person, of, payload,
}) {
  const key = signer && SigningKey.parse(signer);
  const trust = published ? { published: SenderSet.parse(published, roots) } : {};
  const sealer = key ? new Sealer(topic, key, trust) : Sealer.anonymous(topic);
  const known = registration !== undefined ? readRegistrations(registrations) : new Map();
  const found = person === undefined ? known.get(registration) : byPerson(known).get(person)[0];
  const to = given ?? (registration !== undefined ? (of === undefined ? found : found.of(of))
    : identity !== undefined ? DeviceKeySet.verify(signed, identity, app) : PublicKeySet.parse(set));
  const push = sealer.seal(payload, to, options);
  return { payload: push.payload.toString(), headers: push.headers, token: to.token ?? null };
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = sealed(JSON.parse(line));
  } catch (error) {
    if (!(error instanceof SealedPushError)) throw error;
    answer = { error: `${error.name}: ${error.reason ?? error.message}` };
  }
  console.log(JSON.stringify(answer));
}
