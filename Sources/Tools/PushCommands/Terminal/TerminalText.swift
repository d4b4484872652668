package import PushCore
import PushFiles

/// Texts that are safe to print on a terminal.
enum Terminal {
  /// The text with control characters and direction overrides made visible: a message must not steer the
  /// operator's terminal.
  static func printable(_ text: String) -> String { PrintableText.escaped(text) }

  /// The bytes of a text with several lines, escaped in the same way; invalid UTF-8 becomes U+FFFD.
  static func printable(text: [UInt8]) -> [UInt8] {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return Array(lines.map { printable(String(decoding: $0, as: UTF8.self)) }.joined(separator: "\n").utf8)
  }

  /// JSON with these characters escaped in its strings, as `\u009b`; to a parser it has the same value.
  ///
  /// White space stays, except for the carriage return, after which a terminal would overwrite the line: it becomes a
  /// line feed.
  static func printable(json: [UInt8]) -> [UInt8] {
    guard json.contains(where: { $0 > 0x7E || $0 == 0x0D }) else { return json }
    var printable = ""
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\r": printable += "\n"
      // The other characters below U+0020 are white space between tokens, because strings contain them only escaped.
      case _ where scalar >= " " && PrintableText.steers(scalar):
        printable += String(scalar).utf16.map(escape).joined()
      default: printable.unicodeScalars.append(scalar)
      }
    }
    return Array(printable.utf8)
  }

  // RFC 8259, 7: a character beyond U+FFFF is escaped as its surrogate pair.
  private static func escape(_ unit: UTF16.CodeUnit) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension JSONObject {
  /// The object as a line of JSON that is safe to print on a terminal.
  package var jsonLine: String { JSONValue.object(self).jsonLine }
}

extension JSONValue {
  /// The value as a line of JSON that is safe to print on a terminal.
  var jsonLine: String { String(decoding: Terminal.printable(json: encoded()), as: UTF8.self) + "\n" }
}
