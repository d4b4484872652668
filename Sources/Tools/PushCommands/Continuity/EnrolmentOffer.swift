import PushCore
package import PushEnrolment
internal import PushKeys

/// An enrolment that a backend is to accept, as the options of `keys accept` say.
package struct EnrolmentOffer: Sendable {
  /// What the device has signed.
  package let enrolment: Enrolment
  /// The registration that it is for.
  package let name: String
  /// Which login stands behind the enrolment.
  package let login: EnrolmentLogin
  /// What the device must prove.
  package let possession: Possession
  /// Whose device it is; nil keeps the stored person.
  package let person: String?

  private let sealing: ProofSealing

  /// Reads and verifies the enrolment, once everything is loaded that accepting it needs.
  package init(from arguments: Arguments) throws(ToolError) {
    let topic = try arguments[.topic]
    let (audience, challenge) = (try arguments.required(.audience), try arguments[.challenge])
    sealing = try ProofSealing(from: arguments)
    let json = try FileInput.read(from: arguments[.input])
    let services = try arguments[.service].map { [.apns, $0] } ?? Set([PushService.apns])
    let enrolment = try Continuity.refusing("the enrolment") { () throws(SignedSetError) in
      try Enrolment(
        parsing: json.span, for: topic, audience: audience, challenge: challenge, services: services)
    }
    self.enrolment = enrolment
    let registration = try arguments[.registration]?.text
    name = registration ?? enrolment.identity.thumbprint.text
    person = try arguments[.person]?.text
    if arguments.has(.join) {
      guard challenge != nil, person != nil else {
        throw .usage("\(Flag.join) needs \(Option.challenge) TEXT and \(Option.person) NAME")
      }
      login = .joining
    } else {
      login = challenge != nil ? .challenged : arguments.has(.new) || registration == nil ? .fresh : .none
    }
    possession = arguments.has(.keyAlone) ? .keyAlone : .keyAndToken
  }

  /// Prints the outcome, with the request for what the device must prove.
  package func report(
    _ outcome: EnrolmentOutcome, persons: [String], isDryRun: Bool = false, console: Console
  ) throws(ToolError) {
    let (change, pending) = (outcome.change, outcome.pending)
    var line: JSONObject = [
      "change": .string(change.rawValue), "registration": .string(name),
      "identity": .string(enrolment.identity.thumbprint.text),
      "serial": .number(JSONNumber(enrolment.serial)), "keys": Continuity.names(of: enrolment.keys),
    ]
    line.set(persons: persons)
    if let account = outcome.account { line["account"] = .string(account.text) }
    let waiting = enrolment.keys.records.filter { $0.life.status == .active && !$0.algorithm.isAvailable }
    if !waiting.isEmpty { line["waiting"] = .array(waiting.map { .string($0.id.text) }) }
    for suite in Set(waiting.compactMap(\.algorithm.suite)) {
      console.note("a key can be proven only when this system has its suite: \(suite.unavailability)")
    }
    guard change == .pending, let pending else { return try console.print(line.jsonLine) }
    guard pending.recipient.suite.isAvailable else {
      try console.print(line.jsonLine)
      throw ToolError(.pending, "")
    }
    if isDryRun {
      try console.print(line.jsonLine)
    } else {
      try sealing.write(pending, after: line, console: console)
    }
    console.note("pending: send the device the request, and accept its answer (keys enrol --answer)")
    throw ToolError(.pending, "")
  }

  /// The error for a refusal by a store.
  package func refusal(for error: SignedSetError) -> ToolError {
    SignedSetText.refusal(for: error, of: "the enrolment", in: .store)
  }
}

extension JSONObject {
  /// Says who has a device: one person, or several.
  package mutating func set(persons: [String]) {
    if persons.count == 1 { self["person"] = .string(persons[0]) }
    if persons.count > 1 { self["persons"] = .array(persons.map { .string($0) }) }
  }
}
