import PushTesting
import PushCore
import Testing

@Suite("Numbers keep their text")
struct JSONNumberTests {
  @Test(
    "a literal is read, written and kept",
    arguments: [
      "0", "-0", "1", "-1", "10", "0.0", "-0.0", "1.10", "1e5", "1E5", "1e+5", "1e-05", "0e0", "-1.5E-10",
      "9223372036854775807", "9223372036854775808", "12345678901234567890123456789012345678901234567890",
      "0.1000000000000000055511151231257827", "1e400", "1e-400",
    ])
  func literals(literal: String) throws {
    let number = try #require(JSONNumber(literal: literal))
    #expect(number.literal == literal)
    #expect(try parse(literal) == .number(number))
    #expect(print(.number(number)) == literal)
    #expect(print(try parse("[\(literal), \(literal)]")) == "[\(literal),\(literal)]")
  }

  @Test(
    "text that is not a number is refused",
    arguments: [
      "", " 1", "1 ", "+1", "01", "-", "-01", ".5", "1.", "1.e5", "1e", "1e+", "1e5.0", "0x1", "NaN", "inf",
      "1,000", "1\u{301}", "١", "1\0", "--1", "true",
    ])
  func refusedLiterals(literal: String) {
    #expect(JSONNumber(literal: literal) == nil)
  }

  @Test(
    "a number is an integer if it is written as one and fits 64 bits",
    arguments: [
      ("0", 0), ("-1", -1), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", nil), ("1e2", nil), ("-0", nil),
      ("1E0", nil), ("100000000000000000000", nil),
    ] as [(String, Int64?)])
  func integers(literal: String, expected: Int64?) throws {
    #expect(try #require(JSONNumber(literal: literal)).integer == expected)
  }

  @Test(
    "a double is the nearest one, never an infinity and never a false zero",
    arguments: [
      ("0", 0), ("0.000e-999", 0), ("0.5", 0.5), ("1e2", 100), ("-2.5", -2.5),
      ("9007199254740993", 9_007_199_254_740_992), ("1.7976931348623157e308", .greatestFiniteMagnitude),
      ("4.9e-324", .leastNonzeroMagnitude), ("1e309", nil), ("-1e400", nil), ("1e-400", nil),
      ("-1e-400", nil),
      ("0.00001e-400", nil), ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil),
    ] as [(String, Double?)])
  func doubles(literal: String, expected: Double?) throws {
    #expect(try #require(JSONNumber(literal: literal)).double == expected)
  }

  @Test("the sign of zero is kept")
  func negativeZero() throws {
    #expect(try #require(JSONNumber(-0.0)).literal == "-0.0")
    #expect(try #require(JSONNumber(literal: "-0")).double?.sign == .minus)
  }

  @Test("integers are written in decimal", arguments: [Int64.min, -1, 0, 42, .max])
  func fromInteger(value: Int64) {
    #expect(JSONNumber(value).literal == String(value))
    #expect(JSONNumber(value).integer == value)
    #expect(JSONNumber(Int(value)) == JSONNumber(value))
  }

  @Test(
    "doubles are written with the fewest digits",
    arguments: [
      (0.1, "0.1"), (1, "1.0"), (1.0 / 3, "0.3333333333333333"), (1e23, "1e+23"),
      (.leastNonzeroMagnitude, "5e-324"),
    ])
  func shortest(value: Double, literal: String) {
    #expect(JSONNumber(value)?.literal == literal)
  }

  @Test("a double that is not finite gives nil", arguments: [Double.infinity, -.infinity, .nan])
  func notFinite(value: Double) {
    #expect(JSONNumber(value) == nil)
  }

  @Test("any double comes back from its text")
  func doubleRoundTrip() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      let number = try #require(JSONNumber(value))
      #expect(JSONNumber(literal: number.literal) == number)
      #expect(number.double?.bitPattern == value.bitPattern)
    }
  }

  @Test("numbers with different texts are different")
  func equality() throws {
    #expect(try parse("1") != parse("1.0"))
    #expect(try parse("1e2") != parse("1E2"))
  }
}
