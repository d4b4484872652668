import PushCrypto
import Testing

/// A secret with several owners.
struct SharedSecretTests {
  @Test func `the last owner wipes`() {
    let memory = FilledMemory(count: 32)
    var first: SharedSecret? = unsafe SharedSecret(Secret(wiping: memory.bytes))
    var second = first
    first = nil
    #expect(!memory.isZero)
    #expect(second.map { [UInt8](copying: $0.exposedBytes) } == [UInt8](repeating: 0xa5, count: 32))
    second = nil
    #expect(memory.isZero)
  }

  @Test func `a closure is an owner`() {
    let memory = FilledMemory(count: 32)
    var count: (() -> Int)?
    do {
      let secret = unsafe SharedSecret(Secret(wiping: memory.bytes))
      count = { secret.exposedBytes.count }
    }
    #expect(!memory.isZero)
    #expect(count?() == 32)
    count = nil
    #expect(memory.isZero)
  }

  /// A `Secret` is not copyable, so it cannot be handed to any of these at all.
  @Test func `no description shows the bytes`() {
    let canary = [UInt8]("CANARY-7f3a9".utf8)
    let secret = SharedSecret(Secret(copying: canary.span))
    var dumped = ""
    dump(secret, to: &dumped)
    let mirrored = Mirror(reflecting: secret).children.map { String(reflecting: $0.value) }
    for text in [String(describing: secret), String(reflecting: secret), "\(secret)", dumped] + mirrored {
      #expect(!text.contains("CANARY"))
      #expect(!text.contains("67, 65, 78, 65, 82, 89"), "the bytes as numbers")
      #expect(!text.lowercased().contains("43414e415259"), "the bytes in hexadecimal")
    }
  }
}
