public import PushCore
internal import PushCrypto
internal import PushKeys

/// What a device says of itself in its enrolments, so that its operator sees how the fleet is: which set of senders' keys
/// it has, and, if the app wants, how many pushes it opened.
///
/// The device signs the report with its enrolment, but a report is no rule: whatever it says, the enrolment is accepted or
/// refused as without it, and a part that is malformed counts as absent (FORMAT.md, "Reports").
public struct DeviceReport: Hashable, Sendable {
  /// The set of senders' keys that the device has; nil if it does not say.
  public var senders: SenderSetVersion?

  /// How many pushes the device opened, and how many not; nil if it does not say.
  public var counts: ReceptionCounts?

  /// Makes a report from its parts.
  public init(senders: SenderSetVersion? = nil, counts: ReceptionCounts? = nil) {
    self.senders = senders
    self.counts = counts
  }

  /// Reads the members `senders` and `counts` of an object; nil if it has neither in good form.
  package init?(members object: JSONObject) {
    self.init(
      senders: object["senders"]?.object.flatMap(SenderSetVersion.init(members:)),
      counts: object["counts"]?.object.map(ReceptionCounts.init(members:)))
    if senders == nil, counts == nil { return nil }
  }

  /// The members of the signed claims.
  package var members: JSONObject {
    var object = JSONObject()
    if let senders { object["senders"] = .object(senders.members) }
    if let counts { object["counts"] = .object(counts.members) }
    return object
  }
}

/// A signed set of senders' keys, by its serial and the digest of its text.
///
/// Two sets can have one serial only if their root was restored from an old copy; the digest tells them apart.
public struct SenderSetVersion: Hashable, Sendable {
  /// The set's serial, from 1 to 2^53 - 1.
  public let serial: Int64

  /// The SHA-256 digest of the set's text, in base64url: 43 characters.
  public let digest: String

  /// Takes a serial and a digest; nil if either is out of range.
  package init?(serial: Int64, digest: String) {
    guard (1...KeySetRules.maximumSerial).contains(serial),
      let bytes = try? Base64URL.decode(digest), bytes.count == SHA256.digestSize
    else { return nil }
    self.serial = serial
    self.digest = digest
  }

  fileprivate init(of set: SenderKeySet) {
    serial = set.serial
    let digest = SHA256.digest(Array(set.text.utf8).span)
    self.digest = Base64URL.encode(digest.span)
  }

  fileprivate init?(members object: JSONObject) {
    guard let serial = object["serial"]?.number?.integer, let digest = object["digest"]?.string else {
      return nil
    }
    self.init(serial: serial, digest: digest)
  }

  fileprivate var members: JSONObject { ["serial": .number(JSONNumber(serial)), "digest": .string(digest)] }
}

extension SenderKeySet {
  /// The set's serial and the digest of its text, as a device reports them.
  public var version: SenderSetVersion { SenderSetVersion(of: self) }
}

extension SenderKeyFile {
  /// The version of the current set, to be reported with an enrolment; nil if there is no set, or it cannot be read.
  public var version: SenderSetVersion? { (try? load())??.version }
}

/// How many pushes a device opened, and how many not, by reason: totals since the app was installed.
///
/// They are totals and not differences, because an enrolment that is sent twice would count twice. They have no text, no
/// IDs, and no times but the day on which counting began.
public struct ReceptionCounts: Hashable, Sendable {
  /// The greatest count: 2^53 - 1.
  ///
  /// Greater ones stay there.
  public static let maximum: Int64 = (1 << 53) - 1

  /// The reason under which reasons are counted that this version does not know: `other`.
  public static let otherReason = "other"

  /// The reasons for which a receiver does not open a push, as FORMAT.md names them.
  package static let reasons: Set<String> = [
    "no-envelope", "malformed-envelope", "unsupported-version", "unsupported-suite", "suite-not-accepted",
    "anonymous-not-accepted", "unknown-key", "key-locked", "unknown-sender", "not-authentic", "bad-signature",
    "expired",
    "not-yet-valid", "replayed", "malformed-content", "deadline", "too-large", "other-format",
    "other-account",
  ]

  /// The day on which counting began, in whole days since 1970-01-01 UTC; nil if the device does not say.
  public private(set) var firstDay: Int64?

  /// The pushes that were opened.
  public private(set) var opened: Int64 = 0

  /// The pushes that were not opened, by reason, each greater than 0.
  public private(set) var degraded: [String: Int64] = [:]

  /// Starts counting on the day of `time`.
  public init(from time: UnixTime) { firstDay = time.seconds / 86_400 }

  /// Counts pushes that were opened; a negative count is ignored.
  public mutating func addOpened(_ count: Int64 = 1) { opened = Self.sum(of: opened, count) }

  /// Counts pushes that were not opened for a reason, such as `unknown-key`; a negative count is ignored.
  ///
  /// A reason that FORMAT.md does not name is counted as ``otherReason``.
  public mutating func addDegraded(_ reason: String, count: Int64 = 1) {
    let reason = Self.reasons.contains(reason) ? reason : Self.otherReason
    let sum = Self.sum(of: degraded[reason] ?? 0, count)
    if sum > 0 { degraded[reason] = sum }
  }

  private static func sum(of total: Int64, _ count: Int64) -> Int64 {
    count <= 0 ? total : count >= maximum - total ? maximum : total + count
  }

  /// Reads the member `counts`, in which whatever is not a count is as good as absent.
  package init(members object: JSONObject) {
    firstDay = Self.count(object["since"])
    opened = Self.count(object["opened"]) ?? 0
    for (reason, value) in object["degraded"]?.object ?? [:] {
      addDegraded(reason, count: Self.count(value) ?? 0)
    }
  }

  private static func count(_ value: JSONValue?) -> Int64? {
    value?.number?.integer.flatMap { (0...maximum).contains($0) ? $0 : nil }
  }

  /// The member `counts`.
  package var members: JSONObject {
    var object: JSONObject = ["opened": .number(JSONNumber(opened))]
    object["since"] = firstDay.map { .number(JSONNumber($0)) }
    var reasons = JSONObject()
    for (reason, count) in degraded.sorted(by: { $0.key < $1.key }) {
      reasons[reason] = .number(JSONNumber(count))
    }
    if !reasons.isEmpty { object["degraded"] = .object(reasons) }
    return object
  }
}
