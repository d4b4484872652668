import PushCrypto
import Testing

/// The system's random source, as far as a test can tell.
struct RandomSourceTests {
  @Test(arguments: [SecretMemory.heap, .guarded]) func `secrets have the length and differ`(
    kind: SecretMemory
  ) {
    var seen: Set<[UInt8]> = []
    for _ in 0..<64 {
      let secret = SystemRandom().secret(32, in: kind)
      #expect(secret.count == 32)
      seen.insert(exposed(secret))
    }
    #expect(seen.count == 64)
  }

  @Test func `the last byte is random too`() {
    let lastBytes = (0..<256).map { _ in exposed(SystemRandom().secret(33))[32] }
    #expect(Set(lastBytes).count > 64)
  }

  @Test func `no bytes can be asked for`() {
    #expect(exposed(SystemRandom().secret(0)) == [])
  }
}
