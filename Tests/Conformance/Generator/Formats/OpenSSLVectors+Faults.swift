import Foundation
import PushCore
import PushReceiver
import PushTesting
import TestSupport

extension OpenSSLVectors {
  func layoutFaults(_ good: FormatVector) throws -> [FormatVector] {
    let bytes = try bytes(good)
    let faults: [(String, String, [UInt8])] = [
      ("magic", "it begins with something else", [UInt8]("salted__".utf8) + bytes.dropFirst(8)),
      ("bare", "as -S writes it: the ciphertext alone", Array(bytes.dropFirst(16))),
      ("salt-alone", "no block behind the salt", Array(bytes.prefix(16))),
      ("cut", "a byte is gone", Array(bytes.dropLast())), ("longer", "a byte too many", bytes + [0]),
      ("short", "not even a salt", Array(bytes.prefix(12))), ("no-bytes", "no bytes", []),
    ]
    return faults.map { name, comment, bytes in
      good.faulty(name, "12.6", .malformed(member: "ENCRYPTED_DATA"), comment) {
        $0.payload["ENCRYPTED_DATA"] = .string(Data(bytes).base64EncodedString())
      }
    }
  }

  func paddingFaults(_ good: FormatVector) throws -> [FormatVector] {
    let ends: [(String, String, [UInt8])] = [
      ("padding-0", "the last byte is 0", [0]), ("padding-17", "the last byte is 17", [17]),
      ("padding-mixed", "one of the bytes of padding is another", [3, 2, 3]),
    ]
    return try ends.map { name, comment, end in
      try good.faulty(name, "12.7", .notAuthentic, comment) { vector in
        let block = [UInt8]("Lunch at noon ??".utf8).dropLast(end.count) + end
        let bytes = try encrypted(Array(block), vector.parameters, FixedRandomness.bytes(of: vector.id))
        vector.payload["ENCRYPTED_DATA"] = .string(Data(bytes.dropLast(16)).base64EncodedString())
      }
    } + [
      try good.faulty("padding-17-whole", "12.7", .notAuthentic, "17 bytes of padding, where 16 are the most")
      {
        let blocks = [UInt8]("Lunch at noon!!".utf8) + [UInt8](repeating: 17, count: 17)
        let bytes = try encrypted(blocks, $0.parameters, FixedRandomness.bytes(of: $0.id))
        $0.payload["ENCRYPTED_DATA"] = .string(Data(bytes.dropLast(16)).base64EncodedString())
      },
      good.faulty("wrong-password", "12.7", .notAuthentic, "another password") {
        $0.parameters["password"] = "battery staple"
      },
      good.faulty("wrong-iterations", "12.7", .notAuthentic, "other iterations") {
        $0.parameters["iterations"] = 10001
      },
      good.faulty("wrong-digest", "12.7", .notAuthentic, "another digest") {
        $0.parameters["digest"] = "sha512"
      },
    ]
  }

  func refusals(_ good: FormatVector) -> [FormatVector] {
    [
      good.refused("password-empty", "12.5", "no password", ["password": ""]),
      good.refused(
        "password-1025", "12.5", "a password that is too long",
        ["password": .string(String(repeating: "p", count: 1025))]),
      good.refused("iterations-0", "12.5", "no iterations", ["iterations": 0]),
      good.refused(
        "iterations-1000001", "12.5", "more iterations than a push may cost", ["iterations": 1_000_001]),
    ]
  }
}
