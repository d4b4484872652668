internal import PushCommands
internal import PushCore
internal import PushEnrolment
internal import PushKeys
internal import PushSealer
internal import PushStore

extension Command {
  static let devicesReport = Command(
    of: "sealpushd", name: ["devices", "report"],
    summary: "count the phones by the sets and keys that they have, to see whether to rotate",
    details: """
      It counts the devices of a store, or of a file of registrations, that have proven keys and are not
      quarantined. It counts phones, never messages:

        by set     how many have the newest of the signed sets in --senders, an older one, or an unknown one
        by key     with --from: how many have the sender's active key, and how many its next one
        by suite   how many have keys for each suite
        by pushes  if the app counts pushes: how many ever opened one, and how many failed to, by reason

      Give --senders every signed set that phones may have, one per line: append each one that keys
      sign-senders makes. A device without a report, or with a set that is not in the file, counts as a device
      without the keys.

      Devices that have not enrolled for 45 days are silent, and are counted separately; so are sandbox
      devices. A store knows when they enrolled; a file of registrations has only the time that the device
      signed.

      With --ready-for-rotation the exit status is 75 if too many devices lack the next key, and 0 otherwise.
      At most one device in a hundred may lack it; of fewer than 200 devices, at most two may, if more have it
      than lack it. Run it before keys rotate. keys revoke must not wait for it.

      With --json the last line is one object: {"topic","devices","silent","sandbox","senders":{"current",
      "behind","unknown"},"keys":{"active","next"},"suites":[{"suite","devices"}],
      "counts":{"devices","opened","degraded","reasons"},"ready"}. With --names, it is preceded by a line for
      each device that lacks the next key or is silent. No line has a token or a person.
      """,
    examples: [
      "sealpushd devices report --store push.sqlite --senders senders.jws --from sender.jwks",
      """
      sealpushd devices report --registrations registrations --senders senders.jws --from sender.jwks \\
          --ready-for-rotation --names
      """,
    ],
    options: [
      .optional(.store, "the store; give it or --registrations"),
      .optional(.registrations, "a file of registrations in place of a store"),
      .optional(.senders, "a file of the signed sets of senders that phones can have, one per line"),
      .keySource(.from, "the sender's private key file, for its active and next key", isRequired: false),
      .keyDescriptor(.from), .optional(.topic, "only the devices of this app; default: the app of --senders"),
      .flag(.readyForRotation, "exit with 75 if the sender must not rotate yet"),
      .flag(.names, "name the registrations that lack the next key, and the silent ones"), .json, .now,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let isAsked = arguments.has(.readyForRotation)
    guard arguments.isGiven(.store) != arguments.isGiven(.registrations) else {
      throw .usage("give either \(Option.store) or \(Option.registrations)")
    }
    let hasKeys = arguments.isGiven(.from)
    guard arguments.isGiven(.senders) || !hasKeys && !isAsked else {
      throw .usage("\(hasKeys ? "--from" : "\(Flag.readyForRotation.name)") needs \(Option.senders) FILE")
    }
    guard hasKeys || !isAsked && !arguments.has(.names) else {
      throw .usage("\((isAsked ? Flag.readyForRotation : .names).name) needs --from FILE")
    }
    let now = try arguments.now()
    let sets = try arguments[.senders].map { (path) throws(ToolError) in try SenderSets.read(from: path) }
    let sender = hasKeys ? try SenderKeys(from: arguments).load() : nil
    var count = FleetCount(
      report: FleetReport(sets: sets ?? [], sender: sender, topic: try arguments[.topic], at: now),
      isNaming: arguments.has(.names), isJSON: arguments.has(.json), console: console)
    if let path = arguments[.registrations] {
      try await count.addRegistrations(from: path)
    } else {
      try await count.addDevices(of: try await StorePlace(from: arguments).open(console: console))
    }
    try count.print(hasKeys: hasKeys)
    guard isAsked, !count.report.isReadyForRotation else { return }
    throw ToolError(
      .pending,
      "\(count.report.withoutNextKey) of \(count.report.devices) phones lack the sender's next key, as far as known",
      hint: "hand out the newest signed set, and wait until they have enrolled; for a stolen key: keys revoke"
    )
  }
}

/// Reads signed sets of senders' keys, to compare them with what devices report.
enum SenderSets {
  /// The sets in a file, one a line; who signed them does not matter, because devices have verified what they report.
  static func read(from path: String) throws(ToolError) -> [SenderKeySet] {
    let lines = try FileInput.read(from: path).split(separator: UInt8(ascii: "\n"))
    var sets: [SenderKeySet] = []
    for (number, line) in lines.enumerated() {
      do throws(SignedSetError) {
        sets.append(try SenderKeySet(unverified: Array(line).span))
      } catch {
        throw ToolError(.badData, "\(path), line \(number + 1): \(error.code): \(error.reason)")
      }
    }
    guard let first = sets.first else { throw ToolError(.badData, "\(path) has no signed set") }
    guard sets.allSatisfy({ $0.topic == first.topic }) else {
      throw ToolError(.badData, "\(path) has sets for several apps")
    }
    return sets
  }
}

/// A report on its way, and the names that it prints meanwhile.
private struct FleetCount {
  private(set) var report: FleetReport
  let isNaming: Bool
  let isJSON: Bool
  let console: Console

  /// How many devices are read at a time.
  private static let pageSize = 1000

  mutating func addDevices(of store: any Store) async throws(ToolError) {
    var last: String?
    while true {
      let page = try await storing { [last] () async throws(StoreError) in
        try await store.fleet(after: last, atMost: Self.pageSize)
      }
      try add(page)
      guard page.count == Self.pageSize else { return }
      last = page.last?.name
    }
  }

  mutating func addRegistrations(from path: String) async throws(ToolError) {
    var lines = try LineInput(path: path, skipping: 0).makeIterator()
    while let batch = try await lines.next(atMost: 100) {
      var devices: [FleetDevice] = []
      for line in batch {
        guard case .whole(let text) = line.line else {
          throw ToolError(.badData, "\(path), line \(line.number) is too long")
        }
        do throws(SignedSetError) {
          let registration = try Registration(parsing: text.span)
          if let device = FleetDevice(registration, enrolledAt: registration.enrolment.issuedAt) {
            devices.append(device)
          }
        } catch {
          throw ToolError(.badData, "\(path), line \(line.number): \(error.code): \(error.reason)")
        }
      }
      try add(devices)
    }
  }

  private mutating func add(_ devices: [FleetDevice]) throws(ToolError) {
    var lines = ""
    for device in devices {
      let state: String
      switch report.add(device) {
      case .missing: state = "missing"
      case .silent: state = "silent"
      case .ready, .ignored: continue
      }
      guard isNaming else { continue }
      let line: JSONObject = ["registration": .string(device.name), "state": .string(state)]
      lines += isJSON ? line.jsonLine : "\(state)  \(device.name.printable)\n"
    }
    if !lines.isEmpty { try console.print(lines) }
  }

  func print(hasKeys: Bool) throws(ToolError) {
    try console.print(isJSON ? report.json(hasKeys: hasKeys).jsonLine : report.text(hasKeys: hasKeys))
  }
}

extension FleetReport {
  /// The suites that devices can have keys for.
  private static let suites = Suite.allCases.filter { $0 != .sharedChaChaPoly }

  fileprivate func json(hasKeys: Bool) -> JSONObject {
    func number(_ count: Int) -> JSONValue { .number(JSONNumber(count)) }
    var (states, reasons) = (JSONObject(), JSONObject())
    for state in SetState.allCases { states[state.rawValue] = number(self[state]) }
    for (reason, count) in degraded.sorted(by: { $0.key < $1.key }) { reasons[reason] = number(count) }
    var object: JSONObject = [
      "topic": topic.map { .string($0.text) } ?? .null, "devices": number(devices), "silent": number(silent),
      "sandbox": number(sandbox), "senders": .object(states),
    ]
    if hasKeys { object["keys"] = ["active": number(withActiveKey), "next": number(withNextKey)] }
    object["suites"] = .array(
      Self.suites.map { ["suite": .string($0.name), "devices": number(self[$0])] })
    object["counts"] = [
      "devices": number(counting), "opened": number(opening), "degraded": number(degrading),
      "reasons": .object(reasons),
    ]
    if hasKeys { object["ready"] = .boolean(isReadyForRotation) }
    return object
  }

  fileprivate func text(hasKeys: Bool) -> String {
    func row(_ name: String, _ count: Int) -> String {
      "\(name)\(String(repeating: " ", count: 24 - name.count))\(count)\n"
    }
    var text = row("devices", devices) + row("silent", silent) + row("sandbox", sandbox)
    text += "\n" + SetState.allCases.map { row("set \($0.rawValue)", self[$0]) }.joined()
    if hasKeys {
      text += "\n" + row("with the active key", withActiveKey) + row("with the next key", withNextKey)
    }
    text += "\n" + Self.suites.map { row($0.name, self[$0]) }.joined()
    text +=
      "\n" + row("counting pushes", counting) + row("opened any", opening) + row("failed any", degrading)
    text += degraded.sorted { $0.key < $1.key }.map { row("  \($0.key)", $0.value) }.joined()
    return text
  }
}

extension Flag {
  fileprivate static let readyForRotation = Flag("--ready-for-rotation")
  fileprivate static let names = Flag("--names")
}
