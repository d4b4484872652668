internal import PushCommands

extension Option<UInt16> {
  /// Declares a port.
  static func port(_ name: String) -> Self {
    Self(name, "PORT", rule: "a port from 0 to 65535 (0 lets the system choose one)") { text in
      Number.read(text, in: 0...65_535).map { UInt16($0) }
    }
  }
}

extension Option<Int> {
  /// Declares a count.
  static func count(_ name: String, atMost maximum: Int = 1_000_000) -> Self {
    Self(name, "COUNT", rule: "a number from 1 to \(maximum)") { Number.read($0, in: 1...maximum) }
  }
}

enum Number {
  /// A number in digits alone that is in a range; nil if the text is none.
  static func read(_ text: String, in range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
    else { return nil }
    return number
  }
}
