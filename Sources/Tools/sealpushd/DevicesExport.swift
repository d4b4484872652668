internal import PushCommands
internal import PushEnrolment
internal import PushStore

extension Command {
  static let devicesExport = Command(
    of: "sealpushd", name: ["devices", "export"], summary: "print a store's registrations",
    details: """
      It prints a line of JSON for each registration, sorted by name: what sealpush keys accept
      --registrations writes, sealpush seal --recipients reads, and sealpushd devices import reads into
      another store. So you can move from SQLite to PostgreSQL, and no phone has to enrol again. Quarantine is
      not exported.

      The lines have persons and device tokens: set umask 077 before you write them to a file. Proof requests
      that wait for an answer are left out, because whoever has one can take over a token; the devices are
      asked again when they enrol.
      """,
    examples: [
      "sealpushd devices export --store push.sqlite >registrations",
      "sealpushd devices import registrations --store postgresql://push@db.example.com/push",
    ],
    options: [.store, .rowKey]
  ) { (arguments, console) throws(ToolError) in
    let store = try await StorePlace(from: arguments).open(
      rowKey: arguments.rowKey(), console: console)
    var last: String?
    while true {
      let page = try await storing { [last] () async throws(StoreError) in
        try await store.registrations(after: last, atMost: pageSize)
      }
      let lines = page.flatMap { $0.registration.withoutRequest.encoded() + [UInt8(ascii: "\n")] }
      try console.print(String(decoding: lines, as: UTF8.self))
      guard page.count == pageSize else { return }
      last = page.last?.registration.name
    }
  }

  /// How many registrations are read at a time.
  private static let pageSize = 500
}
