import { Refused, require } from "../../../Examples/node/lib/errors.mjs";
import { parsed } from "../../../Examples/node/lib/json.mjs";
import { isCount } from "../../../Examples/node/lib/key_set.mjs";
import { within } from "../../../Examples/node/lib/registrations.mjs";
import { isName, isTopic, openJWS, signerOf } from "../../../Examples/node/lib/signed_set.mjs";
import { isMessageID } from "./message_id.mjs";

const uses = { voip: "voip", complication: "complication", pushtotalk: "pushtotalk", start: "liveactivity",
  activity: "liveactivity" };
const named = ["start", "activity"];

/** A receipt for the app `topic`, or for any if it is null, and for the backend `audience` (rules 11.31 and 11.32). */
export function openReceipt(text, context) {
  return openStatement(text, "receipt", { outer: "11.31", signed: "11.32", claims: "11.32" }, context, (claims) => {
    const messages = claims.get("messages");
    require(Array.isArray(messages) && messages.length >= 1 && messages.length <= 500, null, "malformed-claims");
    require(messages.every(isMessageID) && new Set(messages).size === messages.length, null, "malformed-claims");
  });
}

/** A device's other tokens (rules 11.34 to 11.36); `tokens` has those whose use is known. */
export function openTokens(text, context) {
  const statement = openStatement(text, "tokens", { outer: "11.34", signed: "11.35", claims: "11.36" }, context, (claims) => {
    const isGood = ["production", "sandbox"].includes(claims.get("environment")) && isCount(claims.get("serial"), 1n);
    require(isGood, null, "malformed-claims");
    const tokens = claims.get("tokens");
    require(Array.isArray(tokens) && tokens.length <= 32 && tokens.every(isEntry), null, "malformed-claims");
    const known = knownOf(tokens);
    require(known.every((entry) => isNamedRight(entry)), null, "malformed-claims");
    for (const of of [(entry) => JSON.stringify([entry.get("use"), entry.get("name")]), placeOf]) {
      require(new Set(known.map(of)).size === known.length, null, "malformed-claims");
    }
  });
  return { ...statement, tokens: knownOf(statement.claims.get("tokens")), serial: Number(statement.claims.get("serial").literal) };
}

/**
 * The name of the registration whose tokens they are, and whether something changes (rule 11.37). `before` has the last ones
 * of each identity.
 */
export function takeTokens(tokens, registrations, before) {
  const all = [...registrations.values()].filter((one) => one.proven !== null);
  const own = all.find((one) => one.set.signer === tokens.identity);
  require(own !== undefined, "11.37", "not-registered");
  const isSame = (name) => own.proven.set.claims.get(name) === tokens.claims.get(name);
  require(isSame("topic"), "11.37", "other-topic");
  require(isSame("environment"), "11.37", "mismatch");
  const last = before.get(tokens.identity);
  if (last !== undefined) {
    require(tokens.serial >= last.serial, "11.37", "older-serial");
    require(tokens.serial > last.serial || tokens.text === last.text, "11.37", "same-serial");
    if (tokens.text === last.text) return { name: own.name, isNew: false };
  }
  const places = new Set(tokens.tokens.map(placeOf));
  for (const other of all.filter((one) => one !== own)) {
    const theirs = before.get(other.set.signer);
    const isElsewhere = theirs === undefined
      || ["topic", "environment"].some((name) => theirs.claims.get(name) !== tokens.claims.get(name));
    require(isElsewhere || !theirs.tokens.some((entry) => places.has(placeOf(entry))), "11.37", "token-in-use");
  }
  return { name: own.name, isNew: true };
}

function openStatement(text, kind, rules, { topic, audience }, checkClaims) {
  require(Buffer.byteLength(text) <= 32768, rules.outer, "too-large");
  const values = parsed(Buffer.from(text));
  require(values instanceof Map, rules.outer, `malformed-${kind}`);
  require(values.get("v")?.literal === "1", rules.outer, "unsupported-version");
  require(values.size === 2 && typeof values.get(kind) === "string", rules.outer, `malformed-${kind}`);
  const { publicBytes, payload } = openedJWS(values.get(kind), `sealed-push-${kind}+jws`, rules.signed);
  const claims = parsed(payload);
  require(claims instanceof Map, rules.claims, "malformed-claims");
  require(claims.get("v")?.literal === "1", rules.claims, "unsupported-version");
  const isGood = isTopic(claims.get("topic")) && isCount(claims.get("iat"), 0n) && isName(claims.get("audience"));
  require(isGood, rules.claims, "malformed-claims");
  try {
    checkClaims(claims);
  } catch (error) {
    throw error instanceof Refused ? new Refused(rules.claims, error.reason) : error;
  }
  require(topic === null || claims.get("topic") === topic, rules.claims, "other-topic");
  require(claims.get("audience") === audience, rules.claims, "other-audience");
  return { text: values.get(kind), claims, identity: signerOf(publicBytes) };
}

function openedJWS(text, type, rule) {
  try {
    return openJWS(text, { type });
  } catch (error) {
    throw within(rule, error);
  }
}

function isEntry(entry) {
  return entry instanceof Map && ["use", "token"].every((name) => typeof entry.get(name) === "string")
    && (!entry.has("name") || typeof entry.get("name") === "string")
    && /^(?:[0-9a-f]{2}){1,256}$/.test(entry.get("token"));
}

function knownOf(tokens) {
  return tokens.filter((entry) => Object.hasOwn(uses, entry.get("use")));
}

function isNamedRight(entry) {
  if (!named.includes(entry.get("use"))) return !entry.has("name");
  return isName(entry.get("name")) && Buffer.byteLength(entry.get("name")) <= 128;
}

/** The type of pushes, and the token. */
function placeOf(entry) {
  return `${uses[entry.get("use")]} ${entry.get("token")}`;
}
