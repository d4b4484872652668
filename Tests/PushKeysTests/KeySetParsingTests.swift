import PushCore
import PushKeys
import TestSupport
import Testing

@Suite("Reading a private set")
struct KeySetParsingTests {
  @Test(arguments: Kind.allCases) func readsWhatItWrites(kind: Kind) throws {
    let set = kind.makeSet()
    let read = try parse(text(set))
    #expect(read.records == set.records)
    #expect(read.role == kind.role)
    #expect(text(read) == text(set))
  }

  @Test func keepsTimesAndOrder() throws {
    var editor = KeySetEditor(try twoSuiteSet())
    try editor.rotate(at: start)
    let later = keyTexts(text(editor.keySet)).map { $0.setting("iat", to: "5,\"nbf\":4") }
    let set = try parse(setText(later))
    #expect(set.records.map(\.id) == editor.keySet.records.map(\.id))
    #expect(set.records[0].life.issuedAt == moment(5))
    #expect(set.records[0].life.notBefore == moment(4))
    #expect(set.records[0].life.expiresAt == start.advanced(by: .seconds(month)))
    #expect(try parse(text(set)).records == set.records)
  }

  @Test func readsWithoutAVersionAndWithWhiteSpace() throws {
    let set = Kind.x25519.makeSet()
    let spread = text(set).setting("v", to: nil).replacing(",", with: " ,\r\n\t")
    #expect(try parse(spread).records == set.records)
  }

  @Test(arguments: PrivateFaults.all) func refuses(fault: KeySetFault) {
    #expect(throws: fault.error) { try parse(fault.text) }
  }

  @Test(arguments: 0...64) func refusesASecretOfAnyLength(count: Int) {
    let secret = String(repeating: "A", count: count)
    let text = text(Kind.x25519.makeSet()).setting("d", to: quoted(secret))
    #expect(throws: KeySetError.invalidMember(index: 0, member: "d")) { try parse(text) }
  }

  @Test(arguments: Kind.allCases) func readsNoOtherKeyFromATruncatedSet(kind: Kind) throws {
    let set = kind.makeSet()
    let bytes = set.encoded()
    for count in 0..<bytes.count {
      guard let read = try? KeySet(parsing: bytes.span.extracting(0..<count)) else { continue }
      #expect(read.records == set.records)
      #expect(count == bytes.count - 1, "only the last line break may be missing")
    }
  }

  @Test(arguments: Kind.allCases) func readsNoOtherKeyFromASetWithAFlippedBit(kind: Kind) throws {
    let set = kind.makeSet()
    var bytes = set.encoded()
    for bit in 0..<8 * bytes.count {
      bytes[bit / 8] ^= 1 << (bit % 8)
      if let read = try? KeySet(parsing: bytes.span) {
        #expect(read.records.map(\.id) == set.records.map(\.id))
        #expect(try privateKey(of: read, kind) == privateKey(of: set, kind))
      }
      bytes[bit / 8] ^= 1 << (bit % 8)
    }
  }

  /// The private key, without the five bits that X25519 ignores (RFC 7748, 5).
  private func privateKey(of set: KeySet, _ kind: Kind) throws -> [UInt8] {
    var bytes = try Base64URL.decode(text(set).member(kind.secretMember))
    if kind == .x25519 {
      bytes[0] &= 0xf8
      bytes[31] &= 0x3f
    }
    return bytes
  }

  @Test func readsManyKeys() throws {
    let active = Kind.x25519.makeSet()
    let count: Int64 = Volume.isWhole ? 10_000 : 1_000
    let accepted = (0..<count).map { number in
      keyTexts(text(KeySet(generating: .device, at: moment(number))))[0].setting("status", to: #""accepted""#)
    }
    let set = try parse(setText(accepted + keyTexts(text(active))))
    #expect(set.records.count == Int(count) + 1)
    let last = set.records[Int(count) - 1].id
    #expect(set.deviceKey(for: last.keyID, at: start)?.thumbprint == last)
    #expect(try parse(text(set)).records == set.records)
  }

  @Test func refusesTooManyKeys() {
    let text = setText(Array(repeating: keyTexts(publicText(Kind.x25519.makeSet()))[0], count: 16_385))
    #expect(throws: KeySetError.tooManyKeys) { try parsePublic(text) }
  }
}
