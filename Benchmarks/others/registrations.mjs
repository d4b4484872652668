// The side of Node for Benchmarks/registrations: reads a file of registrations, and prints what it measured.
import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { readRegistrations } from "../../Examples/node/index.mjs";

const file = readFileSync(process.argv[2]);

/** The processor's µs since `before`. */
function used(before) {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The µs for a line's signatures, with `node:crypto` alone. */
function bare() {
  // Whole tens, because every tenth line is another.
  const lines = file.toString().split("\n").slice(0, -1).filter((_, number) => Math.floor(number / 10) % 10 === 0);
  const found = lines.map(JSON.parse).flatMap(({ keys, proven }) => (proven ? [keys, proven.keys] : [keys])).map((jws) => {
    const [header, payload, signature] = jws.split(".");
    const { jwk } = JSON.parse(Buffer.from(header, "base64url"));
    return { jwk, message: Buffer.from(`${header}.${payload}`), signature: Buffer.from(signature, "base64url") };
  });
  const before = process.cpuUsage();
  const areValid = found.every(({ jwk, message, signature }) => (
    verify(null, message, createPublicKey({ format: "jwk", key: jwk }), signature)));
  if (!areValid) throw new Error("a signature is not valid");
  return used(before) / lines.length;
}

const before = bare();
const [begin, at] = [performance.now(), process.cpuUsage()];
const count = readRegistrations(file).size;
const [seconds, each] = [(performance.now() - begin) / 1000, used(at) / count];
const peak = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ count, seconds, each, bare: (before + bare()) / 2, peak }));
