import PushCrypto
import PushKeys
import Testing

@Suite("A private set's bytes, lent")
struct EncodedBytesTests {
  private struct Refusal: Error, Equatable {}

  @Test(arguments: Kind.allCases) func areWhatReadsBack(kind: Kind) throws {
    let set = kind.makeSet()
    let copy = try set.withEncodedBytes { (bytes) throws(KeySetError) in try KeySet(parsing: bytes) }
    #expect(text(copy) == text(set))
  }

  @Test func areWhatAFileHas() throws {
    let set = Kind.p256.makeSet()
    let copy = set.withEncodedBytes { [UInt8](copying: $0) }
    #expect(copy == set.encoded())
  }

  @Test func areWiped() {
    let set = Kind.x25519.makeSet()
    let (trace, copy) = set.withEncodedBytes { (MemoryTrace(behind: $0), [UInt8](copying: $0)) }
    #expect(copy.contains(UInt8(ascii: "d")))
    #expect(trace.bytes == [UInt8](repeating: 0, count: copy.count))
  }

  @Test func areWipedIfSomethingIsThrown() throws {
    let set = Kind.x25519.makeSet()
    var trace: MemoryTrace?
    #expect(throws: Refusal()) {
      try set.withEncodedBytes { (bytes) throws(Refusal) in
        trace = MemoryTrace(behind: bytes)
        throw Refusal()
      }
    }
    #expect(try #require(trace).bytes.allSatisfy { $0 == 0 })
  }
}
