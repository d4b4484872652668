// node backend.mjs SOCKET SECRET: serves the front of Examples/backend/backend.mjs, and prints its port. The header
// `session` stands in for a login. Each line of input, a JSON array, is the arguments of `tell`, whose end it prints.
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { front, tell } from "../../Examples/backend/backend.mjs";

const [socketPath, secret] = process.argv.slice(2);
const sessions = { missing: undefined, odd: { person: "line\nbreak", login: "odd", time: 1 } };
const who = ({ headers: { session } }) =>
  session in sessions ? sessions[session] : { person: session, login: `${session}'s`, time: 1_700_000_000 };
const server = createServer(front(who, { socketPath, secret }));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
createInterface({ input: process.stdin }).on("line", (line) =>
  tell(...JSON.parse(line)).then(() => console.log("told"), (error) => console.log(error.message)));
