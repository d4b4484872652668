import { createInterface } from "node:readline";

/** Answers each line of JSON on standard input with one on standard output. */
export async function answerLines(answer) {
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + "\n");
  }
}
