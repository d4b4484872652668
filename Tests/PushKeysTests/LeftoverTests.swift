#if os(Linux)
  import Glibc
  import Locks
  import PushAttachments
  import PushCompat
  import PushCore
  import PushCrypto
  import PushKeys
  import PushReceiver
  import PushSealer
  import TestSupport
  import Testing

  /// Searches the process's own memory for keys that were released.
  @Suite("Nothing secret is left in memory", .serialized, .hangGuard)
  struct LeftoverTests {
    /// A control: a secret that is held is found, on the heap, in guarded pages, and backwards.
    @Test(arguments: [SecretMemory.heap, .guarded], [false, true])
    func whatIsHeld(memory: SecretMemory, isReversed: Bool) {
      let (secret, mask) = Self.secret(in: memory, isReversed: isReversed)
      #expect(mask.isInMemory())
      withExtendedLifetime(secret) {}
    }

    @Test(arguments: [SecretMemory.heap, .guarded]) func aSecret(memory: SecretMemory) {
      let mask = Self.secret(in: memory).mask
      #expect(!mask.isInMemory())
    }

    /// Sets that seal, sign and open, and are written and read; for a device, the keys of each message, too.
    @Test(arguments: [KeyRole.device, .shared]) func keysThatWereUsed(role: KeyRole) throws {
      let random = MaskingRandom()
      // With a shared key, a message's random bytes are the salt, which is not secret.
      let ofMessages: any RandomSource = role == .shared ? SystemRandom() : random
      try Self.use(
        KeySet(generating: role, at: .now, random: random),
        KeySet(generating: .sender, at: .now, random: random), ofMessages)
      let masks = random.masks
      #expect(masks.count >= (role == .shared ? 2 : 5))
      for mask in masks { #expect(!mask.isInMemory()) }
    }

    /// The keys of messages that are sealed together, in lanes where this processor has them.
    @Test(arguments: Suite.available.filter { $0 != .sharedChaChaPoly }) func keysOfABatch(suite: Suite)
      throws
    {
      let random = MaskingRandom()
      try Self.sealTogether(suite, random)
      let masks = random.masks
      #expect(masks.count >= 16)
      for mask in masks { #expect(!mask.isInMemory()) }
    }

    /// The keys of sets in use are only in read-only pages that are locked into memory and left out of core dumps.
    @Test(arguments: [KeyRole.device, .shared]) func keysInUse(role: KeyRole) throws {
      let (device, sender) = (KeySet(generating: role, at: .now), KeySet(generating: .sender, at: .now))
      try Self.use(device, sender, SystemRandom())
      for mask in try [Self.mask(of: device), Self.mask(of: sender)] {
        let mappings = mask.mappings()
        #expect(!mappings.isEmpty)
        for mapping in mappings {
          #expect(!mapping.isWritable)
          #expect(mapping.flags.contains("dd"))
          #expect(mapping.flags.contains("lo") == Self.canLock)
        }
      }
      withExtendedLifetime((device, sender)) {}
    }

    /// Keys of other programs, imported and exported in each format.
    @Test(arguments: [KeyAlgorithm.x25519, .p256, .ed25519], KeyFormat.allCases)
    func keysOfOtherPrograms(algorithm: KeyAlgorithm, format: KeyFormat) throws {
      let mask = try Self.translate(algorithm, format)
      #expect(!mask.isInMemory())
    }

    @Test func aBlobsKey() throws {
      let random = MaskingRandom()
      do {
        var sealer = try BlobSealer(type: .png, layout: .standard, random: random)
        try sealer.append([UInt8](repeating: 7, count: 1000).span) { _ in }
        _ = try sealer.finish { _ in }
      }
      let mask = try #require(random.masks.first)
      #expect(!mask.isInMemory())
    }

    /// Other systems' keys: a private key, and a webhook's secret.
    @Test func keysOfOtherSystems() throws {
      for make in [Self.openBox, Self.openHomeAssistant] {
        let mask = try make()
        #expect(!mask.isInMemory())
      }
    }
  }

  /// Functions that release everything they hold before the memory is searched.
  extension LeftoverTests {
    /// A secret whose bytes exist nowhere else.
    private static func secret(
      in memory: SecretMemory = .heap, isReversed: Bool = false
    ) -> (secret: SharedSecret, mask: MaskedSecret) {
      let random = Secret(count: 32) { SystemRandom().fill(&$0) }
      let bytes = random.exposedBytes
      let secret = Secret(count: 32, in: memory) { copy in
        for index in copy.indices { copy[index] = bytes[isReversed ? 31 - index : index] }
      }
      return (SharedSecret(secret), MaskedSecret(bytes))
    }

    private static func sealTogether(_ suite: Suite, _ random: any RandomSource) throws {
      let device = try KeySet(generating: .device, suite: suite, at: .now)
      let sender = KeySet(generating: .sender, at: .now)
      let sealer = Sealer(
        topic: try Topic("com.example.app"), signer: try sender.signingKey(), policy: SealingPolicy(),
        random: random)
      let recipient = try device.publicKeys.recipient(suite: suite, at: .now)
      let job = SealJob(.notification(RemoteNotification(body: "Lunch?")), to: recipient)
      for result in sealer.seal([SealJob](repeating: job, count: 16)) { _ = try result.get() }
    }

    private static func use(_ device: KeySet, _ sender: KeySet, _ random: any RandomSource) throws {
      let topic = try Topic("com.example.app")
      let sealer = Sealer(
        topic: topic, signer: try sender.signingKey(), policy: SealingPolicy(), random: random)
      let receiver = Receiver(topic: topic, keys: device, senders: try sender.publicKeys)
      let recipient =
        try device.role == .shared ? device.recipient(at: .now) : device.publicKeys.recipient()
      for number in 0..<3 {
        let push = try sealer.seal(RemoteNotification(title: "Ada", body: "\(number)"), to: recipient)
        _ = try receiver.open(IncomingPush(payload: JSONObject(parsing: push.payload.span)))
      }
      for set in [device, sender] {
        let copy = try set.withEncodedBytes { (bytes) throws(KeySetError) in try KeySet(parsing: bytes) }
        #expect(copy.records == set.records)
      }
    }

    /// The masked private key of a set with one key; its text is wiped before this returns.
    private static func mask(of set: KeySet) throws -> MaskedSecret {
      var text = try set.withEncodedBytes { (bytes) throws(KeySetError) in [UInt8](copying: bytes) }
      defer { text.wipe() }
      let member = Array((set.role == .shared ? #""k":""# : #""d":""#).utf8)
      let start = try #require(text.firstRange(of: member)?.upperBound)
      let end = try #require(text[start...].firstIndex(of: UInt8(ascii: "\"")))
      var key = try Base64URL.decode(text.span.extracting(start..<end))
      defer { key.wipe() }
      return MaskedSecret(key.span)
    }

    /// Whether the system lets this process lock another page into memory.
    private static var canLock: Bool {
      let size = Int(getpagesize())
      let page = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: size)
      defer { unsafe page.deallocate() }
      guard unsafe mlock(page, size) == 0 else { return false }
      unsafe munlock(page, size)
      return true
    }

    private static func translate(_ algorithm: KeyAlgorithm, _ format: KeyFormat) throws -> MaskedSecret {
      let (secret, mask) = Self.secret()
      let key = try PrivateKey(raw: secret.exposedBytes, algorithm: algorithm)
      let copy = try #require(
        try key.withEncodedBytes(as: format) { (bytes) throws(PrivateKeyError) in
          try PrivateKey(parsing: bytes, as: format, algorithm: algorithm)
        })
      #expect(copy.thumbprint == key.thumbprint)
      return mask
    }

    private static func openBox() throws -> MaskedSecret {
      let (secret, mask) = Self.secret()
      let publicKey = try X25519.publicKey(of: secret.exposedBytes)
      let (opener, addressee) = (
        SodiumSealedBox(privateKey: secret.exposedBytes), SodiumRecipient(publicKey: publicKey.span)
      )
      let (format, recipient) = (try #require(opener), try #require(addressee))
      let text = try SodiumSealedBox.seal(Array("{}".utf8).span, to: recipient)
      #expect(try format.open([SodiumSealedBox.defaultMember: .string(text)]) == Array("{}".utf8))
      return mask
    }

    private static func openHomeAssistant() throws -> MaskedSecret {
      let (secret, mask) = Self.secret()
      let truncated = HomeAssistantKey.truncated(secret: secret.exposedBytes)
      let key = try #require(truncated)
      let payload: JSONObject = [
        "encrypted": true, "encrypted_data": .string(String(repeating: "A", count: 100)),
      ]
      #expect(throws: EnvelopeFormatError.self) { try HomeAssistant(key: key).open(payload) }
      return mask
    }
  }

  /// The system's random bytes, with masked copies for the search.
  private final class MaskingRandom: RandomSource {
    private let list = Mutex<[MaskedSecret]>([])

    var masks: [MaskedSecret] { list.withLock { $0 } }

    func fill(_ bytes: inout MutableSpan<UInt8>) {
      SystemRandom().fill(&bytes)
      // A batch draws the keys of all its messages at once.
      let size = bytes.count.isMultiple(of: 32) ? 32 : bytes.count
      for start in stride(from: 0, to: bytes.count, by: size) {
        let mask = MaskedSecret(bytes.span.extracting(start..<start + size))
        list.withLock { $0.append(mask) }
      }
    }
  }
#endif
