import { decode, encode } from "./base64url.mjs";
import { Refused, require } from "./errors.mjs";
import { parsed } from "./json.mjs";
import { isName, isProof, openSignedSet, serviceOf } from "./signed_set.mjs";
import { keyID } from "./thumbprint.mjs";

/** The most persons of a registration. */
export const mostPersons = 16;

/** The members of an enrolment, but for its place: an `environment` of APNs, or the `service`. */
export const enrolmentMembers = ["v", "topic", "token", "keys"];

/** The services that a backend delivers through if it names none. */
export const apnsAlone = ["apns"];

/** The registrations of lines, by their names, in order. */
export function readLines(lines, services = apnsAlone) {
  return new Map([...openLines(lines, services)].map((line) => [line.name, line]));
}

/** The registrations of lines, one after the other; each is judged beside those before it (rule 11.17). */
export function* openLines(lines, services = apnsAlone) {
  const [names, taken] = [new Set(), { identity: new Set(), token: new Set(), key: new Set() }];
  for (const text of lines) {
    const line = openLine(text, services);
    require(!names.has(line.name), "11.17", "malformed-enrolment");
    const mine = owned(line.proven);
    for (const [what, values] of Object.entries(mine)) {
      if (values.some((value) => taken[what].has(value))) throw within("11.17", new Refused("11.16", `${what}-in-use`));
    }
    for (const [what, values] of Object.entries(mine)) for (const value of values) taken[what].add(value);
    names.add(line.name);
    yield line;
  }
}

/** What a registration has proven, and no other may have (rule 11.16). */
export function owned(proven) {
  if (proven === null) return { identity: [], token: [], key: [] };
  const token = proven.hasToken ? [tokenOf(proven.set)] : [];
  return { identity: [proven.set.signer], token, key: proven.kids.map(keyIDOf) };
}

/** A device's token, with its service: the same text is not the same token of another one. */
export function tokenOf({ claims }) {
  return `${serviceOf(claims)} ${claims.get("token")}`;
}

/** The key id of a `kid`. */
export function keyIDOf(kid) {
  return encode(keyID(decode(kid)));
}

/** A registration's line, without its line feed (rule 11.17, but for the lines before it). */
export function openLine(text, services = apnsAlone) {
  try {
    require(Buffer.byteLength(text) <= 65536, null, "too-large");
    const line = openMembers(text, [...enrolmentMembers, "registration", "identity"], null,
      ["person", "persons", "proven", "pending"], services);
    require(isName(line.values.get("registration")), null, "malformed-enrolment");
    const persons = openPersons(line.values);
    require(line.values.get("identity") === line.set.signer, null, "other-identity");
    const { values, set } = line;
    const proven = values.has("proven") ? openProven(values.get("proven"), set, services)
      : { set, kids: set.activeKids, hasToken: true };
    const pending = values.has("pending") ? openPending(values, set, proven) : null;
    return { name: values.get("registration"), persons, set, proven, pending };
  } catch (error) {
    throw within("11.17", error);
  }
}

/** The backend's names for whose device it is, in order: the member `person`, or two or more in `persons`. */
function openPersons(values) {
  require(!values.has("person") || !values.has("persons"), null, "malformed-enrolment");
  const persons = values.has("person") ? [values.get("person")] : values.get("persons") ?? [];
  const areNames = Array.isArray(persons) && persons.every(isName);
  const isRightCount = !values.has("persons") || (persons.length >= 2 && persons.length <= mostPersons);
  require(areNames && isRightCount, null, "malformed-enrolment");
  const isSorted = persons.every((name, index) => index === 0 || compareNames(persons[index - 1], name) < 0);
  require(isSorted, null, "malformed-enrolment");
  return persons;
}

/** Compares two names byte by byte. */
export function compareNames(one, other) {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** What is proven of a registration whose newest set is another, or null. */
function openProven(value, newest, services) {
  if (value === null) return null;
  const isGood = value instanceof Map && value.size === 3 && typeof value.get("keys") === "string"
    && Array.isArray(value.get("kids")) && typeof value.get("token") === "boolean";
  require(isGood, null, "malformed-enrolment");
  const set = openSignedSet(value.get("keys"), { topic: newest.claims.get("topic") });
  require(services.includes(serviceOf(set.claims)), "11.38", "unsupported-service");
  require(set.signer === newest.signer, null, "other-identity");
  const kids = set.activeKids.filter((kid) => value.get("kids").includes(kid));
  const isWhole = kids.length > 0 && kids.length === value.get("kids").length;
  require(set.serial <= newest.serial && isWhole, null, "malformed-enrolment");
  return { set, kids, hasToken: value.get("token") };
}

function openPending(values, set, proven) {
  const value = values.get("pending");
  const isGood = values.has("proven") && set.claims.has("audience") && value instanceof Map
    && [...value.keys()].every((name) => ["proof", "token", "kid", "claim"].includes(name))
    && isProof(value.get("proof")) && typeof value.get("token") === "boolean"
    && (!value.has("claim") || value.get("claim") === true);
  require(isGood, null, "malformed-enrolment");
  const kid = value.has("kid") ? value.get("kid") : kidToProve(set.activeKids, proven);
  require(set.activeKids.includes(kid), null, "malformed-enrolment");
  return { proof: value.get("proof"), token: value.get("token"), kid, isClaim: value.has("claim") };
}

/** The first of these keys that is not proven or, if all are, the first one. */
export function kidToProve(kids, proven) {
  return kids.find((kid) => !proven?.kids.includes(kid)) ?? kids[0];
}

/** Rules 11.10 to 11.12 and 11.38, but for the length. */
export function openMembers(text, names, topic, optional = [], services = apnsAlone) {
  const values = parsed(Buffer.from(text));
  require(values instanceof Map, "11.10", "malformed-enrolment");
  require(values.get("v")?.literal === "1", "11.10", "unsupported-version");
  const service = values.has("service") ? values.get("service") : "apns";
  const isNamed = !values.has("service") || service === "fcm";
  require(typeof service !== "string" || (isNamed && services.includes(service)), "11.38", "unsupported-service");
  require(!(values.get("keys") instanceof Map), "11.10", "unsigned");
  const all = [...names, values.has("service") ? "service" : "environment"];
  const areStrings = all.every((name) => name === "v" || typeof values.get(name) === "string");
  const areKnown = [...values.keys()].every((name) => all.includes(name) || optional.includes(name));
  require(areStrings && areKnown, "11.10", "malformed-enrolment");
  const set = openedSet(values.get("keys"), topic);
  const isSame = ["service", "topic", "environment", "token"].every((name) => values.get(name) === set.claims.get(name));
  require(isSame, "11.12", "mismatch");
  return { text, values, set };
}

function openedSet(text, topic) {
  try {
    return openSignedSet(text, { topic });
  } catch (error) {
    throw within("11.11", error);
  }
}

/** What a rule says that asks for others: its own number, the reason and the number of the one that is broken. */
export function within(rule, error) {
  if (!(error instanceof Refused)) return error;
  const outer = new Refused(rule, error.reason);
  outer.inner = error.rule ?? undefined;
  return outer;
}
