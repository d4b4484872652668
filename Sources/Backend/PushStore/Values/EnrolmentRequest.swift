public import PushCore
public import PushEnrolment
internal import PushKeys

/// An enrolment that an application has handed in, as its app sent it.
public struct EnrolmentRequest: Sendable {
  /// The name of the registration that it is for; empty in a leave, which names none.
  public let name: String

  /// Whose device it is; nil leaves that as it is.
  public let person: String?

  /// The enrolment's JSON, whose signature is still to be verified.
  public let body: [UInt8]

  /// Whether it may make a new registration, because the user has just logged in.
  public let mayBeNew: Bool

  /// The challenge that it must have; nil if any will do.
  public let challenge: Challenge?

  /// What becomes of the persons whom the device belongs to already, if it has such a challenge.
  public let mode: ChallengePurpose.Mode

  /// What the device must prove.
  public let possession: Possession

  /// When it was handed in, by the store's clock or as its row says; nil if that is no time.
  public let handedInAt: UnixTime?

  /// Which login stands behind it: with a challenge, the application vouches that it gave it to this person's login for
  /// this registration, and hands it in once.
  public var login: EnrolmentLogin {
    guard mayBeNew else { return .none }
    guard challenge != nil else { return .fresh }
    return mode == .join ? .joining : .challenged
  }

  /// Whether it is a `Leave` and no enrolment: the device removes itself, and nothing but the body counts.
  public var isLeave: Bool { Leave.isLeave(body.span) }

  /// Whether it has a device's other tokens (`DeviceTokens`) and is no enrolment: nothing but the body counts.
  public var hasTokens: Bool { DeviceTokens.areTokens(body.span) }

  /// Makes the request of a device that hands in its other tokens: `body` is the `DeviceTokens` as its app sent them.
  public init(tokens body: [UInt8]) { self.init(name: "", person: nil, body: body, mayBeNew: false) }

  /// Makes the request of a device that leaves: `body` is the `Leave` as its app sent it.
  public init(leave body: [UInt8]) { self.init(name: "", person: nil, body: body, mayBeNew: false) }

  /// Makes a request, whose worker refuses a wrong name or body.
  public init(
    name: String, person: String?, body: [UInt8], mayBeNew: Bool, challenge: Challenge? = nil,
    mode: ChallengePurpose.Mode = .replace, possession: Possession = .keyAndToken, handedInAt: UnixTime? = nil
  ) {
    self.handedInAt = handedInAt
    self.name = name
    self.person = person
    self.body = body
    self.mayBeNew = mayBeNew
    self.challenge = challenge
    self.mode = mode
    self.possession = possession
  }
}

/// A row of the table `enrolment` as an application wrote it.
package struct EnrolmentRow: Hashable, Sendable {
  /// A column that an application writes.
  package enum Column: String, Sendable, CaseIterable {
    case registration, person, body
    case isNew = "is_new"
    case challenge, mode, possession
  }

  /// How many bytes of a column an engine reads: one more than any may have.
  package static let maximumSize = Enrolment.maximumSize + 1

  /// The columns that are not null.
  package var columns: [Column: [UInt8]]

  /// When it was written.
  package var handedInAt: UnixTime?

  /// Makes a row.
  package init(columns: [Column: [UInt8]]) { self.columns = columns }

  /// Makes the row of a request.
  package init(_ request: EnrolmentRequest) {
    columns = [
      .registration: Array(request.name.utf8), .body: request.body,
      .isNew: Array((request.mayBeNew ? "1" : "0").utf8),
      .possession: Array((request.possession == .keyAlone ? "keyAlone" : "keyAndToken").utf8),
    ]
    columns[.person] = request.person.map { Array($0.utf8) }
    columns[.challenge] = request.challenge.map { Array($0.text.utf8) }
    if request.mode != .replace { columns[.mode] = Array(request.mode.rawValue.utf8) }
  }

  /// A column as text; nil if it is null.
  package subscript(text column: Column) -> String? {
    columns[column].map { String(decoding: $0, as: UTF8.self) }
  }

  /// What the row asks for.
  ///
  /// - Throws: ``EnrolmentFault`` of the first column that is wrong.
  package func request() throws(EnrolmentFault) -> EnrolmentRequest {
    let rule = JobColumn.nameRule
    if let body = columns[.body], Leave.isLeave(body.span) { return EnrolmentRequest(leave: body) }
    if let body = columns[.body], DeviceTokens.areTokens(body.span) { return EnrolmentRequest(tokens: body) }
    guard let name = try value(in: .registration, rule: rule, read: { Registration.isName($0) ? $0 : nil })
    else {
      throw EnrolmentFault(column: Column.registration.rawValue, rule: rule)
    }
    guard let body = columns[.body], (1...Enrolment.maximumSize).contains(body.count) else {
      throw EnrolmentFault(column: Column.body.rawValue, rule: "1 to \(Enrolment.maximumSize) bytes")
    }
    return EnrolmentRequest(
      name: name, person: try value(in: .person, rule: rule) { Registration.isName($0) ? $0 : nil },
      body: body,
      mayBeNew: try value(in: .isNew, rule: "true or false") { Self.booleans[$0] } ?? false,
      challenge: try value(in: .challenge, rule: "1 to \(Challenge.maximumSize) bytes") {
        try? Challenge($0)
      },
      mode: try value(in: .mode, rule: "replace or join") { ChallengePurpose.Mode(rawValue: $0) } ?? .replace,
      possession: try value(in: .possession, rule: "keyAndToken or keyAlone") { Self.possessions[$0] }
        ?? .keyAndToken,
      handedInAt: handedInAt)
  }

  private static let booleans = ["0": false, "1": true, "f": false, "t": true]
  private static let possessions = ["keyAndToken": Possession.keyAndToken, "keyAlone": .keyAlone]

  private func value<Value>(
    in column: Column, rule: String, read: (String) -> Value?
  ) throws(EnrolmentFault) -> Value? {
    guard let bytes = columns[column] else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self), let value = read(text) else {
      throw EnrolmentFault(column: column.rawValue, rule: rule)
    }
    return value
  }
}

/// Why a row is not an enrolment.
public struct EnrolmentFault: Error, Hashable, Sendable {
  /// The column that is wrong.
  public let column: String

  /// What it must be.
  public let rule: String
}

extension EnrolmentFault: CustomStringConvertible {
  /// The column, and what it must be.
  public var description: String { "\(column): must be \(rule)" }
}

/// The right to answer an enrolment until the lease ends.
public struct EnrolmentLease: Hashable, Sendable {
  /// The column `id`.
  public let id: Int64

  /// How often the enrolment had been leased, this time included.
  public let number: Int64

  /// Makes a lease of its parts.
  public init(id: Int64, number: Int64) {
    self.id = id
    self.number = number
  }
}

/// An enrolment that a worker has leased.
public struct LeasedEnrolment: Sendable {
  /// The lease.
  public let lease: EnrolmentLease

  /// What the row asks for, or why it is not an enrolment.
  public let request: Result<EnrolmentRequest, EnrolmentFault>

  package init(lease: EnrolmentLease, request: Result<EnrolmentRequest, EnrolmentFault>) {
    self.lease = lease
    self.request = request
  }
}

/// The answer to an enrolment, which the application reads in its row.
public enum EnrolmentAnswer: Hashable, Sendable {
  /// The enrolment is stored, and nothing is left to prove: `registered`, `updated` or `unchanged`.
  case taken(Registrations.Change)

  /// It was a `Leave`, and the device is not registered: `removed`.
  case removed

  /// The device must prove something.
  ///
  /// With `Possession.keyAlone`, `request` is the sealed request's payload in JSON, for the application's answer to the
  /// app; otherwise it is nil, and the request is in the store's outbox, to be pushed to the device.
  case pending(request: String?)

  /// The enrolment is refused. `reason` names no token or key; at most 500 bytes of it are kept.
  case refused(reason: String)

  /// The columns `answer`, `reason` and `request`.
  package var columns: (answer: String, reason: String?, request: String?) {
    switch self {
    case .taken(let change): (change.rawValue, nil, nil)
    case .removed: ("removed", nil, nil)
    case .pending(let request): ("pending", nil, request)
    case .refused(let reason): ("refused", Reason.shortened(reason), nil)
    }
  }
}

extension EnrolmentAnswer {
  /// Reads the columns `answer`, `reason` and `request`; nil if there is no answer.
  package init?(answer: String?, reason: String?, request: String?) {
    switch answer {
    case nil: return nil
    case "removed": self = .removed
    case "pending": self = .pending(request: request)
    case let word?:
      self = Registrations.Change(rawValue: word).map { .taken($0) } ?? .refused(reason: reason ?? "")
    }
  }
}

/// An enrolment as the application finds it, answered or not.
public struct HandedInEnrolment: Hashable, Sendable {
  /// Its number.
  public let id: Int64

  /// Whose device it is for; nil if the application has named nobody.
  public let person: String?

  /// The answer; nil if there is none yet.
  public let answer: EnrolmentAnswer?

  /// The tag of the person's account on the device, for the app; nil without an answer, a person, or if the enrolment was
  /// refused.
  public let account: AccountTag?

  package init(id: Int64, person: String?, answer: EnrolmentAnswer?, account: AccountTag? = nil) {
    self.id = id
    self.person = person
    self.answer = answer
    self.account = account
  }
}

/// Keeps persons out of logs.
extension HandedInEnrolment: CustomStringConvertible, CustomReflectable {
  /// Its number.
  public var description: String { "enrolment \(id)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Keeps persons and names out of logs.
extension EnrolmentRequest: CustomStringConvertible, CustomReflectable {
  /// The size of the enrolment.
  public var description: String { "enrolment, \(body.count) bytes" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
