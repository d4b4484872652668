import { Double } from "./user_info.mjs";

/** A property list, or null, as JSON: a double always has a fraction or an exponent. */
export function jsonText(value) {
  if (value instanceof Double) return doubleText(value.value);
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (value instanceof Map) {
    return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

function doubleText(value) {
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
