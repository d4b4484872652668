/**
 * A backend for the first hour with a phone: the login of the example app, and the proxy before `sealpushd serve`.
 *
 * Usage: node trial.mjs PORT PERSON SECRET-FILE SOCKET
 *
 * Whoever can connect is PERSON: end it after the trial, and let nothing but a tunnel of your own reach the port.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { front } from "./backend.mjs";

const [port, person, secretFile, socketPath] = process.argv.slice(2);
const secret = readFileSync(secretFile, "utf8").trim();
let session;

/** A leave comes when the login is over, a receipt at any time: the service asks neither for a login. */
const SIGNED = ["/v1/leave", "/v1/receipts"];
const nobody = { person: "-", login: "-", time: 0 };

const push = front(async (request) => session ?? (SIGNED.includes(request.url) ? nobody : undefined), { socketPath, secret });

/** The app's own requests, below the path of its address. */
const own = {
  login: () => {
    session = { person, login: randomUUID(), time: Math.floor(Date.now() / 1000) };
    return person;
  },
  logout: () => {
    session = undefined;
    return "";
  },
  activity: (body) => {
    console.log("activity", body);
    return "";
  },
};

createServer(async (request, response) => {
  const path = request.url.replace(/^.*?\/lunch\//, "");
  console.log(request.method, path);
  if (path.startsWith("push/")) {
    request.url = path.slice("push".length);
    return push(request, response);
  }
  const answer = request.method === "POST" && Object.hasOwn(own, path) ? own[path] : undefined;
  if (!answer) return response.writeHead(404).end();
  let body = "";
  for await (const part of request) body = (body + part).slice(0, 4096);
  response.writeHead(200).end(answer(body));
}).listen(Number(port), "127.0.0.1");
