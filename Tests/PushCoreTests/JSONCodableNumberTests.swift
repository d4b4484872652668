import PushCore
import PushTesting
import TestSupport
import Testing

@Suite("Numbers of Codable types", .hangGuard)
struct JSONCodableNumberTests {
  @Test("integers are exact")
  func integers() throws {
    #expect(print(try JSONValue(encoding: UInt64.max)) == "18446744073709551615")
    #expect(print(try JSONValue(encoding: Int64.min)) == "-9223372036854775808")
  }

  @Test("floating-point numbers have the fewest digits")
  func shortest() throws {
    #expect(print(try JSONValue(encoding: [0.1, 1, 1e23, -0.0])) == "[0.1,1.0,1e+23,-0.0]")
    #expect(
      print(try JSONValue(encoding: [0.1, .greatestFiniteMagnitude] as [Float])) == "[0.1,3.4028235e+38]")
  }

  @Test("an infinity or NaN is refused", arguments: [Double.infinity, -.infinity, .nan, .signalingNaN])
  func notFinite(value: Double) throws {
    let reason = "JSON has no infinities and no NaN."
    try expectEncodingError(reason, at: ["list", "Index 1"]) {
      try JSONValue(encoding: ["list": [0, value]])
    }
    try expectEncodingError(reason) { try JSONValue(encoding: Float(value)) }
  }

  @Test(
    "an integer type takes only integers of its range",
    arguments: ["1.0", "1e2", "-0", "0.5", "128", "-129", "100000000000000000000000000000000000000000"])
  func notAnInteger(literal: String) throws {
    try expectDecodingError("data", "Int8 cannot hold this number exactly.", at: ["a"]) {
      try parse(#"{"a":\#(literal)}"#).decode(as: [String: Int8].self)
    }
  }

  @Test("each integer type has its own range")
  func ranges() throws {
    try checkRange(of: Int.self)
    try checkRange(of: Int8.self)
    try checkRange(of: Int16.self)
    try checkRange(of: Int32.self)
    try checkRange(of: Int64.self)
    try checkRange(of: UInt.self)
    try checkRange(of: UInt8.self)
    try checkRange(of: UInt16.self)
    try checkRange(of: UInt32.self)
    try checkRange(of: UInt64.self)
  }

  private func checkRange<Value: FixedWidthInteger & Codable & Sendable>(of type: Value.Type) throws {
    for limit in [Value.min, .max] {
      #expect(try parse("\(limit)").decode(as: type) == limit)
      #expect(try JSONValue(encoding: limit) == parse("\(limit)"))
    }
    for outside in ["\(type.max)0", type.isSigned ? "\(type.min)0" : "-1"] {
      try expectDecodingError("data", "\(type) cannot hold this number exactly.") {
        try parse(outside).decode(as: type)
      }
    }
  }

  @Test(
    "a floating-point type takes no integer that it would round",
    arguments: [
      ("9007199254740992", true), ("9007199254740993", false), ("-9007199254740993", false),
      ("9007199254740994", true), ("18446744073709551616", true), ("18446744073709551617", false),
      ("10000000000000000000000", true), ("100000000000000000000000", false), ("0", true), ("-0", true),
    ])
  func exactDoubles(literal: String, isExact: Bool) throws {
    let value = try parse("[\(literal)]")
    if isExact {
      #expect(try value.decode(as: [Double].self) == [#require(Double(literal))])
    } else {
      try expectDecodingError("data", "Double cannot hold this number exactly.", at: ["Index 0"]) {
        try value.decode(as: [Double].self)
      }
    }
  }

  @Test("integers of any length are judged by all their digits")
  func longIntegers() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let exponent = Int.random(in: 1...970, using: &generator)
      let significand = UInt64.random(in: 1 << 52..<1 << 53, using: &generator)
      let double = Double(significand) * Double(sign: .plus, exponent: exponent, significand: 1)
      let digits = digits(of: significand, doubled: exponent)
      #expect(try parse(digits).decode(as: Double.self) == double)
      // The number is even, so that one more has no carry.
      let next = String(digits.dropLast()) + String((digits.last?.wholeNumberValue ?? 0) + 1)
      #expect(throws: DecodingError.self) { try parse(next).decode(as: Double.self) }
    }
  }

  /// The decimal digits of `number` times a power of two.
  private func digits(of number: UInt64, doubled count: Int) -> String {
    var digits = String(number).reversed().compactMap(\.wholeNumberValue)
    for _ in 0..<count {
      var carry = 0
      for index in digits.indices {
        carry += 2 * digits[index]
        digits[index] = carry % 10
        carry /= 10
      }
      if carry > 0 { digits.append(carry) }
    }
    return digits.reversed().map(String.init).joined()
  }

  @Test("a float holds fewer integers than a double")
  func exactFloats() throws {
    #expect(try parse("16777216").decode(as: Float.self) == 16_777_216)
    try expectDecodingError("data", "Float cannot hold this number exactly.") {
      try parse("16777217").decode(as: Float.self)
    }
  }

  @Test("a number with a fraction or an exponent becomes the nearest one")
  func nearest() throws {
    #expect(
      try parse("[0.1,9007199254740993.0,1e23]").decode(as: [Double].self) == [
        0.1, 9_007_199_254_740_992, 1e23,
      ])
    #expect(try parse("[0.1,16777217.0]").decode(as: [Float].self) == [0.1, 16_777_216])
  }

  @Test("a number out of range is neither infinite nor zero", arguments: ["1e309", "-1e309", "1e-400"])
  func outOfRange(literal: String) throws {
    try expectDecodingError("data", "Double cannot hold this number exactly.") {
      try parse(literal).decode(as: Double.self)
    }
  }

  @Test("time grows with the length of a number, not with its square")
  func longNumbers() throws {
    let digits = String(repeating: "7", count: 1_000_000)
    #expect(try parse("\(digits).5e-1000000").decode(as: Double.self) == 7.0 / 9)
    #expect(throws: DecodingError.self) { try parse(digits).decode(as: Double.self) }
    #expect(throws: DecodingError.self) { try parse(digits).decode(as: UInt64.self) }
  }

  @Test("any double comes back")
  func doubles() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<2000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      #expect(try JSONValue(encoding: value).decode(as: Double.self).bitPattern == value.bitPattern)
      let float = Float(value)
      guard float.isFinite else { continue }
      #expect(try JSONValue(encoding: float).decode(as: Float.self).bitPattern == float.bitPattern)
    }
  }
}
