import PushCrypto
import PushPayload

/// The members of a JSON object that a secret is made of, in memory that is wiped.
///
/// The other members are passed over, and no copy of them is made.
struct SecretMembers {
  private(set) var texts: [String: SharedSecret] = [:]
  private(set) var numbers: [String: Int64] = [:]

  /// Reads the strings and the number under these names; they may also be in the object under `holder`.
  ///
  /// A name in both is a duplicate.
  init(
    _ bytes: Span<UInt8>, texts names: [String], number: String? = nil, holder: String? = nil
  ) throws(JSONError) {
    var json = JSONReader(bytes)
    try json.beginObject()
    while let name = try json.nextKey() {
      guard name == holder, try json.nextKind() == .object else {
        try read(name, &json, bytes, names, number)
        continue
      }
      try json.beginObject()
      while let name = try json.nextKey() { try read(name, &json, bytes, names, number) }
    }
    try json.finish()
  }

  private mutating func read(
    _ name: String, _ json: inout JSONReader, _ bytes: Span<UInt8>, _ names: [String], _ number: String?
  ) throws(JSONError) {
    switch try json.nextKind() {
    case .string where names.contains(name):
      let start = json.offset
      guard texts[name] == nil else { throw JSONError(.duplicateKey, at: start) }
      var count = 0
      try json.readString { _ in count += 1 }
      texts[name] = Self.secret(bytes.extracting(start..<json.offset), count: count)
    case .number where name == number:
      guard numbers[name] == nil else { throw JSONError(.duplicateKey, at: json.offset) }
      numbers[name] = try json.readValue().number?.integer
    default: try json.skipValue()
    }
  }

  /// The `count` bytes of a string that has been read before.
  private static func secret(_ string: Span<UInt8>, count: Int) -> SharedSecret {
    SharedSecret(
      Secret(count: count) { bytes in
        var position = 0
        var json = JSONReader(string)
        try? json.readString { byte in
          bytes[position] = byte
          position += 1
        }
      })
  }
}
