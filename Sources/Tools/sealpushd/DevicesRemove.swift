internal import PushCommands
internal import PushCore
internal import PushEnrolment
internal import PushStore

extension Command {
  static let devicesRemove = Command(
    of: "sealpushd", name: ["devices", "remove"],
    summary: "remove devices, such as a lost phone, or one person from shared devices",
    details: """
      It removes the registrations with these names, as sealpushd devices lists them, or those with an
      identity or a token. It also removes their enrolments that no worker has answered yet. From then on
      nothing is sealed to them. The person's other devices and jobs stay; sealpushd devices forget removes
      everything of a person.

      With --person, only that person leaves: the devices with these names or, without a name, all of the
      person's devices. A device that others share stays theirs; one that nobody else has is removed.

      With --leave it removes the device that signed the leave, as sealpush keys leave prints it, unless the
      device has enrolled since. The leave must be for --audience. Enrolments that the device signed before
      the leave are refused for 30 days.

      It prints how many devices were removed, or left. Removing a device that is not there does nothing: the
      exit status is 0, and a note names it. If the app enrols again, the device comes back, so end its
      session first.
      """,
    examples: [
      "sealpushd devices remove ada-1 --store push.sqlite",
      "sealpushd devices remove --identity $IDENTITY --store push.sqlite --json",
      "sealpushd devices remove family-tablet --person bob --store push.sqlite",
    ],
    options: [
      .operand(.names, "registrations", isRequired: false).repeatable(), .store,
      .optional(.identityName, "the devices with this identity, as devices --json shows it"),
      .optional(.token, "the devices whose messages go to this token"),
      .optional(.person, "the person to remove from the devices"),
      .optional(.leave, "the device that has signed this leave; needs --audience"),
      .optional(.audience, "the backend's own name; only with --leave"), .rowKey, .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    let leave = try arguments.leave()
    let devices = try DeviceSelector.all(from: arguments, isOptional: leave != nil)
    let store = try await StorePlace(from: arguments).open(rowKey: arguments.rowKey(), console: console)
    var removed: [String] = []
    for device in devices {
      let names = try await storing { () async throws(StoreError) in try await store.remove(device) }
      if names.isEmpty { console.warn("note: the store has no device \(device.words)") }
      removed += names
    }
    if let leave {
      switch try await storing({ () async throws(StoreError) in try await store.leave(leave) }) {
      case .success([]): console.warn("note: the store has no device with the leave's identity")
      case .success(let names): removed += names
      case .failure(let error): throw .refusal(of: leave, for: error)
      }
    }
    let line: JSONObject = ["removed": .array(removed.map { .string($0) })]
    try console.print(arguments.has(.json) ? line.jsonLine : "\(removed.count) removed\n")
  }
}

extension DeviceSelector {
  /// The devices that the operands and options name.
  fileprivate static func all(
    from arguments: Arguments, isOptional: Bool
  ) throws(ToolError) -> [DeviceSelector] {
    var all = arguments.all(.names).map { DeviceSelector.registration($0) }
    if let person = try arguments[.person]?.text {
      guard !arguments.isGiven(.identityName), !arguments.isGiven(.token) else {
        throw .usage(
          "give \(Option.person) with names or alone, but without other options that choose devices")
      }
      let names = arguments.all(.names)
      return names.isEmpty
        ? [.person(person, registration: nil)] : names.map { .person(person, registration: $0) }
    }
    if let identity = try arguments[.identityName] { all.append(.identity(identity)) }
    if let token = try arguments[.token] { all.append(.token(token)) }
    guard !all.isEmpty || isOptional else {
      throw .usage(
        "give NAME…, \(Option.person.name), \(Option.identityName.name), \(Option.token.name) or \(Option.leave.name)",
        hint: "sealpushd devices remove --help")
    }
    return all
  }

  /// What was asked for, without a token.
  fileprivate var words: String {
    switch self {
    case .registration(let name): "'\(name.printable)'"
    case .identity(let identity): "with the identity \(identity.text)"
    case .token: "at this token"
    case .person(let person, let name?): "'\(name.printable)' of '\(person.printable)'"
    case .person(let person, nil): "of '\(person.printable)'"
    }
  }
}
