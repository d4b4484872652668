internal import PushCommands
internal import PushCore
internal import PushStore

extension Command {
  static let page = Command(
    of: "sealpushd", name: ["page"], summary: "show and control a store's queue in a browser",
    details: """
      Serves a page on 127.0.0.1 until you stop it, and prints the page's address. The address has a secret
      part, and is new at each start. Whoever has the address can do on the page what this command's user may
      do with the store.

      The page shows how many jobs wait, by app and push type, how many are enqueued and done in a second, and
      the age of the oldest ready job. It shows the routes that workers have stopped, and why, and a person's
      devices. On it you can make and end pauses and limits, and search, resend and delete dead letters. It
      never shows what a message says, a token or a key. Counting a queue of millions takes seconds, so it
      counts at most a twentieth of the time.

      To see it from your own machine, let ssh forward the port: ssh -L 2199:127.0.0.1:2199 HOST.
      """,
    examples: ["sealpushd page --store push.sqlite", "sealpushd page --store push.sqlite --port 0 --json"],
    options: [
      .store, .optional(.port("--port"), "the port; 0 lets the system choose one; default: 2199"), .rowKey,
      .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    let port = try arguments[.port("--port")] ?? 2199
    let rowKey = try arguments.rowKey()
    let store = try await StorePlace(from: arguments).open(rowKey: rowKey, console: console)
    try Interruption.watch()
    let page = try OperatorPage(of: store, port: port)
    let line: JSONObject = ["page": .string(page.address), "origin": .string(page.origin)]
    try console.print(arguments.has(.json) ? line.jsonLine : "page: \(page.address)\n")
    await Interruption.wait()
    page.stop()
  }
}
