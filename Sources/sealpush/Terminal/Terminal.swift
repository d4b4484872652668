/// Text for a person's terminal.
enum Terminal {
  /// What makes one emoji of several.
  private static let zeroWidthJoiner: Unicode.Scalar = "\u{200d}"

  /// The text with control characters and direction overrides made visible: a message must not steer the
  /// operator's terminal.
  static func printable(_ text: String) -> String {
    var printable = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .format where scalar == zeroWidthJoiner:
        printable.unicodeScalars.append(scalar)
      case .control, .format, .lineSeparator, .paragraphSeparator:
        printable += "\\u{\(String(scalar.value, radix: 16))}"
      default: printable.unicodeScalars.append(scalar)
      }
    }
    return printable
  }
}
