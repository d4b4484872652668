import { readFileSync } from "node:fs";
import { JSONNumber, parse } from "../../../Examples/node/lib/json.mjs";
import { Double } from "./user_info.mjs";

/** The result of a check that could not check all of its vector. */
export const notAll = Symbol("not all");

/** Counts vectors; an error that a check throws is the vector's failure. */
export class Tally {
  passed = 0;
  /** The vectors that were not checked completely. */
  apart = 0;
  failed = 0;

  check(id, run) {
    this.refuse(id, () => {
      if (run() === notAll) this.apart += 1;
      else this.passed += 1;
    });
  }

  /** Counts a failure if `run` throws. */
  refuse(id, run) {
    try {
      run();
    } catch (error) {
      this.failed += 1;
      console.error(`${id}: ${error.message}`);
    }
  }
}

export class Mismatch extends Error {}

/** A JSON file; a vector's `shown` is deeper than a content may be. */
export function readJSON(path) {
  return parse(readFileSync(path), 64);
}

/** A vector's members as properties, including numbers. */
export function properties(vector) {
  return Object.fromEntries([...vector].map(([name, value]) =>
    [name, value instanceof JSONNumber ? Number(value.literal) : value]));
}

export function expectEqual(actual, expected, what) {
  if (!isSame(actual, expected)) throw new Mismatch(`${what} is ${describe(actual)}, not ${describe(expected)}`);
}

/** Whether a property list, or an object of them, equals a JSON value. */
export function isSame(actual, expected) {
  if (typeof actual === "bigint") return expected instanceof JSONNumber && expected.integer === actual;
  if (actual instanceof Double) {
    return expected instanceof JSONNumber && expected.integer === null && Object.is(expected.double, actual.value);
  }
  if (actual instanceof JSONNumber) return expected instanceof JSONNumber && expected.literal === actual.literal;
  if (Array.isArray(actual)) {
    return Array.isArray(expected) && actual.length === expected.length
      && actual.every((element, index) => isSame(element, expected[index]));
  }
  const members = actual instanceof Map ? actual : null;
  if (members === null) return actual === expected;
  return expected instanceof Map && members.size === expected.size
    && [...members].every(([name, value]) => expected.has(name) && isSame(value, expected.get(name)));
}

function describe(value) {
  return JSON.stringify(value, (_, each) => {
    if (typeof each === "bigint") return String(each);
    return each instanceof Map ? Object.fromEntries(each) : each;
  })?.slice(0, 300);
}
