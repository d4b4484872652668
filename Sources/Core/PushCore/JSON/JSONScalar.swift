/// A type whose values are each one JSON value without containers: strings, booleans and numbers.
protocol JSONScalar {
  /// The value in JSON; nil if JSON has no such number.
  var json: JSONValue? { get }

  /// Reads a value that JSON holds exactly.
  init(json: JSONValue) throws(ScalarError)
}

/// Why a JSON value is not a scalar of the expected type.
enum ScalarError: Error {
  /// The value has another type.
  case otherType
  /// The value is a number that the type cannot hold.
  case notExact
}

extension String: JSONScalar {
  var json: JSONValue? { .string(self) }

  init(json: JSONValue) throws(ScalarError) {
    guard let text = json.string else { throw .otherType }
    self = text
  }
}

extension Bool: JSONScalar {
  var json: JSONValue? { .boolean(self) }

  init(json: JSONValue) throws(ScalarError) {
    guard let value = json.boolean else { throw .otherType }
    self = value
  }
}

extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}

extension JSONScalar where Self: FixedWidthInteger {
  var json: JSONValue? { .number(JSONNumber(validated: String(self))) }

  /// Takes a number that is written as an integer of the type's range.
  init(json: JSONValue) throws(ScalarError) {
    guard let literal = json.number?.literal else { throw .otherType }
    guard literal != "-0", let value = Self(literal) else { throw .notExact }
    self = value
  }
}

extension Double: JSONScalar {}
extension Float: JSONScalar {}

extension JSONScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  /// The number with the fewest digits that read back as the same value.
  var json: JSONValue? { isFinite ? .number(JSONNumber(validated: description)) : nil }

  /// Takes an integer that the type holds exactly, and the nearest value of a number with a fraction or an exponent.
  init(json: JSONValue) throws(ScalarError) {
    guard let number = json.number else { throw .otherType }
    guard let value = number.nearest(Self.self) else { throw .notExact }
    if let bits = number.significantBits, bits > Self.significandBitCount + 1 { throw .notExact }
    self = value
  }
}

extension JSONNumber {
  /// How many binary digits an integer has without the zeros at its end; nil if the number is not written as an integer.
  ///
  /// Takes time proportional to the square of the length, which is small for an integer in a double's range.
  fileprivate var significantBits: Int? {
    let digits = literal.utf8.drop { $0 == UInt8(ascii: "-") }
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    var parts: [UInt64] = []  // 32 binary digits each, the lowest first
    for digit in digits {
      var carry = UInt64(digit - UInt8(ascii: "0"))
      for index in parts.indices {
        carry += parts[index] * 10
        parts[index] = carry & 0xffff_ffff
        carry >>= 32
      }
      if carry > 0 { parts.append(carry) }
    }
    guard let lowest = parts.firstIndex(where: { $0 != 0 }), let highest = parts.last else { return 0 }
    let length = 32 * parts.count - (highest.leadingZeroBitCount - 32)
    return length - (32 * lowest + parts[lowest].trailingZeroBitCount)
  }
}
