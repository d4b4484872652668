internal import PushCommands

extension Arguments {
  /// A port; nil if the option was not given.
  func port(_ name: String) throws(ToolError) -> UInt16? {
    try number(name, in: 0...65_535, rule: "a port from 0 to 65535, and 0 lets the system choose one").map {
      UInt16($0)
    }
  }

  /// A count; nil if the option was not given.
  func count(_ name: String, atMost maximum: Int = 1_000_000) throws(ToolError) -> Int? {
    try number(name, in: 1...maximum, rule: "a number from 1 to \(maximum)")
  }

  /// A number in a range, which is `what`; nil if the option was not given.
  func number(_ name: String, in range: ClosedRange<Int>, rule what: String) throws(ToolError) -> Int? {
    guard let text = self[name] else { return nil }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
    else {
      throw .usage("\(name) is \(what)")
    }
    return number
  }
}
