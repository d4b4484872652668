#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Makes text that may come from outside safe to show in errors and on terminals.
package enum PrintableText {
  /// The character that joins several emoji into one.
  private static let zeroWidthJoiner: Unicode.Scalar = "\u{200d}"

  /// Writes control characters and direction overrides visibly, as `\u{1b}`.
  ///
  /// Otherwise a path or a name could steer a terminal or falsify a log.
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

  /// A file's permission bits as `chmod` takes them, such as `0644`.
  package static func mode(_ bits: UInt32) -> String { "0\(String(bits, radix: 8))" }
}

/// The system's messages for `errno`.
package enum SystemMessage {
  /// The message for the call that has just failed.
  package static var current: String { text(of: errno) }

  /// The message for an error code.
  package static func text(of code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
