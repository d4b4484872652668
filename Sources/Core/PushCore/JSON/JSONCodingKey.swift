/// The key of an array's element, or of the part of a value that belongs to its superclass.
struct JSONCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }

  /// The member for the superclass, as Swift's own coders name it.
  static let superclass = JSONCodingKey(stringValue: "super")
}
