import Foundation
import PushCompat
import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// Libsodium's sealed boxes.
///
/// Libsodium takes no ephemeral key from its caller, so the boxes are texts, which PyNaCl made with the ephemeral
/// private key of each one's `random`.
struct SealedBoxVectors {
  private static let text = #"{"title":"Hi","body":"Secret"}"#
  /// The bytes from 1 to 32.
  private static let privateKey = Array<UInt8>(1...32)

  func all() throws -> [FormatVector] {
    let good = sealed(
      "padded", "a base64 text that ends with padding",
      "Kq8+9OC0hCVb1cWLHxpRZ0aypNWtQBbNLZcSuX0LBDaLte3X96a6pkWT1reBiJsZzcb87tmMCIFJWGa+GzI=", "Lunch at noon?"
    )
    return opened() + [good] + TextFaults(good: good, member: "sealed_box").all(EncodingFaults.base64)
      + lengthFaults(good) + (try cipherFaults(good)) + smallOrder(good) + refusals(good)
  }

  private func opened() -> [FormatVector] {
    var member = sealed(
      "member", "in a member that both sides agreed on, where it looks like nothing",
      "CNK27L8HBlNJsZlT+/TVFdOLyOl5cF3ht1vZpOwlwxm5crvpWO9Cjkjx5khMYAcgwYEoXYKPKZBD3eUivqQICAXklmrQ6Oy0U6+1d0Zi",
      Self.text)
    member.parameters["member"] = "box"
    member.payload["box"] = member.payload["sealed_box"]
    member.payload["sealed_box"] = nil
    return [
      sealed(
        "worked", "the ephemeral private key is the bytes from 33 to 64",
        "WGmv9FBUlzLLqu1eXfmzCm2jHLDldCutWtShp2jxpnuthlpGiz+LRbXtZdmwsXDMOfrqYvQyKVVS9rKEDuHmKTpB7xzQNnWgpNax00lX",
        Self.text, ephemeral: Array(33...64)), member,
      sealed(
        "empty", "no plaintext: a key and a tag",
        "c40E6RFY/qtnZ2PvTF1IFqUKyTui8GT4sYpnQy60n0zdJ1Wnwt1lYb6uVwAu3WT5", ""),
    ]
  }

  private func lengthFaults(_ good: FormatVector) -> [FormatVector] {
    [("47", "no room for a key and a tag", 47), ("no-bytes", "no bytes", 0)].map { name, comment, count in
      good.faulty(name, "12.24", .malformed(member: "sealed_box"), comment) {
        $0.payload["sealed_box"] = .string(Data(count: count).base64EncodedString())
      }
    }
  }

  private func cipherFaults(_ good: FormatVector) throws -> [FormatVector] {
    let box = Array(
      try #require(good.payload["sealed_box"]?.string.flatMap { Data(base64Encoded: $0) }))
    let faults: [(String, String, [UInt8])] = [
      ("key-flipped", "a bit of the ephemeral key is another", change(box, at: 5) { $0 ^ 1 }),
      (
        "key-top-bit", "the bit of the ephemeral key that X25519 does not look at, and the nonce does",
        change(box, at: 31) { $0 ^ 0x80 }
      ),
      ("tag-flipped", "a bit of the tag is another", change(box, at: 32) { $0 ^ 1 }),
      ("flipped", "a bit of the ciphertext is another", change(box, at: 48) { $0 ^ 1 }),
      ("cut", "a byte is gone", Array(box.dropLast())), ("longer", "a byte too many", box + [0]),
    ]
    return faults.map { name, comment, box in
      good.faulty(name, "12.25", .notAuthentic, comment) {
        $0.payload["sealed_box"] = .string(Data(box).base64EncodedString())
      }
    } + [
      good.faulty("wrong-key", "12.25", .notAuthentic, "another private key") {
        let key = FixedRandomness.bytes(of: "another private key")
        $0.parameters["privateKey"] = .string(Base64URL.encode(key.span))
      }
    ]
  }

  /// Boxes that anyone can make for everyone, and that open unless the ephemeral key is refused.
  private func smallOrder(_ good: FormatVector) -> [FormatVector] {
    let boxes = [
      (
        "0",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADv+nlafFk5PlvU54iQ7h54dmdWKkM+KgeLFPzV5xJau5J6eRGXgAIVR3kfsPec"
      ),
      (
        "1",
        "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAARnESCPWooU5sawXUFk2Okgc6RhC8+GxcE3VCrG1s56V75OOYuDAMzlcHivBLq"
      ),
      (
        "top-bit",
        "7P////////////////////////////////////////8mOq4rqufEoxD8kDlubp5GTg5CP39AzaIoI+TDM3PKmR9U18WuCpdPneTVmM/z"
      ),
      (
        "prime",
        "7f///////////////////////////////////////3/pHddVENa2yGNEdaMa7657zdvQoNd/dT7ZCVgWvW9D5e5okjMjLa/j73uBh4QX"
      ),
    ]
    return boxes.map { name, box in
      good.faulty("small-order-\(name)", "12.25", .notAuthentic, "an ephemeral key of small order") {
        $0.payload["sealed_box"] = .string(box)
      }
    }
  }

  private func refusals(_ good: FormatVector) -> [FormatVector] {
    [31, 33, 0].map { count in
      let key = [UInt8](repeating: 1, count: count)
      return good.refused(
        "private-key-\(count)", "12.23", "a private key of another length",
        ["privateKey": .string(Base64URL.encode(key.span))])
    }
  }

  private func sealed(
    _ suffix: String, _ comment: String, _ box: String, _ plaintext: String, ephemeral: [UInt8]? = nil
  ) -> FormatVector {
    let id = "\(SodiumSealedBox.name)-\(suffix)"
    return FormatVector(
      id: id, comment: comment, format: SodiumSealedBox.name,
      parameters: ["privateKey": .string(Base64URL.encode(Self.privateKey.span))],
      random: ephemeral ?? FixedRandomness.bytes(of: id),
      payload: ["aps": ["alert": "New notification", "mutable-content": 1], "sealed_box": .string(box)],
      outcome: .opened(Array(plaintext.utf8)))
  }
}
