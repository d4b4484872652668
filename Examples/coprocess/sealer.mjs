/** Seals pushes with a co-process: node sealer.mjs sealpush seal --lines … <JOBS. See Documentation/Guides/CoProcess.md. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

export class Refused extends Error {}

export class Sealer {
  #count = 0;
  #hasEnded = false;
  #waiting = [];
  #cause;
  #end = (error) => {
    this.#hasEnded = true;
    this.#cause ??= error;
    const message = `the co-process has ended${this.#cause ? `: ${this.#cause.message}` : ""}`;
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(message, { cause: this.#cause }));
  };

  constructor([tool, ...options]) {
    this.process = spawn(tool, [...options, "--errors", "-"], { stdio: ["pipe", "pipe", "inherit"] });
    this.process.on("error", this.#end).stdin.on("error", this.#end);
    createInterface({ input: this.process.stdout }).on("line", (line) => this.#take(line)).on("close", this.#end);
  }

  /** The pushes to an array of devices, to a person's or to one. If this rejects, there is nothing to send. */
  seal(device, payload, options = {}) {
    const hasPushes = Array.isArray(device) || device?.person !== undefined;
    const to = hasPushes ? device : [device];
    return new Promise((resolve, reject) => {
      const id = ++this.#count;
      this.#waiting.push({ id, resolve, reject });
      if (this.#hasEnded) return this.#end();
      this.process.stdin.write(`${JSON.stringify({ ...options, id, to, payload })}\n`);
    });
  }

  /** Answers come in the order of the lines. */
  #take(line) {
    try {
      const answer = JSON.parse(line);
      if ((answer.id ?? this.#waiting[0].id) !== this.#waiting[0].id) throw new Error("the answer is another line's");
      const { resolve, reject } = this.#waiting.shift();
      answer.error ? reject(new Refused(`${answer.error}: ${answer.message}`)) : resolve(answer.pushes);
    } catch (error) {
      this.process.kill("SIGKILL");
      this.#end(error);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const sealer = new Sealer(process.argv.slice(2));
  for await (const line of createInterface({ input: process.stdin })) {
    const { to, payload } = JSON.parse(line);
    try {
      // Without "error": POST its body with its headers to /3/device/<device_token>.
      for (const push of await sealer.seal(to, payload)) console.log(JSON.stringify(push));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      console.log(JSON.stringify({ refused: error.message }));
    }
  }
  sealer.process.stdin.end();
}
