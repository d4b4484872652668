public import PushCore
import PushKeys
public import PushReceiver
import PushSealer

/// A backend and a device with keys of one suite, and the notification that goes from one to the other.
public struct Scene: Sendable {
  /// The lengths of the notification's JSON, in bytes: a short message, and about the longest that fits.
  public static let contentSizes = [300, 2500]

  /// The suite of the device's key.
  public let suite: Suite

  /// Whether messages are signed.
  public let isSigned: Bool

  /// The length of the notification's JSON, in bytes.
  public let contentSize: Int

  /// The app.
  public let topic: Topic

  private let notification: RemoteNotification
  private let sealer: Sealer
  private let deviceKeys: KeySet
  private let recipient: Recipient
  private let senders: PublicKeySet

  /// Makes the keys.
  public init(suite: Suite, isSigned: Bool, contentSize: Int) throws {
    self.suite = suite
    self.isSigned = isSigned
    self.contentSize = contentSize
    topic = try Topic("com.example.app")
    notification = try RemoteNotification(ofSize: contentSize)
    (deviceKeys, recipient) = try Self.device(of: suite)
    let senderKeys = KeySet(generating: .sender, at: .now)
    senders = try senderKeys.publicKeys
    sealer =
      isSigned
      ? Sealer(topic: topic, signingKey: try senderKeys.signingKey()) : Sealer.anonymous(topic: topic)
  }

  /// Every length that fits, every suite that this system's libraries have, signed and anonymous.
  public static func all() throws -> [Scene] {
    let scenes = try contentSizes.flatMap { size in
      try Suite.available.flatMap { suite in
        try [true, false].map { try Scene(suite: suite, isSigned: $0, contentSize: size) }
      }
    }
    return scenes.filter { (try? $0.plaintextSize()) != nil }
  }

  /// What a table calls it.
  public var label: String { "\(contentSize) \(suite.name), \(isSigned ? "signed" : "anonymous")" }

  /// The notification's JSON.
  public func json() throws -> [UInt8] { try notification.payload().encoded() }

  /// The notification as a sealed payload, a new message each time.
  public func seal() throws -> [UInt8] { try sealer.seal(notification, to: recipient).payload }

  /// As many sealed payloads, made together.
  public func seal(_ count: Int) throws -> [[UInt8]] {
    let jobs = (0..<count).map { _ in SealJob(.notification(notification), to: recipient) }
    return try sealer.seal(jobs).map { try $0.get().payload }
  }

  /// As many sealed payloads, made together, but with nothing computed for eight messages at a time.
  public func sealWithoutLanes(_ count: Int) throws -> [[UInt8]] {
    let areOn = SealingLanes.areOn
    defer { SealingLanes.areOn = areOn }
    SealingLanes.areOn = false
    return try seal(count)
  }

  /// What is computed for eight messages at a time on this machine, and by which library.
  public static var lanes: String {
    SealingLanes.report.map { "\($0.algorithm): \($0.state)" }.joined(separator: "; ")
  }

  /// As many sealed payloads, made on all cores, in order.
  public func sealOnAllCores(_ count: Int) async throws -> [[UInt8]] {
    try await withThrowingTaskGroup(of: (Int, [[UInt8]]).self) { group in
      for start in stride(from: 0, to: count, by: Self.chunkSize) {
        group.addTask { (start, try seal(min(Self.chunkSize, count - start))) }
      }
      var payloads = [[UInt8]](repeating: [], count: count)
      for try await (start, chunk) in group {
        for (offset, payload) in chunk.enumerated() { payloads[start + offset] = payload }
      }
      return payloads
    }
  }

  /// A receiver that has seen no message yet.
  public func receiver() -> Receiver {
    Receiver(
      topic: topic, keys: deviceKeys, senders: senders, accepts: AcceptedEnvelopes(anonymous: !isSigned),
      replay: InMemoryReplayStore())
  }

  /// The length of the plaintext, its padding included, in bytes.
  public func plaintextSize() throws -> Int {
    let bytes = try seal()
    let payload = try JSONObject(parsing: bytes.span)
    guard let envelope = payload[EnvelopeKey.default.text]?.string else { throw SceneError.doesNotFit }
    // Version, suite and key ID come before the encapsulated key, and the tag after the ciphertext.
    return try Base64URL.decode(envelope).count - 2 - KeyID.size - suite.encapsulatedKeySize - 16
  }

  /// Enough messages to be worth a task.
  private static let chunkSize = 64

  /// A device's keys, and what a sealer needs of them: the one place that tells suites apart.
  private static func device(of suite: Suite) throws -> (KeySet, Recipient) {
    switch suite {
    case .x25519ChaChaPoly, .p256AESGCM, .xwingAESGCM:
      let keys = try KeySet(generating: .device, suite: suite, at: .now)
      return (keys, try keys.publicKeys.recipient(suite: suite))
    case .sharedChaChaPoly:
      let keys = KeySet(generating: .shared, at: .now)
      return (keys, try keys.recipient())
    }
  }
}

/// Why there is no scene.
public enum SceneError: Error {
  /// The notification cannot be made as long as it should be.
  case doesNotFit
}
