import Foundation

/// Test vectors that lie beside the tests as JSON.
enum VectorFile {
  static func load<Vectors: Decodable>(_ name: String) throws -> Vectors {
    let url = Bundle.module.bundleURL.appending(path: "Vectors/\(name).json")
    return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: url))
  }
}

/// Bytes that a file holds as hexadecimal digits.
struct Hex: Decodable, Sendable {
  let bytes: [UInt8]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let bytes = [UInt8](hex: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal")
    }
    self.bytes = bytes
  }
}

extension [UInt8] {
  /// The bytes of pairs of hexadecimal digits, or nil.
  init?(hex: String) {
    let digits = hex.compactMap(\.hexDigitValue)
    guard digits.count == hex.count, digits.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

/// The bytes of a literal in a test; a wrong digit traps.
func bytes(_ hex: String) -> [UInt8] {
  guard let bytes = [UInt8](hex: hex) else { preconditionFailure("not hexadecimal: \(hex)") }
  return bytes
}
