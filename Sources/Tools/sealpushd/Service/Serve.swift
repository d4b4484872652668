internal import PushCommands
internal import PushCore

extension Command {
  static let serve = Command(
    of: "sealpushd", name: ["serve"], summary: "take enrolments over HTTP, behind your own login",
    details: """
      Serves HTTP/1.1 to a proxy on this machine, which knows who is logged in. Apps ask it for a challenge,
      send their enrolments, sign out, and fetch the current signed set of senders. A worker with --audience
      on the same store, if one runs, answers the enrolments within 100 ms. Documentation/Operating/Service.md
      has a configuration for nginx, and Documentation/enrolment-service.openapi.yaml describes the requests.

      The proxy must set these headers in each request, and must not pass on any that a client has sent:

        SealedPush-Secret      the secret, as it is in a --secret-file
        SealedPush-Person      your own name for the person who is logged in
        SealedPush-Login       an ID of that login
        SealedPush-Login-Time  when that login began, in seconds since 1970

      If a header is missing, empty, repeated or joined with a comma, the answer is 401. To change the secret,
      give --secret-file twice for a while: for the new secret, and for the one before.

      With --audience, POST /v1/leave takes the leave that a device signed when its user signed out, perhaps
      offline. For that path the proxy needs no login, and sets only SealedPush-Secret.

      With --listen unix:PATH, the socket has mode 0660. Only its owner may have write access to its folder.

      With --probes, GET /healthz answers whether the process works, and GET /readyz whether its store answers
      and no signal has stopped it: with 200, or with 503 and the reason. That address needs no secret, and
      serves nothing else.

      SIGTERM or SIGINT (Ctrl-C) stops it, once it has answered what it has read. SIGHUP makes it read the
      secrets and --routes again. It reads a --senders file again when the file has changed; if it cannot, it
      keeps the previous set. If a file has several sets, one per line, it serves the last.

      The log is on standard error, one JSON object per line: {"time":…,"event":…}. The events are started
      (where it listens), listening (the address of --probes), unauthorized, store-failed, senders-kept,
      secrets-read, secrets-kept, routes-kept, stopping, stopped, and omitted. No line contains a person, a
      login, a token or a secret.
      """,
    examples: [
      """
      sealpushd serve --store push.sqlite --listen unix:run/serve.sock --secret-file proxy.secret \\
          --senders senders.jws
      """,
      """
      sealpushd serve --store push.sqlite --listen 127.0.0.1:8480 --secret-file proxy.secret --topic com.example.app
      """,
    ],
    options: Parameter.serve
  ) { (arguments, console) throws(ToolError) in
    try await ServiceSession(from: arguments, console: console).run(console: console)
  }
}

extension Parameter {
  /// The options of a service.
  static let serve: [Parameter] = [
    .store, .rowKey, .required(.listen, "127.0.0.1:PORT, or unix:PATH; port 0 lets the system choose one"),
    .required(.secretFile, "a file with the secret that the proxy sends as SealedPush-Secret; at most two")
      .repeatable(),
    .optional(
      .senders, "an app's signed set of senders, as sealpush keys sign-senders makes it; one per app"
    )
    .repeatable(),
    .optional(.topic, "an app for which no set of senders is given").repeatable(),
    .optional(.routes, "a worker's file of routes; its apps and their sets are served"),
    .optional(.audience, "the backend's own name; with it, devices may leave without a login"),
    .optional(
      .identityHeader, "another header's name; give it three times: for the person, the login and its time"
    )
    .repeatable(),
    .optional(.probes, "serve http://ADDRESS/healthz and /readyz; a port alone is on 127.0.0.1"),
  ]
}
