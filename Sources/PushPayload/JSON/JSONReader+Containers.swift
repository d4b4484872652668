extension JSONReader {
  /// Opens an object.
  ///
  /// Throws `notAnObject` if another type is next, `tooDeep` at the limit.
  package mutating func beginObject() throws(JSONError) {
    try begin(UInt8(ascii: "{"), isObject: true, otherwise: .notAnObject)
  }

  /// Opens an array.
  ///
  /// Throws `notAnArray` if another type is next, `tooDeep` at the limit.
  package mutating func beginArray() throws(JSONError) {
    try begin(UInt8(ascii: "["), isObject: false, otherwise: .notAnArray)
  }

  /// Steps to the next member of the object opened last, and gives its key; nil closes the object.
  ///
  /// Throws `duplicateKey`, at the key's first byte, if the object had this key before.
  package mutating func nextKey() throws(JSONError) -> String? {
    guard try step(closing: UInt8(ascii: "}"), isObject: true, otherwise: .notAnObject) else { return nil }
    let start = offset
    guard bytes[offset] == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: offset) }
    let key = try readString()
    let last = containers.count - 1
    guard containers[last].keys.position(of: key) == nil else { throw JSONError(.duplicateKey, at: start) }
    containers[last].keys.append(key)
    guard try peek() == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: offset) }
    offset += 1
    return key
  }

  /// Steps to the next element of the array opened last; false closes the array.
  package mutating func nextElement() throws(JSONError) -> Bool {
    try step(closing: UInt8(ascii: "]"), isObject: false, otherwise: .notAnArray)
  }

  private mutating func begin(
    _ opening: UInt8, isObject: Bool, otherwise reason: JSONError.Reason
  ) throws(JSONError) {
    let byte = try peek()
    guard byte == opening else { throw refusal(of: byte, otherwise: reason) }
    // Before descending, so that no input makes the reader use more stack or memory than the limit allows.
    guard containers.count < maximumDepth else { throw JSONError(.tooDeep, at: offset) }
    offset += 1
    containers.append(Container(isObject: isObject))
  }

  /// Moves to the first byte of the next member or element; false if the container closes instead.
  private mutating func step(
    closing: UInt8, isObject: Bool, otherwise reason: JSONError.Reason
  ) throws(JSONError) -> Bool {
    guard let container = containers.last, container.isObject == isObject else {
      throw JSONError(reason, at: offset)
    }
    if try peek() == closing {
      offset += 1
      containers.removeLast()
      return false
    }
    guard !container.isFirst else {
      containers[containers.count - 1].isFirst = false
      return true
    }
    guard bytes[offset] == UInt8(ascii: ",") else { throw JSONError(.unexpectedByte, at: offset) }
    offset += 1
    // A trailing comma is no step.
    guard try peek() != closing else { throw JSONError(.unexpectedByte, at: offset) }
    return true
  }
}
