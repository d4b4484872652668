/// A JSON number as a property list, and so `userInfo`, can hold it.
///
/// Receivers follow this rule of the format (FORMAT.md, section 6), and senders are warned by it.
package enum PropertyListNumber: Equatable, Sendable {
  /// A number without fraction and exponent that fits 64 signed bits.
  case integer(Int64)
  /// A number with a fraction or an exponent: the nearest double, if it is finite and zero only for zero.
  case double(Double)
  /// Any other number, such as `-0`, 2^64 and `1e400`: its text, so that no number is silently changed.
  case text(String)

  /// Finds the form of a number.
  package init(_ number: JSONNumber) {
    if let integer = number.integer {
      self = .integer(integer)
    } else if number.hasFractionOrExponent, let double = number.double {
      self = .double(double)
    } else {
      self = .text(number.literal)
    }
  }
}

extension JSONNumber {
  fileprivate var hasFractionOrExponent: Bool { literal.utf8.contains { ".eE".utf8.contains($0) } }
}

/// Finds members that `userInfo` cannot hold as they are in the JSON.
struct UserInfoCheck {
  /// The maximum number of warnings for a payload.
  private static let maximumCount = 16
  /// The maximum length of a path, in Unicode scalars; a longer one ends with an ellipsis.
  private static let maximumPathLength = 100

  private enum Step {
    case key(String)
    case index(Int)
  }

  private(set) var warnings: [PayloadWarning] = []
  private var path: [Step] = []

  /// Checks members and everything in them, at most as deep as readers accept.
  init(of members: JSONObject) { check(members) }

  private mutating func check(_ object: JSONObject) {
    // Like a dictionary, a set of strings takes canonically equivalent keys for the same.
    var keys: Set<String> = []
    for (key, value) in object {
      check(value, at: .key(key), isHidden: !keys.insert(key).inserted)
    }
  }

  private mutating func check(_ value: JSONValue, at step: Step, isHidden: Bool = false) {
    guard warnings.count < Self.maximumCount, path.count < PayloadCheck.maximumDepth else { return }
    path.append(step)
    defer { path.removeLast() }
    if isHidden { warn(of: .equivalentKey) }
    switch value {
    case .null: warn(of: .nullDropped)
    case .number(let number): check(number)
    case .array(let values):
      for (index, value) in values.enumerated() { check(value, at: .index(index)) }
    case .object(let object): check(object)
    case .boolean, .string: break
    }
  }

  private mutating func check(_ number: JSONNumber) {
    switch PropertyListNumber(number) {
    case .integer: break
    case .double(let double):
      if JSONNumber(double).map({ Decimal($0) != Decimal(number) }) == true { warn(of: .numberRounded) }
    case .text: warn(of: .numberAsText)
    }
  }

  private mutating func warn(of code: PayloadWarning.Code) {
    guard warnings.count < Self.maximumCount else { return }
    warnings.append(PayloadWarning(code, at: pathText))
  }

  /// The path, such as `acme.list[2]`.
  private var pathText: String {
    var scalars = String.UnicodeScalarView()
    for step in path {
      switch step {
      case .key(let key):
        if !scalars.isEmpty { scalars.append(".") }
        scalars += key.unicodeScalars.prefix(Self.maximumPathLength + 1)
      case .index(let index): scalars += "[\(index)]".unicodeScalars
      }
    }
    guard scalars.count > Self.maximumPathLength else { return String(scalars) }
    return String(String.UnicodeScalarView(scalars.prefix(Self.maximumPathLength))) + "…"
  }
}

/// The exact value of a number: its sign, its digits from the first to the last that is not zero, and the last one's
/// power of ten.
private struct Decimal: Equatable {
  private let isNegative: Bool
  private let digits: [UInt8]
  private let exponent: Int?

  init(_ number: JSONNumber) {
    let parts = number.literal.split(maxSplits: 1) { "eE".contains($0) }
    let significand = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = significand.count > 1 ? significand[1].utf8.count : 0
    let all = significand.joined(separator: "").utf8.drop {
      [UInt8(ascii: "-"), UInt8(ascii: "0")].contains($0)
    }
    let trailing = all.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    isNegative = number.literal.utf8.first == UInt8(ascii: "-")
    digits = Array(all.dropLast(trailing))
    let power = parts.count > 1 ? Int(parts[1]) : 0
    exponent = digits.isEmpty ? 0 : power.map { $0 &- fraction &+ trailing }
  }
}
