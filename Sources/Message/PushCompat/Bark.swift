internal import PushCrypto
public import PushCore

/// The encrypted notifications of the app Bark: a payload with `ciphertext` in base64 and usually `iv`, under an AES
/// key that a person typed.
///
/// The key and the initialization vector are the UTF-8 bytes of their texts; there is no key derivation. The plaintext
/// is a JSON object with Bark's members, in any case: `title`, `subtitle`, `body`, `sound` without its suffix, `group`,
/// `url`, `icon`, `level`, `badge` and more.
///
/// - CBC mode is not authenticated: anyone who carries a message can alter it, and can choose part of the result.
/// - ECB mode is not authenticated either. It has no `iv`, and also reveals which blocks are equal, within a message
///   and across messages.
/// - GCM mode is authenticated as long as no `iv` is used twice. An `iv` that is typed once and kept, as Bark offers,
///   reveals how two plaintexts differ, and lets others forge messages.
///
/// In all three modes the format lacks:
/// - a sender: anyone who can open a message can write one;
/// - replay protection and an expiry;
/// - an identifier of its key and its mode;
/// - forward secrecy and a key derivation: typed characters are easier to guess than random bytes.
public struct Bark: EnvelopeFormat {
  private enum Mode {
    case cbc, gcm, ecb

    /// The length of an initialization vector, in bytes; 0 without one.
    var vectorSize: Int {
      switch self {
      case .cbc: AESCBC.blockSize
      case .gcm: AEAD.nonceSize
      case .ecb: 0
      }
    }
  }

  /// `bark`.
  public static let name = "bark"

  /// The lengths that a key can have, in bytes.
  public static let keySizes = [16, 24, 32]

  private static let ciphertext = "ciphertext"
  private static let iv = "iv"

  private let mode: Mode
  private let key: SharedSecret
  private let initializationVector: [UInt8]?

  /// Opens CBC mode with a key of 16, 24 or 32 bytes; `nil` for any other length.
  ///
  /// The key is copied; the caller wipes its own. `initializationVector`, 16 bytes, is used for payloads without `iv`.
  /// The plaintext is not authenticated, as the type's description says.
  public static func unauthenticatedCBC(
    key: Span<UInt8>, initializationVector: [UInt8]? = nil
  ) -> Bark? {
    Bark(mode: .cbc, key: key, initializationVector: initializationVector)
  }

  /// Opens GCM mode with a key of 16, 24 or 32 bytes; `nil` for any other length.
  ///
  /// The key is copied; the caller wipes its own. `initializationVector`, 12 bytes, is used for payloads without `iv`,
  /// so all of these share it.
  public static func gcm(key: Span<UInt8>, initializationVector: [UInt8]? = nil) -> Bark? {
    Bark(mode: .gcm, key: key, initializationVector: initializationVector)
  }

  /// Opens ECB mode with a key of 16, 24 or 32 bytes; `nil` for any other length.
  ///
  /// The key is copied; the caller wipes its own. The plaintext is not authenticated, as the type's description says.
  public static func unauthenticatedECB(key: Span<UInt8>) -> Bark? {
    Bark(mode: .ecb, key: key, initializationVector: nil)
  }

  private init?(mode: Mode, key: Span<UInt8>, initializationVector: [UInt8]?) {
    guard Self.keySizes.contains(key.count), [nil, mode.vectorSize].contains(initializationVector?.count)
    else { return nil }
    self.mode = mode
    self.key = SharedSecret(Secret(copying: key))
    self.initializationVector = initializationVector
  }

  /// Whether `ciphertext` is a string, and `iv` a string or missing.
  ///
  /// A payload with `ephemeral` is in Matrix's format.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    payload[ciphertext]?.string?.isEmpty == false
      && (payload[iv] == nil || payload[iv]?.string != nil) && payload["ephemeral"] == nil
  }

  static func inspect(_ payload: JSONObject) -> ForeignEnvelope? {
    guard isRecognized(payload) else { return nil }
    var details = JSONObject()
    details[iv] = payload[iv]
    let bytes = try? EnvelopeText(member: ciphertext, of: payload).decoded(by: StandardBase64.decode)
    return ForeignEnvelope(
      format: name, members: payload[iv] == nil ? [ciphertext] : [ciphertext, iv],
      ciphertextSize: bytes?.count, details: details)
  }

  /// Opens `ciphertext`.
  ///
  /// - Throws: `EnvelopeFormatError`: `absent` without `ciphertext`; `notAuthentic` if GCM's tag or the other modes'
  ///   padding is wrong; one wrong key in 256 passes the check of the padding.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let ciphertext = try EnvelopeText(member: Self.ciphertext, of: payload).decoded(by: StandardBase64.decode)
    guard isPossible(count: ciphertext.count) else { throw .malformed(member: Self.ciphertext) }
    // ECB mode has no vector, even if the payload has one.
    let vector = mode == .ecb ? [] : try vector(of: payload)
    do throws(CryptoError) {
      return switch mode {
      case .cbc: try openCBC(ciphertext.span, vector: vector.span)
      case .gcm: try openGCM(ciphertext.span, vector: vector.span)
      case .ecb: try openECB(ciphertext.span)
      }
    } catch {
      throw EnvelopeFormatError(error)
    }
  }

  /// The payload's initialization vector, or this value's own if the payload has none.
  private func vector(of payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let vector =
      if let value = payload[Self.iv] { value.string.map { Array($0.utf8) } } else { initializationVector }
    guard let vector, vector.count == mode.vectorSize else { throw .malformed(member: Self.iv) }
    return vector
  }

  /// Whether a ciphertext can have `count` bytes.
  private func isPossible(count: Int) -> Bool {
    switch mode {
    case .cbc, .ecb: count > 0 && count.isMultiple(of: AESCBC.blockSize)
    case .gcm: count >= AEAD.tagSize
    }
  }

  private func openCBC(_ ciphertext: Span<UInt8>, vector: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let key = self.key
    let plaintext = try AESCBC.decrypt(ciphertext, key: key.exposedBytes, initializationVector: vector)
    return [UInt8](copying: plaintext.exposedBytes)
  }

  private func openGCM(_ ciphertext: Span<UInt8>, vector: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let key = self.key
    let aead: AEAD =
      switch key.exposedBytes.count {
      case 16: .aes128GCM
      case 24: .aes192GCM
      default: .aes256GCM
      }
    let plaintext = try aead.open(ciphertext, authenticating: Span(), key: key.exposedBytes, nonce: vector)
    return [UInt8](copying: plaintext.exposedBytes)
  }

  private func openECB(_ ciphertext: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let key = self.key
    let plaintext = try AESECB.decrypt(ciphertext, key: key.exposedBytes)
    return [UInt8](copying: plaintext.exposedBytes)
  }
}

extension Bark: CustomReflectable {
  /// An empty mirror, so that no key is printed.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Bark {
  /// Reads `title`, `subtitle`, `body`, `sound`, `group`, `level` and `badge`, in any case.
  ///
  /// A sound without the suffix `.caf` gets it. Texts that are not strings, an empty sound, and a level or a badge that
  /// is not valid for APNs are left out. All other members, with their names in lower case, belong to the app.
  public static let reading = PlaintextReading { plaintext, _ in
    guard let object = try? JSONObject(parsing: plaintext.span) else { return nil }
    var members = JSONObject()
    for (name, value) in object { members[name.lowercased()] = value }
    var alert = JSONObject()
    for name in ["title", "subtitle", "body"] { alert[name] = members.take(named: name)?.text }
    var aps: JSONObject = ["alert": .object(alert)]
    aps["sound"] = members.take(named: "sound")?.string.flatMap(sound)
    aps["thread-id"] = members.take(named: "group")?.text
    aps["interruption-level"] = members.take(named: "level")?.string.flatMap(level)
    aps["badge"] = members.take(named: "badge").flatMap(badge)
    members["aps"] = .object(aps)
    return members
  }

  private static func sound(named name: String) -> JSONValue? {
    name.isEmpty ? nil : .string(name.hasSuffix(".caf") ? name : name + ".caf")
  }

  private static func level(named text: String) -> JSONValue? {
    switch text.lowercased() {
    case "passive": "passive"
    case "active": "active"
    case "timesensitive": "time-sensitive"
    case "critical": "critical"
    default: nil
    }
  }

  /// A badge as a number or as text: Bark's server turns every value into text.
  private static func badge(from value: JSONValue) -> JSONValue? {
    guard let badge = value.number?.integer ?? value.string.flatMap(Int64.init), badge >= 0 else {
      return nil
    }
    return .number(JSONNumber(badge))
  }
}

extension JSONValue {
  /// The value if it is a string.
  fileprivate var text: JSONValue? { string.map(JSONValue.string) }
}

extension JSONObject {
  /// Removes a member, and returns its value.
  fileprivate mutating func take(named name: String) -> JSONValue? {
    defer { self[name] = nil }
    return self[name]
  }
}
