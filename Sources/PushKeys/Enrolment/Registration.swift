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
  var key: ExactString { ExactString(name) }

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
