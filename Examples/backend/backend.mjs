// A backend that tells people about lunch. Its apps' requests go on to `sealpushd serve`, which knows from here who is logged
// in, and a worker sends what it enqueues. It needs Node 18 alone.
import { spawn } from "node:child_process";
import { request as ask } from "node:http";
import { pipeline } from "node:stream";

/** The app's headers that are passed on. The login's headers are not among them: only this program sets those. */
const PASSED = ["content-type", "if-none-match", "origin", "sealedpush-request"];

/** The service takes no larger body. */
const MAXIMUM_BODY = 32 << 10;

/**
 * A handler of requests, for node:http and for Express: `app.use("/push", front(who, { socketPath, secret }))`.
 *
 * Write the function `who` yourself: it reads a request's session, and returns its { person, login, time }, or undefined if
 * nobody is logged in. `login` is an ID of the login, not the session's secret. `time` is when it began, in seconds since 1970.
 */
export function front(who, { socketPath, secret }) {
  return async (request, response) => {
    const fail = (status) =>
      response.headersSent ? response.destroy() : response.writeHead(status, { connection: "close" }).end();
    try {
      const session = await who(request);
      if (!session) return fail(401);
      let body = Buffer.alloc(0);
      for await (const part of request) {
        body = Buffer.concat([body, part]);
        if (body.length > MAXIMUM_BODY) return fail(413);
      }
      const headers = Object.fromEntries(PASSED.map((name) => [name, request.headers[name]]).filter(([, value]) => value));
      headers["content-length"] = body.length;
      headers["sealedpush-secret"] = secret;
      headers["sealedpush-person"] = session.person;
      headers["sealedpush-login"] = session.login;
      headers["sealedpush-login-time"] = session.time;
      const passed = ask({ socketPath, method: request.method, path: request.url, headers }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        pipeline(answer, response, () => {});
      });
      passed.setTimeout(15_000, () => passed.destroy());
      passed.on("error", () => fail(502));
      passed.end(body);
    } catch {
      fail(500);
    }
  };
}

/** Tells a person something on all devices. It is in the queue when the promise is kept; a retry has the same job, a UUID. */
export function tell(person, text, { store, topic, job, tool = "sealpushd" }) {
  const words = ["enqueue", "--store", store, "--person", person, "--topic", topic, "--message-id", job];
  const running = spawn(tool, words, { stdio: ["pipe", "ignore", "inherit"] });
  running.stdin.on("error", () => {});
  running.stdin.end(JSON.stringify({ aps: { alert: { title: "Lunch", body: text } } }));
  return new Promise((resolve, reject) => {
    running.on("error", reject);
    running.on("exit", (status) => (status === 0 ? resolve() : reject(new Error(`sealpushd ended with ${status}`))));
  });
}
