import { require } from "../../../Examples/node/lib/errors.mjs";
import { openSignedSet } from "../../../Examples/node/lib/signed_set.mjs";

/** A device's set of senders after `text` arrived (rule 11.9), and whether it changed. `atHand` is a text or null. */
export function nextSenders(text, atHand, context) {
  const next = openSignedSet(text, context);
  const old = atHand === null ? null : opened(atHand, context);
  require(old === null || next.serial >= old.serial, "11.9", "older-serial");
  require(old === null || next.serial > old.serial || text === atHand, "11.9", "same-serial");
  return { ...next, isUnchanged: old !== null && next.serial === old.serial };
}

/** A set at hand that is no longer valid counts as none. */
function opened(text, context) {
  try {
    return openSignedSet(text, context);
  } catch {
    return null;
  }
}
