internal import PushCommands
internal import PushFiles
internal import PushKeys
internal import PushStore

extension Command {
  static let storeKey = Command(
    of: "sealpushd", name: ["store", "key"], summary: "make a row key, which seals a store's devices",
    details: """
      The file is created with mode 0600 and never replaces another. Keep it outside the store: on the
      machines of the workers, where nobody who can only write to the database can read it. With it, a worker
      notices a device that something else has written, before it seals anything to that device's keys.

      Give the key to every command that reads or writes devices, as --row-key FILE. A new store is sealed
      from the start; sealpushd store seal seals an existing one. Keep a copy of the file as well as the
      store's backups, but not in the same place. If the file is lost, sealpushd store seal --anew seals the
      store with a new key.
      """,
    examples: ["sealpushd store key --out row.key"],
    options: [.required(.newFile, "the file to create")]
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required(.newFile)
    guard path != "-" else { throw .usage("\(Option.newFile) must be a file: keys are not printed") }
    do throws(KeyFileError) {
      try RowKey().write(to: path)
    } catch {
      throw KeyFileFailure.writing(error, existing: "key files are never replaced")
    }
    console.note("made \(path); sealpushd store seal seals an existing store with it")
  }

  static let storeSeal = Command(
    of: "sealpushd", name: ["store", "seal"], summary: "seal a store's devices with a row key",
    details: """
      It verifies the signatures of each registration, compares the device's columns with it, and writes a
      seal (a MAC) under the row key into the row. A device that does not fit is left as it is, an error names
      it, and the exit status is 65. Nothing is sealed to such a device any more: remove it, and let its app
      enrol again. The command prints how many devices were sealed, how many had been sealed before, and how
      many were left. If it was interrupted, run it again.

      As soon as the command begins, programs without the key can neither read nor write devices: stop the
      workers, seal, and start them with --row-key. Jobs wait meanwhile.

      To change the key, give the old one as --old-row-key: only rows that it has sealed get the new seal.
      --anew is for a lost key: existing seals are ignored, and the columns must only follow from the
      registrations. Use it also if you know that a program without the key has written the rows that have no
      seal.
      """,
    examples: [
      "sealpushd store seal --store push.sqlite --row-key row.key",
      "sealpushd store seal --store push.sqlite --row-key new.key --old-row-key row.key",
    ],
    options: [
      .store, .required(.rowKey, "the row key, as sealpushd store key makes it"),
      .optional(.oldRowKey, "the key that the devices are sealed with now, if it is a different one"),
      .flag(.anew, "seal devices whose seal is missing or wrong, too"), .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    let place = try StorePlace(from: arguments)
    guard let key = try arguments.rowKey() else { preconditionFailure("the option is required") }
    let old = try arguments.rowKey(.oldRowKey)
    guard old == nil || !arguments.has(.anew) else {
      throw .usage("\(Option.oldRowKey) and \(Flag.anew) exclude each other")
    }
    let store = try await place.open(console: console)
    let rows = try await storing { () async throws(StoreError) in
      try await store.sealRows(with: key, replacing: old, anew: arguments.has(.anew)) { device, fault in
        console.warn("error: '\(device.name.printable)': \(fault)")
      }
    }
    let counts = [("sealed", rows.sealed), ("unchanged", rows.unchanged), ("left", rows.left)]
    if arguments.has(.json) {
      var object = JSONObject()
      for (name, count) in counts { object[name] = .number(JSONNumber(count)) }
      try console.print(object.jsonLine)
    } else {
      try console.print(counts.map { "\($0.1) \($0.0)" }.joined(separator: ", ") + "\n")
    }
    guard rows.left == 0 else {
      throw ToolError(
        .badData, "\(rows.left) devices are not sealed",
        hint: "sealpushd devices remove NAME removes one; its app enrols again after a login")
    }
  }
}

extension Arguments {
  /// The store's row key; nil if none is given.
  func rowKey(_ option: Option<String> = .rowKey) throws(ToolError) -> RowKey? {
    guard let path = self[option] else { return nil }
    guard path != "-" else { throw .usage("\(option) must be a file, not standard input") }
    do throws(KeyFileError) {
      return try RowKey(path: path)
    } catch {
      guard error.fault != .damaged else {
        throw ToolError(
          .badData, "\(path) is not a row key", hint: "sealpushd store key --out FILE makes one")
      }
      throw KeyFileFailure.describe(error)
    }
  }
}

extension Parameter {
  /// The store's row key, for commands that read or write devices.
  static let rowKey = Parameter.optional(
    .rowKey, "the store's row key, if its devices are sealed; see sealpushd store key --help")
}

extension Option<String> {
  static var rowKey: Self { Self("--row-key", "FILE", file: .input) }
  fileprivate static var oldRowKey: Self { Self("--old-row-key", "FILE", file: .input) }
}

extension Flag {
  fileprivate static let anew = Flag("--anew")
}
