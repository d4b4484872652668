import { JSONNumber } from "../../../Examples/node/lib/json.mjs";

/** A double, apart from integers. */
export class Double {
  constructor(value) {
    this.value = value;
  }
}

/** A value as property-list types (section 6): a `bigint` is an integer, a `Map` a dictionary, and null is undefined. */
export function propertyList(value) {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map(propertyList).filter((element) => element !== undefined);
  if (value instanceof Map) {
    return new Map([...value].map(([name, member]) => [name, propertyList(member)])
      .filter(([, member]) => member !== undefined));
  }
  return value instanceof JSONNumber ? number(value) : value;
}

function number(value) {
  const { integer, double, literal } = value;
  if (integer !== null) return BigInt.asIntN(64, integer) === integer ? integer : literal;
  return /[.eE]/.test(literal) && double !== null ? new Double(double) : literal;
}

/** The part of a content that the app gets: no reserved members (section 6). */
export function userInfo(content, envelopeKey) {
  const members = new Map(content);
  members.delete("sealed-push");
  members.delete(envelopeKey);
  return propertyList(members);
}
