import PushCrypto
import PushCore
import PushKeys
import PushTesting

/// Keys that are the same in every run, so that an input always means the same.
enum Keys {
  static let topic = (try? Topic("com.example.app"))!
  static let now = UnixTime(clamping: 1_800_000_000)

  /// 8192 bytes that follow from a label.
  static func bytes(_ label: String) -> [UInt8] {
    let seed = label.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    var generator = SeededGenerator(seed: seed)
    return generator.bytes(count: 8192)
  }

  /// The same bytes, as a random source.
  static func randomness(_ label: String) -> FixedRandomness { FixedRandomness(bytes: bytes(label)) }

  /// A set that opens each suite.
  static let devices = Suite.available.map { suite in
    (try? KeySet(
      generating: suite == .sharedChaChaPoly ? .shared : .device,
      suite: suite == .sharedChaChaPoly ? .x25519ChaChaPoly : suite, at: now, random: randomness(suite.name)))!
  }

  static let recipients = zip(Suite.available, devices).map { suite, keys in
    (try? keys.recipient(suite: suite, at: now))!
  }

  static let sender = KeySet(generating: .sender, at: now, random: randomness("sender"))
  static let signingKey = (try? sender.signingKey(at: now))!
  static let senders = (try? sender.publicKeys)!
  static let root = KeySet(generating: .root, at: now, random: randomness("root"))
  static let identity = KeySet(generating: .identity, at: now, random: randomness("identity"))

  /// All the devices' keys as one store.
  static let store = KeyRing(sets: devices)
}

/// Several sets of keys as one store.
struct KeyRing: DeviceKeyStore {
  let sets: [KeySet]

  func deviceKey(for id: KeyID, at now: UnixTime) -> DeviceKey? {
    sets.lazy.compactMap { $0.deviceKey(for: id, at: now) }.first
  }
}
