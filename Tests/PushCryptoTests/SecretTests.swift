import PushCrypto
import Testing

/// A secret's bytes are zero after its end, however it ends.
struct SecretTests {
  @Test func `memory of the test is wiped at the end of the scope`() {
    let memory = FilledMemory(count: 64)
    do {
      let secret = unsafe Secret(wiping: memory.bytes)
      #expect(exposed(secret) == [UInt8](repeating: 0xa5, count: 64))
      #expect(!memory.isZero)
    }
    #expect(memory.isZero)
  }

  @Test func `memory is wiped when the secret is consumed`() {
    let memory = FilledMemory(count: 64)
    let secret = unsafe Secret(wiping: memory.bytes)
    swallow(secret)
    #expect(memory.isZero)
  }

  @Test func `memory is wiped when the scope is left by an error`() {
    struct Failure: Error {}
    func fail(_ memory: FilledMemory) throws {
      let secret = unsafe Secret(wiping: memory.bytes)
      guard secret.count == 0 else { throw Failure() }
    }
    let memory = FilledMemory(count: 64)
    #expect(throws: Failure.self) { try fail(memory) }
    #expect(memory.isZero)
  }

  @Test func `memory is wiped when another secret takes its place`() {
    let memory = FilledMemory(count: 64)
    var secret = unsafe Secret(wiping: memory.bytes)
    secret = Secret(copying: [1, 2, 3].span)
    #expect(memory.isZero)
    #expect(exposed(secret) == [1, 2, 3])
  }

  @Test(arguments: [SecretMemory.heap, .guarded], [0, 1, 31, 32, 4096, 5000])
  func `a secret has the bytes that it was filled with`(kind: SecretMemory, count: Int) {
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let copy = Secret(copying: value.span, in: kind)
    #expect(copy.count == count)
    #expect(exposed(copy) == value)
    let filled = Secret(count: count, in: kind) { bytes in
      for index in bytes.indices { bytes[index] = value[index] }
    }
    #expect(exposed(filled) == value)
  }

  @Test(arguments: [SecretMemory.heap, .guarded]) func `memory is zero before it is filled`(
    kind: SecretMemory
  ) {
    var seen: [UInt8] = [1]
    _ = Secret(count: 100, in: kind) { seen = [UInt8](copying: $0.span) }
    #expect(seen == [UInt8](repeating: 0, count: 100))
  }

  private func swallow(_ secret: consuming Secret) {}
}

/// Memory that outlives the secret which wipes it.
@safe
final class FilledMemory {
  let bytes: UnsafeMutableRawBufferPointer

  init(count: Int) {
    unsafe bytes = .allocate(byteCount: count, alignment: 16)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0xa5)
  }

  deinit { unsafe bytes.deallocate() }

  var isZero: Bool { unsafe bytes.allSatisfy { $0 == 0 } }
}
