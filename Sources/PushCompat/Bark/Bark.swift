internal import PushCrypto
public import PushPayload
public import PushReceiver

/// What the app Bark shows: a payload with `ciphertext` in base64, mostly with `iv`, under an AES key that a person
/// typed.
///
/// The key is its text's UTF-8, without a key derivation, and so is the initialization vector. The plaintext is a JSON
/// object whose members, in any case, are Bark's: `title`, `subtitle`, `body`, `sound` without its suffix, `group`,
/// `url`, `icon`, `level`, `badge` and more.
///
/// In CBC mode it lacks authentication: whoever carries a message can alter it, and part of what they alter they choose.
/// ECB mode lacks it too, has no `iv`, and also shows which blocks are equal, in one message and across all of them.
/// GCM mode has it, as long as no `iv` is used twice: one that is typed once and kept, as Bark offers, tells what
/// two plaintexts differ in, and lets others write. In all three it lacks:
/// - a sender: everyone who opens can write;
/// - protection from repeats, and an expiry;
/// - an identifier of its key and its mode;
/// - forward secrecy, and a way from what a person types to a key: characters are guessed more easily than bytes.
public struct Bark: EnvelopeFormat {
  enum Mode { case cbc, gcm, ecb }

  /// `bark`.
  public static let name = "bark"

  /// The lengths that a key can have, in bytes.
  public static let keySizes = [16, 24, 32]

  let mode: Mode
  let key: SharedSecret
  let initializationVector: [UInt8]?

  /// Copies a key for CBC mode, of 16, 24 or 32 bytes, which the caller wipes; null if one has another length.
  ///
  /// The initialization vector, 16 bytes, is for payloads without `iv`. What is opened is not authenticated, as the
  /// type's description says.
  public static func unauthenticatedCBC(
    key: Span<UInt8>, initializationVector: [UInt8]? = nil
  ) -> Bark? {
    Bark(.cbc, key, initializationVector)
  }

  /// Copies a key for GCM mode, of 16, 24 or 32 bytes, which the caller wipes; null if one has another length.
  ///
  /// The initialization vector, 12 bytes, is for payloads without `iv`, which then all have the same.
  public static func gcm(key: Span<UInt8>, initializationVector: [UInt8]? = nil) -> Bark? {
    Bark(.gcm, key, initializationVector)
  }

  /// Copies a key for ECB mode, of 16, 24 or 32 bytes, which the caller wipes; null if one has another length.
  ///
  /// What is opened is not authenticated, as the type's description says.
  public static func unauthenticatedECB(key: Span<UInt8>) -> Bark? { Bark(.ecb, key, nil) }

  private init?(_ mode: Mode, _ key: Span<UInt8>, _ initializationVector: [UInt8]?) {
    guard Self.keySizes.contains(key.count), [nil, mode.vectorSize].contains(initializationVector?.count)
    else { return nil }
    self.mode = mode
    self.key = SharedSecret(Secret(copying: key))
    self.initializationVector = initializationVector
  }

  /// Whether there is a string `ciphertext`, and `iv`, if at all, is a string.
  ///
  /// A payload with `ephemeral` is Matrix's.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    payload["ciphertext"]?.string?.isEmpty == false
      && (payload["iv"] == nil || payload["iv"]?.string != nil) && payload["ephemeral"] == nil
  }
}

extension Bark: CustomReflectable {
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Bark.Mode {
  /// The length of an initialization vector, in bytes; 0 without one.
  var vectorSize: Int {
    switch self {
    case .cbc: AESCBC.blockSize
    case .gcm: AEAD.nonceSize
    case .ecb: 0
    }
  }
}
