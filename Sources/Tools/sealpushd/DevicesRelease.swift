internal import PushCommands
internal import PushFiles
internal import PushKeys
internal import PushSealer
internal import PushStore

extension Command {
  static let devicesRelease = Command(
    of: "sealpushd", name: ["devices", "release"], summary: "end the quarantine of devices",
    details: """
      A quarantined device is one for which APNs has answered BadDeviceToken or DeviceTokenNotForTopic for a
      day: its token belongs to the other environment, or to another app. Fix the cause first. Then release
      the devices by the names that sealpushd devices --state quarantined lists, or by their tokens. If APNs
      still refuses one, it is quarantined again after another day.
      """,
    examples: [
      "sealpushd devices release ada-1 --store push.sqlite",
      "sealpushd devices release --all --store push.sqlite",
    ],
    options: [
      .operand(.names, "registrations, or device tokens", isRequired: false).repeatable(), .store,
      .flag(.all, "release all of them"), .rowKey,
    ]
  ) { (arguments, console) throws(ToolError) in
    let names = try arguments.chosen(.names)
    let store = try await StorePlace(from: arguments).open(
      rowKey: arguments.rowKey(), console: console)
    var missing = names
    var count = 0
    var pages = DevicePages(store: store)
    while let page = try await pages.next() {
      for device in page {
        let isNamed = names.contains(device.name) || names.contains(device.address.token.text)
        guard arguments.has(.all) || isNamed else { continue }
        missing.subtract([device.name, device.address.token.text])
        guard device.quarantinedAt != nil else { continue }
        count += try await storing { () async throws(StoreError) in try await store.release(device.address) }
      }
    }
    try console.print("\(count) released\n")
    guard missing.isEmpty else {
      throw ToolError(
        .badData, "no such device: \(missing.sorted().map(\.printable).joined(separator: ", "))")
    }
  }

  static let devicesForget = Command(
    of: "sealpushd", name: ["devices", "forget"], summary: "remove everything that a store has of a person",
    details: """
      It removes the person's devices, jobs, dead letters, enrolments and outcomes, including jobs that a
      worker is delivering at this moment, and prints how many rows it removed. A device that the person
      shares with others stays theirs. This cannot be undone, so check the name first.
      """,
    examples: ["sealpushd devices forget ada --store push.sqlite"],
    options: [.operand(.person, "your name for the person"), .store, .rowKey]
  ) { (arguments, console) throws(ToolError) in
    let person = try arguments.required(.person)
    let store = try await StorePlace(from: arguments).open(rowKey: arguments.rowKey(), console: console)
    let count = try await storing { () async throws(StoreError) in try await store.forget(person: person) }
    try console.print("\(count) rows removed\n")
    if count == 0 { console.warn("note: the store has nothing about '\(person.printable)'; check the name") }
  }
}

extension Arguments {
  /// What the operand chooses; empty with `--all`.
  func chosen(_ operand: Operand) throws(ToolError) -> Set<String> {
    let names = Set(all(operand))
    guard names.isEmpty == has(.all) else {
      throw .usage(
        "give either \(operand) or \(Flag.all)", hint: "\(Flag.all) means every one of them")
    }
    return names
  }
}

extension String {
  /// The text, which may be from outside, so that it does not steer a terminal.
  var printable: String { PrintableText.escaped(self) }
}

extension Operand {
  static let names = Operand("NAME…")
  fileprivate static let person = Operand("PERSON")
}
