public import PushEnvelope
internal import PushPayload

/// What a backend keeps of a device that enrolled: the identity that it is known by, and its newest enrolment.
///
/// The identity never changes. A new phone, or an erased one, is a new registration, and whether that may be made is
/// for the app's own login to say.
public struct Registration: Sendable {
  /// The longest name, in bytes.
  public static let maximumNameSize = 255

  /// The longest line of JSON, in bytes: 64 KiB.
  public static let maximumLineSize = 1 << 16

  /// The backend's own name for it; two are the same if their bytes are.
  public let name: String

  /// The device's newest enrolment.
  public private(set) var enrolment: Enrolment

  /// The thumbprint of the device's identity.
  public var identity: Thumbprint { enrolment.identity.thumbprint }

  /// Registers a device by its first enrolment; null unless the name has 1 to 255 bytes and no control characters.
  public init?(_ name: String, _ enrolment: Enrolment) {
    guard Self.isName(name) else { return nil }
    self.name = name
    self.enrolment = enrolment
  }

  /// Takes a later enrolment of the same device: whether that changed anything.
  ///
  /// - Throws: ``SignedSetError/otherIdentity``, ``SignedSetError/otherTopic``,
  ///   ``SignedSetError/olderSerial(last:)``, ``SignedSetError/sameSerial``; the registration is as it was, then.
  @discardableResult
  public mutating func update(with enrolment: Enrolment) throws(SignedSetError) -> Bool {
    try enrolment.check(follows: self.enrolment)
    guard enrolment != self.enrolment else { return false }
    self.enrolment = enrolment
    return true
  }

  /// Reads a registration from its JSON, and checks the device's signature anew: FORMAT.md, [11.17].
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

  /// The registration as JSON, one line without its end.
  public func encoded() -> [UInt8] {
    var object: JSONObject = ["v": 1, "registration": .string(name), "identity": .string(identity.text)]
    for (key, value) in enrolment.members where key != "v" { object[key] = value }
    return object.encoded()
  }

  /// What the name is found by.
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

/// The registrations of a backend's devices: each identity, each token and each key in one of them.
///
/// A backend with a database makes the same checks there: a name's registration with ``Registration/update(with:)``,
/// and a unique index each for identity, token and key ids.
public struct Registrations: Sendable {
  /// What became of an enrolment.
  public enum Change: String, Sendable {
    /// It made a registration.
    case registered
    /// It took the place of an older one.
    case updated
    /// It was there already.
    case unchanged
  }

  /// The registrations, in the order in which they were made.
  public private(set) var all: [Registration] = []

  private var positions: [ExactString: Int] = [:]
  private var byIdentity: [Thumbprint: String] = [:]
  private var byToken: [DeviceToken: String] = [:]
  private var byKey: [KeyID: String] = [:]

  /// Makes a list without any.
  public init() {}

  /// The registration of that name.
  public subscript(name: String) -> Registration? { positions[ExactString(name)].map { all[$0] } }

  /// Takes an enrolment for the registration of that name, which must be there, as ``accept(_:as:)``.
  ///
  /// It is what to call unless a person has just logged in: it brings back no device that was removed.
  ///
  /// - Throws: ``SignedSetError``; ``SignedSetError/notRegistered``.
  @discardableResult
  public mutating func update(_ enrolment: Enrolment, as name: String) throws(SignedSetError) -> Change {
    guard self[name] != nil else { throw .notRegistered }
    return try accept(enrolment, as: name)
  }

  /// Takes an enrolment for the registration of that name, or makes it: FORMAT.md, [11.14] to [11.16].
  ///
  /// - Throws: ``SignedSetError``; nothing is changed, then. A name that cannot be one is
  ///   ``SignedSetError/malformedEnrolment``.
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

  /// Removes the registration of that name, as of a lost phone; null if there is none.
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

  /// Adds one that was read from somewhere.
  ///
  /// - Throws: ``SignedSetError``: it has something of another, and `malformedEnrolment` if the name is another's.
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
