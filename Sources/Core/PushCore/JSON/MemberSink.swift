/// A destination for an object's members, in order, each with a new key: a ``JSONObject``, or an ``ObjectWriter``,
/// which writes JSON at once.
protocol MemberSink {
  /// Adds a member.
  mutating func append(_ value: JSONValue, forNewKey key: String)

  /// Adds an object, whose members `write` adds.
  mutating func append(
    objectForNewKey key: String, write: (inout Self) throws(PayloadError) -> Void
  ) throws(PayloadError)
}

extension JSONObject: MemberSink {
  mutating func append(
    objectForNewKey key: String, write: (inout JSONObject) throws(PayloadError) -> Void
  ) throws(PayloadError) {
    var object = JSONObject()
    try write(&object)
    append(.object(object), forNewKey: key)
  }
}

/// Writes an object's members as canonical JSON.
struct ObjectWriter: MemberSink {
  private var writer = JSONWriter()
  private var isFirst = true

  /// Starts the object.
  init() { writer.open() }

  mutating func append(_ value: JSONValue, forNewKey key: String) {
    writer.write(key: key, isFirst: &isFirst)
    writer.write(value)
  }

  mutating func append(
    objectForNewKey key: String, write: (inout ObjectWriter) throws(PayloadError) -> Void
  ) throws(PayloadError) {
    writer.write(key: key, isFirst: &isFirst)
    writer.open()
    isFirst = true
    try write(&self)
    isFirst = false
    writer.close()
  }

  /// The bytes of the whole object.
  consuming func finish() -> [UInt8] {
    writer.close()
    return writer.output
  }
}
