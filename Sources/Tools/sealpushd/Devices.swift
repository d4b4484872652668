internal import PushCommands
internal import PushCore
internal import PushKeys
internal import PushSealer
internal import PushStore

extension Command {
  static let devices = Command(
    of: "sealpushd", name: ["devices"], summary: "list the registered devices of a store",
    details: """
      It shows each registration's name, person, app, environment and state, sorted by name:

        proven       gets its person's notifications
        pending      has not proven its key yet; nothing is sealed to it
        quarantined  APNs refused its token; nothing is sent until it enrols again, or devices release frees it

      Times are UTC. With --json it prints one object per line. Device tokens are shown only with --tokens.
      """,
    examples: [
      "sealpushd devices --store push.sqlite",
      "sealpushd devices --store push.sqlite --state quarantined --json",
    ],
    options: [
      .store, .optional(.person, "only the devices of this person"),
      .optional(.state, "only devices in this state: proven, pending or quarantined"),
      .flag(.tokens, "show the device tokens, too"), .rowKey, .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    let filter = try DeviceFilter(from: arguments)
    let store = try await StorePlace(from: arguments).open(
      rowKey: arguments.rowKey(), console: console)
    var header: [[String]] = [StoredDevice.header + (arguments.has(.tokens) ? ["TOKEN"] : [])]
    var pages = DevicePages(store: store)
    while let page = try await pages.next() {
      let devices = page.filter(filter.matches)
      if arguments.has(.json) {
        try console.print(devices.map { $0.json(withToken: arguments.has(.tokens)).jsonLine }.joined())
      } else if !devices.isEmpty {
        try console.print(
          TextTable.text(of: header + devices.map { $0.row(withToken: arguments.has(.tokens)) }))
        header = []
      }
    }
    if !header.isEmpty, !arguments.has(.json) { console.note("no devices") }
  }
}

/// All devices of a store, a page at a time.
struct DevicePages {
  /// How many devices a page has.
  private static let size = 1000

  private let store: any Store
  private var last: String?
  private var hasEnded = false

  init(store: any Store) { self.store = store }

  /// The next page; nil after the last one.
  mutating func next() async throws(ToolError) -> [StoredDevice]? {
    guard !hasEnded else { return nil }
    let page = try await storing { [store, last] () async throws(StoreError) in
      try await store.devices(after: last, atMost: Self.size)
    }
    last = page.last?.name
    hasEnded = page.count < Self.size
    return page.isEmpty ? nil : page
  }
}

/// Which devices a command is about.
private struct DeviceFilter {
  private let person: String?
  private let state: StoredDevice.State?

  init(from arguments: Arguments) throws(ToolError) {
    person = try arguments[.person]?.text
    state = try arguments[.state]
  }

  func matches(_ device: StoredDevice) -> Bool {
    let isPersons = person.map { device.addressed(to: $0) != nil } ?? true
    return isPersons && (state.map { $0 == device.state } ?? true)
  }
}

extension StoredDevice {
  /// Whether something is sent to it.
  enum State: String, CaseIterable {
    case proven, pending, quarantined
  }

  /// Its state; quarantine comes first.
  var state: State { quarantinedAt != nil ? .quarantined : device.keys == nil ? .pending : .proven }

  /// Its registration's name.
  var name: String { device.registration ?? "" }

  fileprivate static let header = [
    "NAME", "PERSON", "APP", "ENVIRONMENT", "STATE", "TOKEN SINCE", "QUARANTINE",
  ]

  fileprivate func row(withToken hasToken: Bool) -> [String] {
    let persons = device.persons.map(\.printable).joined(separator: ", ")
    return [
      name.printable, persons.isEmpty ? "-" : persons, address.topic.text, address.environment.rawValue,
      state.rawValue, tokenSetAt.calendarText, quarantinedAt.map(\.calendarText) ?? "-",
    ] + (hasToken ? [address.token.text] : [])
  }

  fileprivate func json(withToken hasToken: Bool) -> JSONObject {
    var object: JSONObject = ["registration": .string(name)]
    object.set(persons: device.persons)
    object["topic"] = .string(address.topic.text)
    object["environment"] = .string(address.environment.rawValue)
    object["state"] = .string(state.rawValue)
    object["identity"] = .string(identity.text)
    object["token_set_at"] = .number(JSONNumber(tokenSetAt.seconds))
    object["quarantined_at"] = quarantinedAt.map { .number(JSONNumber($0.seconds)) }
    object["token"] = hasToken ? .string(address.token.text) : nil
    return object
  }
}

extension Option<StoredDevice.State> {
  fileprivate static var state: Self {
    Self("--state", "STATE", rule: "proven, pending or quarantined", isShown: true)
  }
}

extension Flag {
  fileprivate static let tokens = Flag("--tokens")
}
