/** Runs every vector: `node check_vectors.mjs [DIR]`. An unknown file or list is a failure. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as attachments from "./check_attachments.mjs";
import { FormatChecks } from "./check_formats.mjs";
import { MessageChecks } from "./check_messages.mjs";
import { SignedChecks } from "./check_signed.mjs";
import { XWingChecks, checkSet } from "./check_xwing.mjs";
import { Mismatch, Tally, expectEqual, readJSON } from "./checker.mjs";

const directory = process.argv[2] ?? fileURLToPath(new URL("../../../Vectors", import.meta.url));
const keys = readJSON(join(directory, "keys.json"));
const sets = { device: keys.get("device"), senders: keys.get("sender") };

/** Checks of each file's lists, by their names. */
const files = {
  "opened.json": ({ messages }) => ({ vectors: (vector) => messages.opened(vector) }),
  "degraded.json": ({ messages }) => ({ vectors: (vector) => messages.degraded(vector) }),
  "data.json": ({ messages }) => ({ vectors: (vector) => messages.data(vector) }),
  "push-types.json": ({ messages }) => ({ vectors: (vector) => messages.data(vector) }),
  "shared.json": ({ messages }) => ({
    thumbprints: (vector) => messages.thumbprint(vector), opened: (vector) => messages.opened(vector),
    degraded: (vector) => messages.degraded(vector), data: (vector) => messages.data(vector),
  }),
  "accounts.json": ({ messages }) => ({
    tags: (vector) => messages.tag(vector), opened: (vector) => messages.opened(vector),
    degraded: (vector) => messages.degraded(vector), data: (vector) => messages.data(vector),
  }),
  "memory.json": ({ messages }) => ({ vectors: (vector) => messages.memory(vector) }),
  "callers.json": ({ messages }) => ({ vectors: (vector) => messages.caller(vector) }),
  "sets.json": () => ({ sets: checkSet }),
  "edges.json": ({ messages }) => ({
    opened: (vector) => messages.opened(vector), degraded: (vector) => messages.degraded(vector),
  }),
  "xwing.json": ({ messages }) => {
    xwing = new XWingChecks(messages, new SignedChecks(readJSON(join(directory, "signed.json")), sets));
    const names = ["sets", "opened", "degraded", "data", "enrolments", "registrations"];
    return Object.fromEntries(names.map((name) => [name, (vector) => xwing[name](vector)]));
  },
  "fcm.json": ({ messages, signed }) => ({
    opened: (vector) => messages.opened(vector), degraded: (vector) => messages.degraded(vector),
    data: (vector) => messages.data(vector), senders: (vector) => signed.senders(vector),
    enrolments: (vector) => signed.enrolments(vector), registrations: (vector) => signed.registrations(vector),
  }),
  "formats.json": () => ({ vectors: (vector) => formats.vector(vector) }),
  "attachments.json": () => attachments,
  "signed.json": ({ signed }) => ({
    senders: (vector) => signed.senders(vector), enrolments: (vector) => signed.enrolments(vector),
    registrations: (vector) => signed.registrations(vector), messages: (vector) => signed.messages(vector),
    requests: (vector) => signed.requests(vector), leaves: (vector) => signed.leaves(vector),
    receipts: (vector) => signed.receipts(vector), tokens: (vector) => signed.tokens(vector),
  }),
};

const tally = new Tally();
const formats = new FormatChecks();
let xwing;
const present = readdirSync(directory).filter((name) => name.endsWith(".json"));
const wanted = new Set([...Object.keys(files), ...present.filter((name) => !["keys.json", "schema.json"].includes(name))]);
const ids = new Set();
for (const name of wanted) {
  const before = tally.passed;
  tally.refuse(name, () => checkFile(name));
  console.log(`${name}: ${tally.passed - before} passed`);
}
console.log(formats.left);
console.log(xwing?.left ?? "xwing.json was not read");
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.apart} not possible in Node (boxes, ML-KEM)`);
process.exitCode = tally.failed === 0 ? 0 : 1;

/** The keys of a file's opener: those of keys.json with the shared ones, or the file's own. */
function setsFor(name, file) {
  const own = file.get("keys");
  if (name === "xwing.json") return { ...sets, device: own };
  return name === "edges.json" ? { device: own.get("device"), senders: own.get("sender") } : { ...sets, shared: own };
}

/** Throws if the file or one of its lists has no check, or if there is no vector. */
function checkFile(name) {
  if (!Object.hasOwn(files, name)) throw new Mismatch("no check of this file");
  const file = readJSON(join(directory, name));
  expectEqual(file.get("format"), "sealed-push v1", "the format");
  const isSigned = ["signed.json", "fcm.json"].includes(name);
  const signed = isSigned ? new SignedChecks(file, sets) : undefined;
  const messages = name === "signed.json" ? undefined : new MessageChecks(isSigned ? sets : setsFor(name, file));
  const checks = files[name]({ signed, messages });
  const lists = [...file.keys()].filter((list) => !["format", "keys", "roots"].includes(list)).sort();
  expectEqual(lists, Object.keys(checks).sort(), "the lists");
  for (const list of lists) {
    if (file.get(list).length === 0) throw new Mismatch(`${list} is empty`);
    for (const vector of file.get(list)) {
      const id = vector.get("id") ?? vector.get("url");
      if (ids.has(id)) throw new Mismatch(`${id} twice`);
      ids.add(id);
      tally.check(id, () => checks[list](vector));
    }
  }
}
