import PushAttachments
import PushCrypto
import PushCore
import Testing

/// The examples of RFC 8188, whose records are smaller than the format's.
struct RFC8188Tests {
  private static let text = [UInt8]("I am the walrus".utf8)

  /// RFC 8188, 3.1: one record.
  @Test func `encryption of a response`() throws {
    let message =
      "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"
    let blob = try blob(Base64URL.decode(message), key: "yqdlZ-tYemfogSmv7Ws5PQ")
    #expect(try blob.open(layout: BlobLayout(recordSize: 4096)) == Self.text)
  }

  /// RFC 8188, 3.2: two records, the first with a byte of padding; the key ID `a1`, which is not encrypted, is
  /// removed.
  @Test func `encryption with multiple records`() throws {
    let message =
      "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEUKEpgz3SsLWIqS_uA"
    var bytes = try Base64URL.decode(message)
    bytes.replaceSubrange(20..<23, with: [0])
    let blob = try blob(bytes, key: "BO3ZVPxUlnLORbVGMpbT1Q")
    #expect(try blob.open(layout: BlobLayout(recordSize: 25)) == Self.text)
    #expect(try blob.open(layout: BlobLayout(recordSize: 25), pieces: [1]) == Self.text)
  }

  /// Sealing with the example's key and salt gives the same bytes.
  @Test func `sealing gives the example's bytes`() throws {
    let message =
      "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"
    let expected = try Base64URL.decode(message)
    let random = ListedRandom([try Base64URL.decode("yqdlZ-tYemfogSmv7Ws5PQ"), Array(expected.prefix(16))])
    var sealer = try BlobSealer(type: .jpeg, layout: BlobLayout(recordSize: 4096), random: random)
    var bytes: [UInt8] = []
    try sealer.append(Self.text.span) { bytes += [UInt8](copying: $0) }
    _ = try sealer.finish { bytes += [UInt8](copying: $0) }
    #expect(bytes == expected)
  }

  private func blob(_ bytes: [UInt8], key: String) throws -> Blob {
    let any = try Blob(sealing: [])
    return try Blob([], try any.descriptor.with("key", .string(key))).replaced(by: bytes)
  }
}

/// A source that gives one list of bytes after the other.
private final class ListedRandom: RandomSource, @unchecked Sendable {
  private var values: [[UInt8]]

  init(_ values: [[UInt8]]) { self.values = values }

  func fill(_ bytes: inout MutableSpan<UInt8>) {
    let value = values.removeFirst()
    for index in bytes.indices { bytes[index] = value[index] }
  }
}
