import { suites as ofDevices } from "../../../Examples/node/lib/suites.mjs";

/** The suites of section 2, by their numbers; `encapsulated` is N. */
export const suites = new Map([
  ...ofDevices.map((suite) => [suite.number, suite]),
  [0x10, { number: 0x10, name: "shared-chachapoly", algorithm: "shared-chachapoly", encapsulated: 64,
    cipher: "chacha20-poly1305" }],
]);

/** The suites that `node:crypto` cannot open. */
export const missingSuites = ofDevices.filter((suite) => suite.isMissing).map((suite) => suite.name);
