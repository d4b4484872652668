internal import PushCrypto
public import PushPayload
public import PushReceiver

/// What `openssl enc -aes-256-cbc -salt` writes: `Salted__`, a salt of 8 bytes, and AES-256-CBC under a key from a
/// password.
///
/// It stands in a payload in base64 (`-a`, or `-a -A` for one line), where it starts with `U2FsdGVkX1`.
///
/// It lacks:
/// - authentication: whoever carries a message can alter it, and part of what they alter they choose;
/// - a sender: everyone who opens can write;
/// - protection from repeats, and an expiry;
/// - an identifier of its key, of the iterations and of the digest;
/// - forward secrecy, and a memory-hard way from password to key: a message that was kept is for guessing at.
///
/// `-S` leaves out `Salted__` and the salt, and `-K` has neither: those are not of this format.
public struct OpenSSLSalted: EnvelopeFormat {
  /// `openssl-salted`.
  public static let name = "openssl-salted"

  /// The longest password, in bytes.
  public static let maximumPasswordSize = 1024

  /// The member that carries the envelope.
  public let member: EnvelopeKey

  /// How its keys are made.
  public let derivation: Derivation

  let password: SharedSecret

  /// Copies a password, whose bytes the caller wipes; null unless there are 1 to 1024 of them.
  ///
  /// What is opened with it is not authenticated, as the type's description says.
  public static func unauthenticated(
    password: Span<UInt8>, derivation: Derivation = .pbkdf2, member: EnvelopeKey = .default
  ) -> OpenSSLSalted? {
    guard (1...maximumPasswordSize).contains(password.count) else { return nil }
    return OpenSSLSalted(
      member: member, derivation: derivation, password: SharedSecret(Secret(copying: password)))
  }

  /// Whether a member of the payload, or of a Live Activity's `content-state`, is a string with the start of this
  /// format.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    let state = payload["aps"]?.object?["content-state"]?.object ?? JSONObject()
    return payload.contains { isStart($0.value) } || state.contains { isStart($0.value) }
  }

  /// Whether its member is a string with the start of this format.
  public func recognizes(_ payload: JSONObject) -> Bool {
    member.value(in: payload).map(Self.isStart) ?? false
  }

  static func isStart(_ value: JSONValue) -> Bool {
    value.string?.utf8.starts(with: "U2FsdGVkX1".utf8) ?? false
  }
}

extension OpenSSLSalted: CustomReflectable {
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
