#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Text that may come from outside, as errors and terminals show it.
package enum PrintableText {
  /// What makes one emoji of several.
  private static let zeroWidthJoiner: Unicode.Scalar = "\u{200d}"

  /// The text with control characters and direction overrides made visible, as `\u{1b}`: a path or a name must not
  /// steer a terminal or a log.
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

  /// Whether a character moves the cursor, reorders or hides text, or starts a command to the terminal.
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
  /// The message of the call that has just failed.
  package static var current: String { text(of: errno) }

  /// The message of a code.
  package static func text(of code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
