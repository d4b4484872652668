// Sends COUNT pushes with Node's http2: one first, and then all the others at once.
import { connect } from "node:http2";
import { sign } from "node:crypto";
import { readFileSync } from "node:fs";

const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const text = `${part({ alg: "ES256", kid: "ABCDE12345" })}.${part({ iss: "FGHIJ67890", iat: Math.floor(Date.now() / 1000) })}`;
const signature = sign("sha256", text, { key: readFileSync(process.env.P8), dsaEncoding: "ieee-p1363" }).toString("base64url");
const session = connect(`https://localhost:${process.env.PORT}`, { ca: readFileSync(process.env.ROOT) });

const tokens = process.env.TOKENS.split(" ");

const push = (number) => new Promise((resolve, reject) => {
  const stream = session.request({
    ":method": "POST", ":path": `/3/device/${tokens[number % tokens.length]}`, authorization: `bearer ${text}.${signature}`,
    "apns-topic": "com.example.app", "apns-push-type": "alert",
  });
  let status;
  stream.on("response", (answer) => { status = answer[":status"]; });
  stream.on("error", reject);
  stream.on("close", () => resolve(status === 200));
  stream.resume();
  stream.end(JSON.stringify({ aps: { alert: `push ${number}` } }));
});

const count = Number(process.env.COUNT);
const accepted = [await push(0), ...await Promise.all(Array.from({ length: count - 1 }, (_, index) => push(index + 1)))];
session.close();
console.log(`${accepted.filter(Boolean).length} accepted`);
