extension JSONValue {
  /// Whether arrays and objects stand inside one another more than `limit` times; looks no deeper than that.
  func isNested(deeperThan limit: Int) -> Bool {
    switch self {
    case .null, .boolean, .number, .string: false
    case .array(let values): limit < 1 || values.contains { $0.isNested(deeperThan: limit - 1) }
    case .object(let object): object.isNested(deeperThan: limit)
    }
  }
}

extension JSONObject {
  /// Whether this object and what is inside it is nested more than `limit` times.
  func isNested(deeperThan limit: Int) -> Bool {
    limit < 1 || contains { $0.value.isNested(deeperThan: limit - 1) }
  }
}
