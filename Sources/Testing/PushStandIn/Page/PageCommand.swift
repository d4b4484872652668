internal import PushNetwork
internal import PushCore
internal import PushEnrolment

/// A command of the page: a JSON object with the member `do`.
struct PageCommand {
  /// The most faults that the page adds.
  private static let maximumFaults = 100

  /// The most phones with an app.
  private static let maximumApps = 20

  private let members: JSONObject

  /// - Throws: `PlainRefusal.badCommand`.
  init(parsing body: [UInt8]) throws(PlainRefusal) {
    guard let members = try? JSONObject(parsing: body.span) else { throw .badCommand }
    self.members = members
  }

  /// Carries out the command.
  ///
  /// - Throws: `PlainRefusal.badCommand` if the command is unknown, or a member is missing or invalid.
  func carryOut(on apns: APNsModel) throws(PlainRefusal) {
    switch members["do"]?.string {
    case "fault":
      guard apns.faults.lines.count < Self.maximumFaults else { throw .badCommand }
      apns.inject(try fault(), to: try occasion())
    case "clear-faults": apns.clearFaults()
    default:
      let name = members["phone"]?.string ?? ""
      let app = apns.app(named: name)
      // While an app is installed again, its phone has no token.
      guard let phone = app?.phone ?? apns.phone(named: name) else { throw .badCommand }
      guard members["do"]?.string != "push" else { return apns.sendTestPush(to: phone) }
      guard let app else { return try change(phone) }
      if let action = try action(on: apns) { app.act(action) } else { try change(phone) }
      // The app gets a new token when it is opened.
      if members["do"]?.string == "rotate" { app.act(.restart) }
    }
  }

  /// What a person does with a phone's app; nil if the command is for the phone.
  private func action(on apns: APNsModel) throws(PlainRefusal) -> PhoneApp.Action? {
    switch members["do"]?.string {
    case "log-in": .logIn(try name("person"), joining: members["joining"] == .boolean(true))
    case "sign-out": .signOut(members["person"] == nil ? nil : try name("person"))
    case "open": .restart
    case "delete": throw .badCommand
    case "reinstall": .reinstall
    case "restore": .restore(onto: try newName(on: apns))
    default: nil
    }
  }

  /// The name of a phone that is not there yet.
  private func newName(on apns: APNsModel) throws(PlainRefusal) -> String {
    let name = try name("onto")
    guard apns.phone(named: name) == nil, apns.apps.count < Self.maximumApps else { throw .badCommand }
    return name
  }

  private func name(_ member: String) throws(PlainRefusal) -> String {
    guard let name = members[member]?.string, name.utf8.count <= 128, Registration.isName(name) else {
      throw .badCommand
    }
    return name
  }

  private func change(_ phone: StandInPhone) throws(PlainRefusal) {
    switch members["do"]?.string {
    case "switch-on": phone.switchOn()
    case "switch-off": phone.switchOff()
    case "restart": phone.restart()
    case "unlock": phone.unlock()
    case "repeat": phone.repeatNext(1)
    case "rotate": phone.rotateToken()
    case "delete": phone.deleteApp()
    case "power":
      guard let power = members["power"]?.string.flatMap(PhonePower.init) else { throw .badCommand }
      phone.power = power
    default: throw .badCommand
    }
  }

  private func fault() throws(PlainRefusal) -> Fault {
    switch members["kind"]?.string {
    case "refusal":
      guard let reason = members["reason"]?.string, !reason.isEmpty, reason.utf8.count <= 64 else {
        throw .badCommand
      }
      return .refusal(Refusal(status: try number("status", in: 200...599), reason: reason))
    case "latency": return .latency(.seconds(try number("amount", in: 1...3600)))
    case "refuse-stream": return .transport(.refuseStream)
    case "reset-before-processing": return .transport(.reset(.beforeProcessing))
    case "reset-before-answer": return .transport(.reset(.beforeAnswer))
    case "reset-during-answer": return .transport(.reset(.duringAnswer))
    case "goaway": return .transport(.goAwayGracefully)
    case "goaway-abrupt": return .transport(.goAwayAbruptly)
    case "cut": return .transport(.cut)
    case "stall": return .transport(.stall)
    case "slow-reading": return .transport(.slowReading(.seconds(try number("amount", in: 1...3600))))
    case "stream-limit": return .transport(.streamLimit(try number("amount", in: 1...100_000)))
    default: throw .badCommand
    }
  }

  private func occasion() throws(PlainRefusal) -> Fault.Occasion {
    switch members["occasion"]?.string {
    case "next": .next(try number("count", in: 1...1_000_000))
    case "each": .each(try number("count", in: 1...1_000_000))
    case "all": .all
    default: throw .badCommand
    }
  }

  private func number(_ name: String, in range: ClosedRange<Int>) throws(PlainRefusal) -> Int {
    guard let number = members[name]?.number?.integer.flatMap({ Int(exactly: $0) }), range.contains(number)
    else {
      throw .badCommand
    }
    return number
  }
}
