internal import PushCommands
internal import PushFiles
internal import PushCore
internal import PushStore

extension Command {
  static let storeBackup = Command(
    of: "sealpushd", name: ["store", "backup"], summary: "copy a store while it is in use",
    details: """
      The copy is a store of its own. It has everything that was stored before the command began, and gets its
      name only when it is complete. Do not use cp: the latest writes are in a second file beside the store. A
      restored copy may have jobs that were delivered after the backup; phones show these again, quietly.

      For a PostgreSQL store, use pg_dump --schema sealpush.
      """,
    examples: ["sealpushd store backup push-monday.sqlite --store push.sqlite"],
    options: [.operand(.copy, "the copy; there must be no file of that name", file: .output), .store]
  ) { (arguments, console) throws(ToolError) in
    let copy = try arguments.required(.copy)
    let store = try await StorePlace(from: arguments).openFile(
      for: "store backup", hint: "pg_dump --schema sealpush makes one of a PostgreSQL database",
      console: console)
    guard FileStatus(at: copy, isFollowingLinks: false) == nil else {
      throw ToolError(.cannotCreate, "\(copy) exists", hint: "a backup replaces no file: choose another name")
    }
    try await storing { () async throws(StoreError) in try await store.backup(to: copy) }
    console.note("made \(copy)")
  }

  static let storeCheck = Command(
    of: "sealpushd", name: ["store", "check"], summary: "verify a store, and count its devices and jobs",
    details: """
      It opens the store as a worker does, which updates the tables of an older version. Then it reads every
      device, verifies the signatures of its registration, and compares the columns with it. So it finds a
      key, a token or a person that somebody has written into the table. If the store is sealed, give its row
      key: then it also finds a registration that was changed, or put in another's place. It counts devices
      and jobs.

      The exit status is 0 if all is right. It is 65 if devices are not as the store wrote them (an error
      names each one), or if the file is damaged, is not a store, or was written by a newer version.
      """,
    examples: [
      "sealpushd store check --store push.sqlite", "sealpushd store check --store push.sqlite --json",
    ],
    options: [.store, .rowKey, .json]
  ) { (arguments, console) throws(ToolError) in
    let (place, rowKey) = (try StorePlace(from: arguments), try arguments.rowKey())
    let store = try await place.open(console: console)
    var (devices, wrong): ([StoredDevice.State: Int], Int) = ([:], 0)
    try await storing { () async throws(StoreError) in
      try await store.checkRows(with: rowKey) { device, fault in
        devices[device.state, default: 0] += 1
        guard let fault else { return }
        wrong += 1
        console.warn("error: '\(device.name.printable)': \(fault)")
      }
    }
    let isSealed = try await storing { () async throws(StoreError) in try await store.rowMark() } != nil
    if isSealed, rowKey == nil {
      console.warn("note: the devices are sealed; give \(Option.rowKey) to verify their seals, too")
    }
    let queue = try await storing { () async throws(StoreError) in try await store.statistics() }
    let version = if case .file = place { [("version", SQLiteStore.version)] } else { [(String, Int)]() }
    let counts =
      version + [
        ("proven devices", devices[.proven] ?? 0), ("pending devices", devices[.pending] ?? 0),
        ("quarantined devices", devices[.quarantined] ?? 0), ("wrong devices", wrong),
        ("waiting jobs", queue.ready + queue.delayed + queue.leased), ("dead letters", queue.dead),
      ]
    if arguments.has(.json) {
      var object = JSONObject()
      for (name, count) in counts { object[name.replacing(" ", with: "_")] = .number(JSONNumber(count)) }
      try console.print(object.jsonLine)
    } else {
      try console.print(counts.map { "\($0.0): \($0.1)\n" }.joined())
    }
    guard wrong == 0 else {
      throw ToolError(
        .badData, "\(wrong) devices are not as the store wrote them",
        hint: "sealpushd devices remove NAME removes one; its app enrols again after a login")
    }
  }
}

extension RawDevice {
  /// Its state; quarantine comes first.
  fileprivate var state: StoredDevice.State { isQuarantined ? .quarantined : isProven ? .proven : .pending }
}

extension Operand {
  fileprivate static let copy = Operand("COPY")
}
