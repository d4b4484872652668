public import PushEnvelope
internal import PushPayload

/// What a backend stores for an enrolled device: its identity and its newest enrolment.
///
/// The identity never changes. A new or erased phone is a new registration, which the app's own login must authorize.
public struct Registration: Sendable {
  /// The maximum size of a name, in bytes.
  public static let maximumNameSize = 255

  /// The maximum size of a line of JSON, in bytes: 64 KiB.
  public static let maximumLineSize = 1 << 16

  /// The backend's own name for the registration.
  ///
  /// Names are compared byte by byte.
  public let name: String

  /// The device's newest enrolment.
  public private(set) var enrolment: Enrolment

  /// The thumbprint of the device's identity.
  public var identity: Thumbprint { enrolment.identity.thumbprint }

  /// Registers a device with its first enrolment; nil unless the name has 1 to 255 bytes and no control characters.
  public init?(_ name: String, _ enrolment: Enrolment) {
    guard Self.isName(name) else { return nil }
    self.name = name
    self.enrolment = enrolment
  }

  /// Accepts a later enrolment of the same device, and returns whether that changed anything.
  ///
  /// It is idempotent.
  ///
  /// - Throws: ``SignedSetError/otherIdentity``, ``SignedSetError/otherTopic``,
  ///   ``SignedSetError/olderSerial(last:)``, ``SignedSetError/sameSerial``. The registration is unchanged then.
  @discardableResult
  public mutating func update(with enrolment: Enrolment) throws(SignedSetError) -> Bool {
    try enrolment.check(follows: self.enrolment)
    guard enrolment != self.enrolment else { return false }
    self.enrolment = enrolment
    return true
  }

  /// Whether APNs' answer that the device's token was no longer valid at `time` (status 410, `timestamp`) is about this
  /// registration.
  ///
  /// It is not if the device has enrolled in that second or since: an app that is installed again may get the same token.
  /// The device's clock says when it enrolled (``Enrolment/issuedAt``).
  public func isUnregistered(at time: UnixTime) -> Bool { enrolment.issuedAt < time }

  /// Parses a registration from JSON, and verifies the device's signature again: FORMAT.md, [11.17].
  ///
  /// - Throws: ``SignedSetError``.
  public init(parsing line: Span<UInt8>) throws(SignedSetError) {
    guard line.count <= Self.maximumLineSize else { throw .tooLarge }
    guard let object = try? JSONObject(parsing: line) else { throw .malformedEnrolment }
    let enrolment = try Enrolment(object, and: ["registration", "identity"])
    guard let name = object["registration"]?.string, Self.isName(name) else { throw .malformedEnrolment }
    guard object["identity"] == .string(enrolment.identity.thumbprint.text) else { throw .otherIdentity }
    self.name = name
    self.enrolment = enrolment
  }

  /// The registration as one line of JSON, without a line feed.
  public func encoded() -> [UInt8] {
    var object: JSONObject = ["v": 1, "registration": .string(name), "identity": .string(identity.text)]
    for (key, value) in enrolment.members where key != "v" { object[key] = value }
    return object.encoded()
  }

  /// The key for lookups by name.
  fileprivate var key: ExactString { ExactString(name) }

  private static func isName(_ text: String) -> Bool {
    (1...maximumNameSize).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}

extension Registration: Equatable {
  /// Whether both have the same name, byte by byte, and the same enrolment.
  public static func == (left: Registration, right: Registration) -> Bool {
    left.key == right.key && left.enrolment == right.enrolment
  }
}

/// The registrations of a backend's devices.
///
/// Each identity, token, and key belongs to only one of them.
///
/// A backend with a database makes the same checks there: it updates a registration with
/// ``Registration/update(with:)``, and has a unique index for identities, for tokens, and for key IDs.
public struct Registrations: Sendable {
  /// The result of accepting an enrolment.
  public enum Change: String, Sendable {
    /// The enrolment made a new registration.
    case registered
    /// The enrolment replaced an older one.
    case updated
    /// The enrolment was already stored.
    case unchanged
  }

  /// The registrations, in the order in which they were made.
  public private(set) var all: [Registration] = []

  private var positions: [ExactString: Int] = [:]
  private var byIdentity: [Thumbprint: String] = [:]
  private var byToken: [DeviceToken: String] = [:]
  private var byKey: [KeyID: String] = [:]

  /// Makes an empty list.
  public init() {}

  /// The registration with this name.
  public subscript(name: String) -> Registration? { positions[ExactString(name)].map { all[$0] } }

  /// Accepts an enrolment for an existing registration, as ``accept(_:as:)`` does.
  ///
  /// Call this unless the user has just logged in: it does not bring back a removed device.
  ///
  /// - Throws: ``SignedSetError``; ``SignedSetError/notRegistered``.
  @discardableResult
  public mutating func update(_ enrolment: Enrolment, as name: String) throws(SignedSetError) -> Change {
    guard self[name] != nil else { throw .notRegistered }
    return try accept(enrolment, as: name)
  }

  /// Accepts an enrolment for the registration with this name, or makes a new one: FORMAT.md, [11.14] to [11.16].
  ///
  /// - Throws: ``SignedSetError``, and nothing is changed. An invalid name is ``SignedSetError/malformedEnrolment``.
  @discardableResult
  public mutating func accept(
    _ enrolment: Enrolment, as name: String
  ) throws(SignedSetError) -> Change {
    var (registration, change): (Registration, Change)
    if let old = self[name] {
      registration = old
      change = try registration.update(with: enrolment) ? .updated : .unchanged
    } else {
      guard let new = Registration(name, enrolment) else { throw .malformedEnrolment }
      (registration, change) = (new, .registered)
    }
    try checkUnique(registration)
    put(registration)
    return change
  }

  /// Removes the registration with this name, for example of a lost phone; nil if there is none.
  @discardableResult
  public mutating func remove(_ name: String) -> Registration? {
    guard let position = positions[ExactString(name)] else { return nil }
    let removed = all[position]
    var rest = all
    rest.remove(at: position)
    self = Registrations()
    for registration in rest { put(registration) }
    return removed
  }

  /// Adds a stored registration.
  ///
  /// - Throws: ``SignedSetError`` if it conflicts with another registration; `malformedEnrolment` if the name is
  ///   taken.
  mutating func append(_ registration: Registration) throws(SignedSetError) {
    guard self[registration.name] == nil else { throw .malformedEnrolment }
    try checkUnique(registration)
    put(registration)
  }

  private func isSame(_ left: String, _ right: String) -> Bool { ExactString(left) == ExactString(right) }

  private func checkUnique(_ registration: Registration) throws(SignedSetError) {
    let name = registration.name
    if let other = byIdentity[registration.identity], !isSame(other, name) {
      throw .identityInUse(registration: other)
    }
    if let other = byToken[registration.enrolment.address.token], !isSame(other, name) {
      throw .tokenInUse(registration: other)
    }
    for record in registration.enrolment.keys.records {
      if let other = byKey[record.id.keyID], !isSame(other, name) { throw .keyInUse(registration: other) }
    }
  }

  private mutating func put(_ registration: Registration) {
    if let position = positions[registration.key] {
      let old = all[position].enrolment
      byToken[old.address.token] = nil
      for record in old.keys.records { byKey[record.id.keyID] = nil }
      all[position] = registration
    } else {
      positions[registration.key] = all.count
      all.append(registration)
    }
    byIdentity[registration.identity] = registration.name
    byToken[registration.enrolment.address.token] = registration.name
    for record in registration.enrolment.keys.records { byKey[record.id.keyID] = registration.name }
  }
}
