import Foundation
import PushCrypto
import PushCore
import PushReceiver
import PushTesting
import TestSupport

/// Makes secret boxes in base64, the nonce before them.
struct SecretBoxForge {
  static let member = "encrypted_data"

  /// A nonce that follows from a vector's name.
  static func nonce(_ id: String) -> [UInt8] { Array(FixedRandomness.bytes(of: id).prefix(24)) }

  static func text(_ plaintext: String, key: [UInt8], nonce: [UInt8]) throws -> JSONValue {
    let plaintext = Array(plaintext.utf8)
    let box = try XSalsa20Poly1305.seal(plaintext.span, key: key.span, nonce: nonce.span)
    return .string(Data(nonce + box).base64EncodedString())
  }

  static func lengthFaults(_ good: FormatVector, _ rule: String) -> [FormatVector] {
    [("39", "no room for a nonce and a tag", 39), ("no-bytes", "no bytes", 0)].map { name, comment, count in
      good.faulty(name, rule, .malformed(member: member), comment) {
        $0.payload[member] = .string(Data(count: count).base64EncodedString())
      }
    }
  }

  static func cipherFaults(_ good: FormatVector, _ rule: String) -> [FormatVector] {
    let box = Array(good.payload[member]?.string.flatMap { Data(base64Encoded: $0) } ?? Data())
    let faults: [(String, String, [UInt8])] = [
      ("nonce-flipped", "a bit of the nonce is another", change(box, at: 0) { $0 ^ 1 }),
      ("tag-flipped", "a bit of the tag is another", change(box, at: 24) { $0 ^ 1 }),
      ("flipped", "a bit of the ciphertext is another", change(box, at: 40) { $0 ^ 1 }),
      ("cut", "a byte is gone", Array(box.dropLast())),
      (
        "tag-behind", "the tag behind the ciphertext, as other AEADs have it",
        Array(box[..<24] + box[40...] + box[24..<40])
      ),
    ]
    return faults.map { name, comment, box in
      good.faulty(name, rule, .notAuthentic, comment) {
        $0.payload[member] = .string(Data(box).base64EncodedString())
      }
    }
  }
}
