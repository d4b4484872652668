/** Seals with `Examples/node`, one message per line: `recipients`, `signer`, `topic`, `content`, `options`, `suite`, `ikmE`. */
import { PublicKeySet, SealedPushError, Sealer, SigningKey } from "../../../Examples/node/index.mjs";
import { newKey } from "../../../Examples/node/lib/hpke.mjs";
import { sealWith } from "../../../Examples/node/lib/sealer.mjs";
import { deriveKeyPair } from "./derive_key_pair.mjs";
import { answerLines } from "./lines.mjs";

await answerLines(({ recipients, signer, topic, content, payload, options, suite, ikmE }) => {
  const ephemeral = ikmE ? (known) => deriveKeyPair(known, Buffer.from(ikmE, "hex")) : newKey;
  try {
    const signingKey = signer === null ? null : SigningKey.parse(signer);
    const sealer = signingKey === null ? Sealer.anonymous(topic) : new Sealer(topic, signingKey);
    const sealed = sealWith(ephemeral, { topic: sealer.topic, signingKey }, payload ?? content, PublicKeySet.parse(recipients),
      { ...options, suite: suite ?? undefined });
    return { payload: sealed.payload.toString(), headers: sealed.headers };
  } catch (error) {
    if (error instanceof SealedPushError) return { refused: error.message };
    throw error;
  }
});
