import { decodeExactly } from "../../../Examples/node/lib/base64url.mjs";
import { require } from "../../../Examples/node/lib/errors.mjs";
import { parsed } from "../../../Examples/node/lib/json.mjs";
import { isName, isProof } from "../../../Examples/node/lib/signed_set.mjs";

/** The content of a proof request, `{ audience, identity, proof }` (rule 11.19). */
export function parseRequest(bytes) {
  const content = parsed(bytes);
  const isGood = content instanceof Map && content.size === 4 && content.get("v")?.literal === "1"
    && isName(content.get("audience")) && isProof(content.get("proof"))
    && typeof content.get("identity") === "string" && decodeExactly(content.get("identity"), 32) !== null;
  require(isGood, "11.19", "malformed-content");
  return Object.fromEntries(["audience", "identity", "proof"].map((name) => [name, content.get(name)]));
}

/** A device's checks before it answers (rule 11.20). `activeKids` are the `kid`s of the keys that it enrols now. */
export function checkAnswer({ request, kid }, { audience, identity, activeKids }) {
  require(request.audience === audience, "11.20", "other-audience");
  require(request.identity === identity, "11.20", "other-identity");
  require(activeKids.includes(kid), "11.20", "inactive-key");
}
