import PushCore
import PushReceiver

/// What can be wrong with a member whose text is bytes, whatever they are.
struct TextFaults {
  let good: FormatVector
  let member: String
  /// Behind the format's name, where a format has several such members.
  var prefix = ""

  private var text: String { good.payload[member]?.string ?? "" }

  func all(_ encodingFaults: [(name: String, comment: String, change: (String) -> String)]) -> [FormatVector]
  {
    let types: [(String, JSONValue)] = [("number", 5), ("null", .null), ("array", .array([.string(text)]))]
    return [absent] + types.map(wrongType) + [tooLong] + encodingFaults.map(wronglyEncoded)
  }

  private var absent: FormatVector {
    good.faulty("\(prefix)absent", "12.1", .absent, "the member is not there") { $0.payload[member] = nil }
  }

  private func wrongType(_ name: String, _ value: JSONValue) -> FormatVector {
    good.faulty("\(prefix)\(name)", "12.2", .malformed(member: member), "the member is no string") {
      $0.payload[member] = value
    }
  }

  private var tooLong: FormatVector {
    good.faulty("\(prefix)8193", "12.3", .tooLarge, "one character too many to be looked at") {
      $0.payload[member] = .string(String(repeating: "A", count: 8193))
    }
  }

  private func wronglyEncoded(
    _ name: String, _ comment: String, _ change: (String) -> String
  ) -> FormatVector {
    good.faulty("\(prefix)text-\(name)", "12.4", .malformed(member: member), comment) {
      $0.payload[member] = .string(change(text))
    }
  }
}

/// Faults of a good text.
enum EncodingFaults {
  typealias Fault = (name: String, comment: String, change: (String) -> String)

  /// Faults of base64 that ends with padding; those of white space where there may be none.
  static var base64: [Fault] {
    base64InLines + [
      ("space", "a space at the end", { $0 + " " }),
      ("wrapped", "a line break, as a mailer wraps", { $0.prefix(8) + "\n" + $0.dropFirst(8) }),
    ]
  }

  /// Faults of base64 that ends with padding, in lines or not.
  static var base64InLines: [Fault] {
    [
      ("unpadded", "without its padding", { String($0.prefix { $0 != "=" }) }),
      ("overpadded", "a padding character too many", { $0 + "=" }),
      ("trailing-bits", "bits that belong to no byte", settingTrailingBit),
      ("url-alphabet", "a character of the other alphabet", { "-" + $0.dropFirst() }),
      ("non-ascii", "a full-width letter", { "Ａ" + $0.dropFirst() }),
      ("nul", "a NUL in it", { $0.prefix(4) + "\0" + $0.dropFirst(5) }),
      ("torn", "a line break within four characters", { $0.prefix(5) + "\n" + $0.dropFirst(5) }),
      ("continued", "more behind the padding", { $0 + "AAAA" }),
    ]
  }

  /// Faults of base64url, padded or not, whose length modulo 4 is 2 or 3.
  static var base64URL: [Fault] {
    [
      ("half-padded", "padding to no multiple of 4", { $0 + ($0.utf8.count % 4 == 2 ? "=" : "==") }),
      ("overpadded", "a group of padding too many", { padded($0) + "====" }),
      ("trailing-bits", "bits that belong to no byte", settingTrailingBit),
      ("standard-alphabet", "a character of the other alphabet", { "+" + $0.dropFirst() }),
      ("length", "a length that no bytes have", { String($0.dropLast(($0.utf8.count + 3) % 4)) }),
      ("space", "a space in it", { $0.prefix(4) + " " + $0.dropFirst(5) }),
    ]
  }

  /// Faults of Z85 whose length modulo 5 is not 0.
  static var z85: [Fault] {
    [
      ("character", "a character that is no digit", { "~" + $0.dropFirst() }),
      ("non-ascii", "a full-width letter", { "Ａ" + $0.dropFirst() }),
      ("too-great", "five digits whose number four bytes do not hold", { "%nSc1" + $0.dropFirst(5) }),
      (
        "end-too-great", "the last digits' number its bytes do not hold",
        { $0.dropLast($0.utf8.count % 5) + String(repeating: "#", count: $0.utf8.count % 5) }
      ),
      ("digit-alone", "one digit at the end", { $0.dropLast($0.utf8.count % 5) + "0" }),
      ("space", "a space at the end", { $0 + " " }),
    ]
  }

  static func padded(_ text: String) -> String {
    text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  }

  /// The lowest bit of the last character before padding.
  private static func settingTrailingBit(_ text: String) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    let alphabet = letters + Array(text.contains("=") ? "+/" : "-_")
    let end = text.prefix { $0 != "=" }
    guard let last = end.last, let value = alphabet.firstIndex(of: last) else { return text }
    return end.dropLast() + String(alphabet[value | 1]) + text.dropFirst(end.count)
  }
}
