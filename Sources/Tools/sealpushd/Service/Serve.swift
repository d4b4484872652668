internal import PushCommands
internal import PushCore

extension Command {
  static let serve = Command(
    of: "sealpushd", name: ["serve"], summary: "take enrolments over HTTP, behind your own login",
    details: """
      Serves HTTP/1.1 to a proxy on this machine, which knows who is logged in. Apps ask it for a challenge, hand
      their enrolments in, sign out, and fetch the current signed set of senders. A worker with --audience on the
      same store answers the enrolments: within 100 ms, if it runs. Documentation/Operating/Service.md has a configuration of
      nginx, and Documentation/enrolment-service.openapi.yaml describes the requests.

      The proxy sets four headers in each request, and passes on none that a client has sent: SealedPush-Secret, the
      line of a file of --secret-file; SealedPush-Person, your own name for who is logged in; SealedPush-Login, an ID
      of that login; SealedPush-Login-Time, when it began, in seconds since 1970. A header that is missing, empty,
      repeated or joined with a comma is answered with 401. To change the secret, give --secret-file twice for a
      while: the new one, and the one before.

      With --audience, POST /v1/leave takes the leave that a device has signed when its user signed out, perhaps
      offline. Its proxy needs no login for that path and sets only SealedPush-Secret.

      At unix:PATH, the socket has the mode 0660. Nobody but its owner may be able to write the folder.

      With --probes, GET /healthz says whether the process works, and GET /readyz whether its store answers and nobody
      has stopped it: 200, or 503 and the reason. That address needs no secret, and tells nothing else.

      SIGTERM or SIGINT (Ctrl-C) stops it, once it has answered what it has read. SIGHUP makes it read the secrets
      and --routes again. It reads a file of --senders again when the file has changed, and keeps the set before if it
      cannot. Of a file with several sets, one a line, it serves the last.

      The log is on standard error, one JSON object per line: {"time":…,"event":…}. The events are started (where it
      listens), listening (the address of --probes), unauthorized, store-failed, senders-kept, secrets-read,
      secrets-kept, routes-kept, stopping, stopped, and omitted. No line contains a person, a login, a token or a secret.
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
    .required(.secretFile, "a file whose line the proxy's requests have as SealedPush-Secret; up to two")
      .repeatable(),
    .optional(
      .senders, "an app's signed set of senders, as sealpush keys sign-senders makes it; one an app"
    )
    .repeatable(),
    .optional(.topic, "an app without a set of senders here").repeatable(),
    .optional(.routes, "a worker's file of routes, for the apps and sets that it names"),
    .optional(.audience, "the backend's own name; with it, devices may leave without a login"),
    .optional(
      .identityHeader, "other names for the headers of the person, the login and its time: three times"
    )
    .repeatable(),
    .optional(.probes, "serve http://ADDRESS/healthz and /readyz; a port alone is one of 127.0.0.1"),
  ]
}
