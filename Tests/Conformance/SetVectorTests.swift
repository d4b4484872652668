import Foundation
import PushCore
import PushCrypto
import PushKeys
import Testing

/// Public sets are read, or refused as a whole.
@Suite struct SetVectorTests {
  @Test func everySetIsReadOrRefused() throws {
    let vectors = try VectorFolder().read("sets.json", "sets")
    #expect(vectors.count >= 35)
    for vector in vectors {
      let (fill, kids) = (
        Int(vector["fill"]?.number?.integer ?? 0), vector["kids"]?.array?.compactMap(\.string)
      )
      let text = try filled(try #require(vector["set"]?.string), with: fill)
      let read = try? PublicKeySet(parsing: Array(text.utf8).span)
      // Whoever reads a set without a signature wants a device's or a sender's.
      let records = read.flatMap { [.device, .sender].contains($0.role) ? $0.records : nil }
      #expect(records?.dropLast(fill).map(\.id.text) == kids, "\(vector["id"]?.string ?? "")")
    }
  }

  /// The set with so many more keys, none of which is active: each x is the SHA-256 of its number, with the top bit cleared.
  private func filled(_ set: String, with count: Int) throws -> String {
    guard count > 0 else { return set }
    let more = (0..<count).map { number in
      var point = SHA256.digest([UInt8](bigEndian: UInt32(number), count: 4).span)
      point[31] &= 0x7f
      return #"{"kty":"OKP","crv":"X25519","x":"\#(Base64URL.encode(point.span))","status":"accepted"}"#
    }
    let end = try #require(set.range(of: "]", options: .backwards))
    return set[..<end.lowerBound] + "," + more.joined(separator: ",") + set[end.lowerBound...]
  }
}
