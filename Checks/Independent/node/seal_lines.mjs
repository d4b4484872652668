/** Seals with `Examples/sealer.mjs`, a line each: `recipients`, `signer`, `topic`, `content`, `options`, `suite`, `ikmE`. */
import { SealError, seal, signingKey } from "../../../Examples/sealer.mjs";
import { deriveKeyPair } from "./derive_key_pair.mjs";
import { answerLines } from "./lines.mjs";
import { suites } from "./suites.mjs";

await answerLines(({ recipients, signer, topic, content, options, suite, ikmE }) => {
  const known = [...suites.values()].find((each) => each.name === suite);
  const ephemeral = ikmE ? deriveKeyPair(known, Buffer.from(ikmE, "hex")) : undefined;
  try {
    const key = signer === null ? undefined : signingKey(signer);
    return seal(recipients, topic, JSON.parse(content), { ...options, suite: suite ?? undefined, ephemeral, signer: key });
  } catch (error) {
    if (error instanceof SealError) return { refused: error.message };
    throw error;
  }
});
