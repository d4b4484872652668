import { encode } from "../../../Examples/node/lib/base64url.mjs";
import { require } from "../../../Examples/node/lib/errors.mjs";
import { keyIDOf, kidToProve, owned, readLines } from "../../../Examples/node/lib/registrations.mjs";
import { openEnrolment } from "./enrolment.mjs";
import { suites } from "../../../Examples/node/lib/suites.mjs";
import { keyID } from "../../../Examples/node/lib/thumbprint.mjs";

/** A backend's registrations, in order. */
export class Registrations {
  #known;

  constructor(lines) {
    this.#known = readLines(lines);
  }

  /**
   * Takes an enrolment under a name (rules 11.10 to 11.18): `pending`, `registered`, `updated` or `unchanged`. `proof`
   * is the proof that is asked for next, `lacks` are the suites that the backend's system lacks.
   */
  take(name, text, { audience, proof, keyAlone = false, lacks = [] }) {
    const { set } = openEnrolment(text, null, undefined, audience);
    const old = this.#known.get(name);
    if (old !== undefined) {
      require(set.signer === old.set.signer, "11.14", "other-identity");
      require(set.claims.get("topic") === old.set.claims.get("topic"), "11.14", "other-topic");
      require(set.serial >= old.set.serial, "11.15", "older-serial");
      require(set.serial > old.set.serial || set.text === old.set.text, "11.15", "same-serial");
    }
    this.#checkUnique(name, {
      identity: set.signer, token: set.claims.get("token"), key: set.keys.map((key) => encode(keyID(key.thumbprint))),
    });
    const settled = settle(old ?? { name, set, proven: null, pending: null }, set, proof, !keyAlone, lacks);
    this.#known.set(name, settled);
    if (facts(settled.proven) !== facts(old?.proven ?? null)) this.#yieldTo(settled);
    if (settled.pending !== null) return "pending";
    if (!old?.proven) return "registered";
    return facts(settled) === facts(old) ? "unchanged" : "updated";
  }

  /** The request to seal, and the key to seal it to, for a name with something pending. */
  request(name) {
    const known = this.#known.get(name);
    if (known === undefined || known.pending === null) return undefined;
    const { claims, signer } = known.set;
    const members = { v: 1, audience: claims.get("audience"), identity: signer, proof: known.pending.proof };
    return { kid: known.pending.kid, content: JSON.stringify(members) };
  }

  /** All registrations with all their facts. */
  get list() {
    return [...this.#known.values()].map(facts);
  }

  /** Rule 11.16: only what the others have proven counts. */
  #checkUnique(name, mine) {
    const others = [...this.#known.values()].filter((each) => each.name !== name).map((each) => owned(each.proven));
    for (const what of ["identity", "token", "key"]) {
      const isTaken = [mine[what]].flat().some((value) => others.some((other) => other[what].includes(value)));
      require(!isTaken, "11.16", `${what}-in-use`);
    }
  }

  /** Removes from the others what a registration has proven (rule 11.18). */
  #yieldTo(winner) {
    const { identity, token, key } = owned(winner.proven);
    for (const [name, each] of this.#known) {
      if (name === winner.name) continue;
      const { proven, set } = each;
      const losesToken = proven !== null && !proven.hasToken && token.includes(proven.set.claims.get("token"));
      const isContested = identity.includes(set.signer) || token.includes(set.claims.get("token"))
        || set.activeKids.some((kid) => key.includes(keyIDOf(kid)));
      if (losesToken || isContested) {
        this.#known.set(name, { ...each, proven: losesToken ? null : proven, pending: null });
      }
    }
  }
}

/** Rule 11.18. */
function settle(old, set, proof, provesToken, lacks) {
  const kids = set.activeKids;
  const isRepeated = old.pending?.token === provesToken && place(set) === place(old.set)
    && String(kids) === String(old.set.activeKids);
  const isAnswered = isRepeated && set.claims.get("proof") === old.pending.proof;
  const known = [...(old.proven?.kids ?? []), ...(isAnswered ? [old.pending.kid] : [])];
  const mine = kids.filter((kid) => known.includes(kid));
  const hasToken = (isAnswered && provesToken)
    || (old.proven !== null && old.proven.hasToken && place(old.proven.set) === place(set));
  const usable = usableKids(set, lacks);
  const isWhole = mine.length > 0 && usable.every((kid) => mine.includes(kid));
  const isProven = (isWhole || isAnswered) && (hasToken || !provesToken);
  const isAskedAnew = isAnswered || !isRepeated || (usable.length > 0 && !usable.includes(old.pending.kid));
  const proven = isProven ? { set, kids: mine, hasToken } : old.proven;
  const kid = kidToProve(usable.length > 0 ? usable : kids, proven);
  const pending = isAskedAnew ? { proof, token: provesToken, kid } : old.pending;
  return { name: old.name, set, proven, pending: isProven && isWhole ? null : pending };
}

/** The active keys whose suites the backend has. */
function usableKids({ keys, activeKids }, lacks) {
  const suiteOf = (kid) => suites.find(({ kind }) => keys.some((key) => key.kind === kind && encode(key.thumbprint) === kid));
  return activeKids.filter((kid) => !lacks.includes(suiteOf(kid).name));
}

function place({ claims }) {
  return JSON.stringify(["topic", "environment", "token"].map((name) => claims.get(name)));
}

/** The facts of a registration, or of its proven part, that can be compared. */
function facts(value) {
  return JSON.stringify(value, (name, part) => (name === "set" ? part.text : part));
}
