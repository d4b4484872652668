#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Escapes text that may come from outside, for errors and terminals.
package enum PrintableText {
  /// Joins several emoji into one.
  private static let zeroWidthJoiner: Unicode.Scalar = "\u{200d}"

  /// The text with control characters and direction overrides escaped, as `\u{1b}`, so that a path or a name cannot
  /// control a terminal or forge a log.
  package static func escaped(_ text: String) -> String {
    var printable = ""
    for scalar in text.unicodeScalars {
      if steers(scalar) {
        printable += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        printable.unicodeScalars.append(scalar)
      }
    }
    return printable
  }

  /// Whether a character can move the cursor, reorder or hide text, or start a terminal command.
  package static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format: scalar != zeroWidthJoiner
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// The permission bits of a file, as `chmod` takes them: `0644`.
  package static func mode(_ bits: UInt32) -> String { "0\(String(bits, radix: 8))" }
}

/// The system's messages for `errno`.
package enum SystemMessage {
  /// The message for the call that has just failed.
  package static var current: String { text(of: errno) }

  /// The message for an error code.
  package static func text(of code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
