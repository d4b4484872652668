package import PushCrypto
public import PushCore

/// Zulip's end-to-end encrypted notifications: secret boxes in JSON that the Zulip server writes.
///
/// The plaintext is an object whose `type` is `message`, `remove` or `test`; a client ignores any other. CryptoKit has
/// no XSalsa20, so notifications are sealed and opened on Linux, and on a Mac with the package's trait `Sodium`. A phone
/// recognizes them; code for iOS that would open one does not compile.
///
/// The format lacks:
/// - a sender: the key is shared with the registered server, so both sides can write;
/// - replay protection and an expiry: `time` is in the plaintext, for the app to check;
/// - a binding to the rest of the payload, including the key's number;
/// - padding: the length is visible.
public struct Zulip: EnvelopeFormat {
  /// `zulip`.
  public static let name = "zulip"

  /// The longest plaintext that is sealed, in bytes.
  ///
  /// No payload has room for a longer one.
  public static let maximumPlaintextSize = EnvelopeText.maximumByteCount - SecretBoxText.overhead

  private static let keyID = "push_key_id"
  private static let data = "encrypted_data"

  private let keys: [UInt32: ZulipKey]

  /// Opens with the keys of a client's accounts.
  ///
  /// If two keys have the same number, the last one wins.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  public init(keys: [ZulipKey]) {
    self.keys = Dictionary(keys.map { ($0.id, $0) }) { $1 }
  }

  /// Whether `push_key_id` is a 32-bit number and `encrypted_data` is base64 with room for nonce and tag.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    (try? keyID(of: payload)) != nil && (try? box(of: payload)) != nil
  }

  static func inspect(_ payload: JSONObject) -> ForeignEnvelope? {
    guard let id = try? keyID(of: payload), let box = try? box(of: payload) else { return nil }
    return ForeignEnvelope(
      format: name, members: [keyID, data], ciphertextSize: box.boxSize,
      details: ["keyID": .number(JSONNumber(Int64(id)))])
  }

  /// Opens the box, and returns the notification's JSON unchecked.
  ///
  /// - Throws: `EnvelopeFormatError`: `wrongKey` if no key has the payload's number.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let id = try Self.keyID(of: payload)
    let box = try Self.box(of: payload)
    guard let key = keys[id] else { throw .wrongKey }
    return try box.open(key: key.secret.exposedBytes)
  }

  /// Seals a plaintext, and returns the payload's members beside `aps`.
  ///
  /// - Throws: `EnvelopeFormatError.tooLarge` if the plaintext is longer than ``maximumPlaintextSize``,
  ///   `EnvelopeFormatError.unavailable`.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  public static func seal(
    _ plaintext: Span<UInt8>, with key: ZulipKey
  ) throws(EnvelopeFormatError) -> JSONObject {
    try seal(plaintext, with: key, random: SystemRandom())
  }

  /// Seals a plaintext under a nonce from `random`.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  package static func seal(
    _ plaintext: Span<UInt8>, with key: ZulipKey, random: some RandomSource
  ) throws(EnvelopeFormatError) -> JSONObject {
    guard plaintext.count <= maximumPlaintextSize else { throw .tooLarge }
    let text = try SecretBoxText.seal(plaintext, key: key.secret.exposedBytes, random: random)
    return [keyID: .number(JSONNumber(Int64(key.id))), data: .string(text)]
  }

  private static func keyID(of payload: JSONObject) throws(EnvelopeFormatError) -> UInt32 {
    guard let value = payload[keyID] else { throw .absent }
    guard let integer = value.number?.integer, let id = UInt32(exactly: integer) else {
      throw .malformed(member: keyID)
    }
    return id
  }

  private static func box(of payload: JSONObject) throws(EnvelopeFormatError) -> SecretBoxText {
    try SecretBoxText(member: data, of: payload)
  }

  /// Reads the writer's name and the content of a plaintext of type `message`.
  ///
  /// All its members belong to the app. A message in a channel shows the channel and the topic below the writer's name,
  /// and is grouped by them. A plaintext of another type has nothing to show.
  public static let reading = PlaintextReading { plaintext, _ in
    guard var members = try? JSONObject(parsing: plaintext.span), members["type"]?.string == "message" else {
      return nil
    }
    var alert = JSONObject()
    alert["title"] = members["sender_full_name"]
    alert["body"] = members["content"]
    var aps = JSONObject()
    if let channel = members["channel_name"]?.string {
      let place = [channel, members["topic"]?.string ?? ""].filter { !$0.isEmpty }.joined(separator: " > ")
      alert["subtitle"] = .string(place)
      aps["thread-id"] = .string(place)
    }
    aps["alert"] = .object(alert)
    members["aps"] = .object(aps)
    return members
  }
}

/// A Zulip client's push key, `push_key`, and the number that names it, `push_key_id`.
public struct ZulipKey: Sendable {
  /// The number, which the client chooses at random.
  public let id: UInt32

  /// The key, 32 bytes.
  fileprivate let secret: SharedSecret

  /// The byte before the key in a registration, which names the algorithm.
  private static let tag: UInt8 = 0x31
  private static let textSize = 44

  /// Generates a number and a key.
  public init() { self.init(random: SystemRandom()) }

  /// Takes the number's 4 bytes and then the key's 32 from `random`.
  package init(random: some RandomSource) {
    var id = [UInt8](repeating: 0, count: 4)
    var bytes = id.mutableSpan
    random.fill(&bytes)
    self.id = id.reduce(0) { $0 << 8 | UInt32($1) }
    secret = SharedSecret(random.secret(count: XSalsa20Poly1305.keySize, in: .guarded))
  }

  /// Reads a registration's `push_key` in ASCII: base64 of 0x31 and 32 bytes; `nil` for anything else.
  public init?(id: UInt32, pushKey: Span<UInt8>) {
    guard pushKey.count == Self.textSize, var bytes = StandardBase64.decode(pushKey) else { return nil }
    defer { bytes.wipe() }
    guard bytes.count == 1 + XSalsa20Poly1305.keySize, bytes[0] == Self.tag else { return nil }
    self.id = id
    secret = SharedSecret(Secret(copying: bytes.span.extracting(1..<bytes.count), in: .guarded))
  }

  /// Calls `body` with `push_key`, 44 characters of ASCII, and wipes them afterwards.
  package func withExposedPushKey<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    let tagged = Secret(count: 1 + XSalsa20Poly1305.keySize) { bytes in
      bytes[0] = Self.tag
      let key = secret.exposedBytes
      for index in key.indices { bytes[1 + index] = key[index] }
    }
    var text = StandardBase64.encode(tagged.exposedBytes)
    defer { text.wipe() }
    return try body(text.span)
  }
}
