import { encode } from "../../../Examples/node/lib/base64url.mjs";
import { require } from "../../../Examples/node/lib/errors.mjs";
import { compareNames, keyIDOf, kidToProve, mostPersons, owned, readLines, tokenOf } from "../../../Examples/node/lib/registrations.mjs";
import { openEnrolment } from "./enrolment.mjs";
import { suites } from "../../../Examples/node/lib/suites.mjs";
import { keyID } from "../../../Examples/node/lib/thumbprint.mjs";

/** A backend's registrations, in order. */
export class Registrations {
  #known;
  #services;

  constructor(lines, services) {
    this.#known = readLines(lines, services);
    this.#services = services;
  }

  /**
   * Takes an enrolment under a name (rules 11.10 to 11.24): `pending`, `registered`, `updated` or `unchanged`. `proof`
   * is the proof that is asked for next, `lacks` are the suites that the backend's system lacks. `challenge` is what the
   * backend gave to a fresh login for this name: the enrolment is a claim then. `person` is the login's, who replaces the
   * registration's persons or, with `joins`, joins them.
   */
  take(name, text, { audience, challenge, proof, keyAlone = false, lacks = [], person, joins = false }) {
    const { set } = openEnrolment(text, null, challenge, audience, this.#services);
    const isClaim = challenge !== undefined;
    const known = this.#known.get(name);
    const old = isClaim && known?.set.signer !== set.signer ? undefined : known;
    if (old !== undefined) {
      require(set.signer === old.set.signer, "11.14", "other-identity");
      require(set.claims.get("topic") === old.set.claims.get("topic"), "11.14", "other-topic");
      require(set.serial >= old.set.serial, "11.15", "older-serial");
      require(set.serial > old.set.serial || set.text === old.set.text, "11.15", "same-serial");
    }
    const holder = this.#others(name).find((each) => owned(each.proven).identity.includes(set.signer));
    const rival = isClaim ? holder : undefined;
    if (rival !== undefined) require(set.serial > rival.set.serial, "11.22", "older-serial");
    const before = known?.persons ?? [];
    const persons = isClaim && person !== undefined ? [...new Set(joins ? [...before, person] : [person])] : [...before];
    if (isClaim && joins) {
      const isOwn = before.length === 1 && before[0] === person;
      require(known === undefined || old !== undefined || isOwn, "11.24", "other-identity");
      require(rival === undefined, "11.24", "identity-in-use");
      require(persons.length <= mostPersons, "11.24", "too-many-persons");
    }
    const mine = {
      identity: set.signer, token: tokenOf(set), key: set.keys.map((key) => encode(keyID(key.thumbprint))),
    };
    // Rule 11.21: what moves must be proven, with its token.
    const whats = keyAlone ? ["identity", "token", "key"] : isClaim || old?.pending?.isClaim ? []
      : old ? ["identity", "key"] : ["identity", "token", "key"];
    this.#checkUnique(name, mine, whats);
    const { proven, pending } = rival !== undefined && hasProven(rival.proven, set)
      ? { name, set, proven: { set, kids: set.activeKids, hasToken: true }, pending: null }
      : settle(old ?? { name, set, proven: null, pending: null }, set,
        { proof, provesToken: !keyAlone, lacks, isClaim });
    const settled = { name, persons: persons.sort(compareNames), set, proven, pending };
    this.#known.set(name, settled);
    if (settled.proven !== null && facts(settled.proven) !== facts(old?.proven ?? null)) this.#yieldTo(settled);
    if (settled.pending !== null) return "pending";
    if (!old?.proven) return "registered";
    return facts(settled) === facts(old) ? "unchanged" : "updated";
  }

  /** Takes a person from a registration, which is removed if nobody else is left. */
  leave(name, person) {
    const known = this.#known.get(name);
    const persons = known.persons.filter((each) => each !== person);
    if (persons.length > 0) this.#known.set(name, { ...known, persons });
    else this.#known.delete(name);
  }

  /** The persons of a registration; undefined if there is none of this name. */
  persons(name) {
    return this.#known.get(name)?.persons;
  }

  /** The names of all registrations. */
  get names() {
    return [...this.#known.keys()];
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

  #others(name) {
    return [...this.#known.values()].filter((each) => each.name !== name);
  }

  /** Rule 11.16: only what the others have proven counts. */
  #checkUnique(name, mine, whats) {
    const others = this.#others(name).map((each) => owned(each.proven));
    for (const what of whats) {
      const isTaken = [mine[what]].flat().some((value) => others.some((other) => other[what].includes(value)));
      require(!isTaken, "11.16", `${what}-in-use`);
    }
  }

  /** Removes from the others what a registration has proven (rule 11.18). */
  #yieldTo(winner) {
    const { identity, token, key } = owned(winner.proven);
    const isTaken = (set, kids) => token.includes(tokenOf(set))
      || kids.some((kid) => key.includes(keyIDOf(kid)));
    for (const each of this.#others(winner.name)) {
      const { name, proven, set, pending } = each;
      const isSameDevice = identity.includes(set.signer);
      if (isSameDevice && proven !== null) {
        this.#known.delete(name);
        continue;
      }
      const losesAll = proven !== null && isTaken(proven.set, proven.kids);
      const isContested = isSameDevice || isTaken(set, set.activeKids);
      this.#known.set(name, { ...each, proven: losesAll ? null : proven, pending: isContested ? null : pending });
    }
  }
}

/** Whether what another registration has proven is all that a set has to prove (rule 11.23). */
function hasProven(proven, set) {
  return proven.hasToken && place(proven.set) === place(set) && set.activeKids.every((kid) => proven.kids.includes(kid));
}

/** Rule 11.18. */
function settle(old, set, { proof, provesToken, lacks, isClaim }) {
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
  const asked = { ...pending, isClaim: isClaim || old.pending?.isClaim === true };
  return { name: old.name, set, proven, pending: isProven && isWhole ? null : asked };
}

/** The active keys whose suites the backend has. */
function usableKids({ keys, activeKids }, lacks) {
  const suiteOf = (kid) => suites.find(({ kind }) => keys.some((key) => key.kind === kind && encode(key.thumbprint) === kid));
  return activeKids.filter((kid) => !lacks.includes(suiteOf(kid).name));
}

function place({ claims }) {
  return JSON.stringify(["service", "topic", "environment", "token"].map((name) => claims.get(name) ?? null));
}

/** The facts of a registration, or of its proven part, that can be compared. */
function facts(value) {
  return JSON.stringify(value, (name, part) => (name === "set" ? part.text : part));
}
