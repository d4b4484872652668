internal import PushCommands
internal import PushEnrolment
internal import PushKeys
internal import PushCore
internal import PushSealer
internal import PushStore

extension Command {
  static let devicesImport = Command(
    of: "sealpushd", name: ["devices", "import"],
    summary: "copy a file of registrations into a store",
    details: """
      Reads the file that sealpush keys accept --registrations writes, verifies every signature, and stores
      what is new. It replaces a stored registration only by one with a newer enrolment, or with a proof that
      the store does not have. So importing the same file again changes nothing.

      A line is refused if it is invalid, or if another registration has proven its identity, token or key.
      Then the line is reported, the other lines are stored, and the exit status is 65. The result counts the
      registrations that were added, updated, unchanged and refused.
      """,
    examples: ["sealpushd devices import registrations --store push.sqlite"],
    options: [
      .operand(.file, "the registrations, as sealpush keys accept writes them", file: .input), .store,
      .rowKey, .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    let (place, rowKey) = (try StorePlace(from: arguments), try arguments.rowKey())
    let input = try LineInput(path: try arguments.required(.file), skipping: 0)
    try Interruption.watch()
    var copy = RegistrationImport(
      store: try await place.open(making: true, rowKey: rowKey, console: console), console: console)
    var lines = input.makeIterator()
    while let batch = try await lines.next(atMost: 100) { try await copy.add(batch) }
    if input.wasInterrupted { Interruption.die() }
    try console.print(arguments.has(.json) ? copy.json.jsonLine : copy.text)
    guard copy.refused == 0 else { throw ToolError(.badData, "\(copy.refused) lines were refused") }
  }
}

/// Registrations on their way from a file into a store.
private struct RegistrationImport {
  private let store: any Store
  private let console: Console
  private var added = 0
  private var updated = 0
  private var unchanged = 0
  private(set) var refused = 0

  init(store: any Store, console: Console) { (self.store, self.console) = (store, console) }

  var text: String { "\(added) added, \(updated) updated, \(unchanged) unchanged, \(refused) refused\n" }

  var json: JSONObject {
    [
      "added": .number(JSONNumber(added)), "updated": .number(JSONNumber(updated)),
      "unchanged": .number(JSONNumber(unchanged)), "refused": .number(JSONNumber(refused)),
    ]
  }

  /// Stores what is new in these lines: in one write, or, if one is in the way, one by one.
  mutating func add(_ lines: [InputLine]) async throws(ToolError) {
    var all: [(line: Int, registration: Registration)] = []
    var changes: [RegistrationChange] = []
    for line in lines {
      guard let registration = read(line), let change = try await change(for: registration) else { continue }
      all.append((line.number, registration))
      changes.append(change)
    }
    if try await apply(changes) { return }
    for (line, registration) in all where try await !add(registration) {
      refuse(line: line, reason: "another registration has proven this one's identity, token or key")
    }
  }

  /// Stores a registration, and lets others give up what it has proven; false if one of them is in the way.
  private mutating func add(_ registration: Registration) async throws(ToolError) -> Bool {
    let yields = try await storing { [store] () async throws(StoreError) in
      try await store.yields(to: registration)
    }
    // A line before it may have changed what is stored.
    guard let change = try await change(for: registration) else { return true }
    return try await apply([change], after: yields)
  }

  private mutating func read(_ line: InputLine) -> Registration? {
    guard case .whole(let text) = line.line else {
      refuse(line: line.number, reason: "it is too long")
      return nil
    }
    do throws(SignedSetError) {
      return try Registration(parsing: text.span)
    } catch {
      refuse(line: line.number, reason: "\(error.code): \(error.reason)")
      return nil
    }
  }

  private mutating func refuse(line: Int, reason: String) {
    refused += 1
    console.warn("error: line \(line): \(reason)")
  }

  /// What is to be written; nil if the store has it, or something newer.
  private mutating func change(for registration: Registration) async throws(ToolError) -> RegistrationChange?
  {
    let name = registration.name
    let known = try await storing { [store] () async throws(StoreError) in
      try await store.registration(named: name)
    }
    guard let known else { return .add(registration) }
    if registration.isNewer(than: known.registration) { return .replace(known, registration) }
    unchanged += 1
    return nil
  }

  /// Makes all changes or none, and counts them without the others' `yields`.
  private mutating func apply(
    _ changes: [RegistrationChange], after yields: [RegistrationChange] = []
  ) async throws(ToolError) -> Bool {
    guard !changes.isEmpty else { return true }
    let isDone = try await storing { [store] () async throws(StoreError) in
      try await store.apply(yields + changes)
    }
    guard isDone else { return false }
    for change in changes { if case .add = change { added += 1 } else { updated += 1 } }
    return true
  }
}

extension Registration {
  /// Whether it has a newer enrolment or proof of the same device, and no older one.
  fileprivate func isNewer(than other: Registration) -> Bool {
    let (serial, last) = (enrolment.serial, other.enrolment.serial)
    let (proof, lastProof) = (proven?.enrolment.serial ?? -1, other.proven?.enrolment.serial ?? -1)
    return identity == other.identity && serial >= last && proof >= lastProof
      && (serial > last || proof > lastProof)
  }
}
