import { createPrivateKey, sign } from "node:crypto";
import { decode, decodeExactly, encode } from "../../../Examples/node/lib/base64url.mjs";
import { Refused } from "../../../Examples/node/lib/errors.mjs";
import { expectEqual, properties } from "./checker.mjs";
import { openEnrolment } from "./enrolment.mjs";
import { parsePayload } from "./envelope.mjs";
import { Keys } from "./keys.mjs";
import { Opener } from "./opener.mjs";
import { checkAnswer, parseRequest } from "./proof_request.mjs";
import { Registrations } from "./registrations.mjs";
import { parsed } from "../../../Examples/node/lib/json.mjs";
import { Leave, openLeave } from "../../../Examples/node/lib/leave.mjs";
import { readRegistrations } from "../../../Examples/node/lib/recipients.mjs";
import { openSignedSet } from "../../../Examples/node/lib/signed_set.mjs";
import { nextSenders } from "./next_senders.mjs";
import { openReceipt, openTokens, takeTokens } from "./statements.mjs";
import { readLines } from "../../../Examples/node/lib/registrations.mjs";
import { suites } from "./suites.mjs";
import { publicThumbprint } from "../../../Examples/node/lib/thumbprint.mjs";

/** Checks of the lists of `signed.json`, by their names. */
export class SignedChecks {
  #roots;
  #signers;
  #device;
  #keys;
  #activeKids;

  /** `sets` has the parsed JWK Sets of the device that gets messages and requests, and of its senders. */
  constructor(file, sets) {
    this.#device = sets.device;
    this.#keys = new Keys(sets);
    this.#activeKids = sets.device.get("keys").filter((key) => key.get("status") === "active")
      .map((key) => key.get("kid"));
    this.#roots = file.get("roots");
    this.#signers = new Map([...file.get("keys").values()].map((key) => [key.get("kid"), properties(key)]));
  }

  senders(vector) {
    const { text, topic, pinned, atHand, spaces = 0 } = properties(vector);
    const context = { roots: rootsOf(pinned ?? this.#roots), topic };
    const outcome = attempt(() => nextSenders(text + " ".repeat(spaces), atHand ?? null, context));
    expectOutcome(vector, outcome, outcome.isUnchanged ? "unchanged" : "accepted");
    if (outcome.rule === undefined) this.#checkSet(outcome, vector, "signer");
  }

  messages(vector) {
    const { text, topic, now, payload, expect, rule } = properties(vector);
    const set = openSignedSet(text, { roots: rootsOf(this.#roots), topic });
    const keys = new Keys({ device: this.#device, senders: set.claims.get("keys"), sendersEnd: set.end });
    const names = [...suites.values()].map((suite) => suite.name);
    const opener = new Opener({ topic, suites: names, anonymous: true, keys });
    const outcome = opener.notification(parsePayload(payload), now);
    expectEqual(outcome.reason ?? "opened", expect, "the outcome");
    expectEqual(outcome.rule, rule, "the rule");
  }

  enrolments(vector) {
    const { enrolment, topic, challenge, audience, services, spaces = 0 } = properties(vector);
    const text = enrolment + " ".repeat(spaces);
    const outcome = attempt(() => openEnrolment(text, topic, challenge, audience, services));
    expectOutcome(vector, outcome, "accepted");
    if (outcome.rule === undefined) this.#checkSet(outcome.set, vector, "identity");
  }

  registrations(vector) {
    const { lines, name, enrolment, after, request, lacks, services, spaces = 0 } = properties(vector);
    const read = lines.map((line, index) => (index === lines.length - 1 ? line + " ".repeat(spaces) : line));
    const outcome = attempt(() => {
      const registrations = new Registrations(read, services);
      const result = name === undefined ? "read" : registrations.take(name, enrolment, properties(vector));
      return { registrations, result };
    });
    expectOutcome(vector, outcome, outcome.result);
    if (outcome.rule !== undefined) return;
    expectEqual(outcome.registrations.list, new Registrations(after, services).list, "the lines");
    for (const each of outcome.registrations.names) checkLeaving(new Registrations(after, services), each);
    const asked = name === undefined ? undefined : outcome.registrations.request(name);
    expectEqual(JSON.stringify(asked), JSON.stringify(request && properties(request)), "the request");
  }

  leaves(vector) {
    const { lines, leave, audience, topic, after, identity, serial, header, payload, spaces = 0 } = properties(vector);
    const outcome = attempt(() => {
      const opened = openLeave(leave + " ".repeat(spaces), { audience, topic });
      const names = new Leave(opened).names(readRegistrations(lines.map((line) => `${line}\n`).join("")));
      return { opened, names, result: names.length === 0 ? "unchanged" : "removed" };
    });
    expectOutcome(vector, outcome, outcome.result);
    if (outcome.rule !== undefined) return;
    const rest = lines.filter((line) => !outcome.names.includes(parsed(Buffer.from(line)).get("registration")));
    expectEqual(rest, after, "the lines");
    expectEqual([outcome.opened.identity, outcome.opened.serial], [identity, serial], "the leave");
    expectEqual(signedText(header, payload, this.#signers.get(identity)), outcome.opened.text, "what is signed anew");
  }

  receipts(vector) {
    const { receipt, audience, topic, sent, identity, shown, header, payload, rule, spaces = 0 } = properties(vector);
    const outcome = attempt(() => openReceipt(receipt + " ".repeat(spaces), { audience, topic }));
    if (shown === undefined) return expectOutcome(vector, outcome, "accepted");
    expectEqual(outcome.rule, undefined, "the rule");
    const own = sent.filter((each) => each.get("identity") === outcome.identity).map((each) => each.get("id"));
    const messages = outcome.claims.get("messages");
    expectEqual(messages.filter((id) => own.includes(id)), shown, "what was shown");
    expectEqual(shown.length < messages.length ? "11.33" : undefined, rule, "that some are passed over");
    return this.#checkStatement(outcome, { identity, header, payload });
  }

  tokens(vector) {
    const { tokens, audience, topic, lines, before = [], identity, serial, taken, registration, header, payload,
      spaces = 0 } = properties(vector);
    const earlier = before.map((text) => openTokens(text, { audience, topic: null }));
    const outcome = attempt(() => {
      const opened = openTokens(tokens + " ".repeat(spaces), { audience, topic });
      const known = new Map(earlier.map((each) => [each.identity, each]));
      return { opened, ...takeTokens(opened, readLines(lines), known) };
    });
    expectOutcome(vector, outcome, outcome.isNew ? "accepted" : "unchanged");
    if (outcome.rule !== undefined) return;
    const { opened, name } = outcome;
    expectEqual([name, opened.serial], [registration, serial], "whose they are");
    const members = ["use", "name", "token"];
    expectEqual(opened.tokens.map((each) => new Map([...each].filter(([member]) => members.includes(member)))), taken,
      "the tokens");
    this.#checkStatement(opened, { identity, header, payload });
  }

  #checkStatement({ identity, text }, stated) {
    expectEqual(identity, stated.identity, "who signed it");
    expectEqual(signedText(stated.header, stated.payload, this.#signers.get(identity)), text, "what is signed anew");
  }

  /** A request in a background push, and whether the device of keys.json answers it. */
  requests(vector) {
    const { payload, topic, now, audience, identity, content, kid } = properties(vector);
    const names = [...suites.values()].map((suite) => suite.name);
    const opener = new Opener({ topic, keys: this.#keys, suites: names, anonymous: true });
    const outcome = attempt(() => {
      const said = opener.proofRequest(parsePayload(payload), now);
      checkAnswer(said, { audience, identity, activeKids: this.#activeKids });
      return said;
    });
    expectOutcome(vector, outcome, "answered");
    if (outcome.rule !== undefined) return;
    const said = { request: parseRequest(Buffer.from(content)), kid };
    expectEqual(JSON.stringify(outcome), JSON.stringify(said), "what it says");
  }

  /** Checks the claims of a valid set, and that its signer makes the same text. */
  #checkSet(set, vector, signerMember) {
    const { serial, issuedAt, kids, header, payload, [signerMember]: signer } = properties(vector);
    expectEqual(set.signer, signer, "the signer");
    expectEqual(set.serial, serial, "the serial");
    expectEqual(set.issuedAt, issuedAt ?? set.issuedAt, "issued at");
    expectEqual(set.keys.map((key) => encode(key.thumbprint)), kids, "the keys");
    expectEqual(set.text.split(".").slice(0, 2).map((part) => decode(part).toString()), [header, payload], "what is signed");
    expectEqual(signedText(header, payload, this.#signers.get(signer)), set.text, "the text that is signed anew");
  }
}

/** Each of a registration's persons leaves; the last one takes it along. */
function checkLeaving(registrations, name) {
  const persons = registrations.persons(name);
  persons.forEach((person, index) => {
    registrations.leave(name, person);
    const rest = persons.slice(index + 1);
    expectEqual(registrations.persons(name), rest.length > 0 ? rest : undefined, `the persons without ${person}`);
  });
}

function rootsOf(set) {
  return new Map(set.get("keys").map((key) => {
    const { kty, crv, x } = properties(key);
    return [encode(publicThumbprint({ kty, crv, x })), decodeExactly(x, 32)];
  }));
}

function signedText(header, payload, { kty, crv, x, d }) {
  const key = createPrivateKey({ format: "jwk", key: { kty, crv, x, d } });
  const text = [header, payload].map((part) => encode(Buffer.from(part))).join(".");
  return `${text}.${encode(sign(null, Buffer.from(text), key))}`;
}

function attempt(run) {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

function expectOutcome(vector, outcome, good) {
  const { expect, rule, inner } = properties(vector);
  expectEqual(outcome.reason ?? good, expect, "the outcome");
  expectEqual(outcome.rule, rule, "the rule");
  expectEqual(outcome.inner, inner, "the inner rule");
}
