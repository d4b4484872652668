/// A JSON value that is being encoded, shared by the containers that write to it.
///
/// The calls that open a container cannot throw, so what is wrong with one is thrown by ``finish()``.
final class JSONDraft {
  /// How deeply arrays and objects may be nested: as deeply as a reader accepts by default.
  static let deepest = 32

  enum Content {
    case nothing
    case scalar(JSONValue)
    case array([JSONDraft])
    case object(MemberList<JSONDraft>)
    case refused(EncodingError)
  }

  /// The keys that lead to the value, one for each container around it.
  let path: [any CodingKey]

  private var content = Content.nothing

  init(at path: [any CodingKey]) { self.path = path }

  /// Whether nothing has been encoded yet.
  var isEmpty: Bool {
    if case .nothing = content { true } else { false }
  }

  /// The number of elements, if it is an array.
  var count: Int {
    if case .array(let elements) = content { elements.count } else { 0 }
  }

  /// Becomes a value without containers.
  func set(_ scalar: JSONValue) throws {
    guard isEmpty else { throw EncodingError.secondValue(at: path) }
    content = .scalar(scalar)
  }

  /// Becomes an empty container, or stays one of the same kind.
  func open(as container: Content) {
    switch (content, container) {
    case (.array, .array), (.object, .object), (.refused, _): break
    case (.nothing, _): content = path.count < Self.deepest ? container : .refused(.tooDeep(at: path))
    default: content = .refused(.secondValue(at: path))
    }
  }

  /// Adds an element to an array.
  func append(_ element: JSONDraft) {
    guard case .array(var elements) = content else { return }
    content = .nothing  // or the array would be copied
    elements.append(element)
    content = .array(elements)
  }

  /// Adds a member to an object, or replaces the one with this key.
  func set(_ member: JSONDraft, forKey key: String) {
    guard case .object(var members) = content else { return }
    content = .nothing  // or the list would be copied
    if let position = members.position(of: key) {
      members[position] = member
    } else {
      members.append(key: key, value: member)
    }
    content = .object(members)
  }

  /// The finished value, an empty object if nothing was encoded.
  func finish() throws -> JSONValue {
    switch content {
    case .nothing:
      guard path.count < Self.deepest else { throw EncodingError.tooDeep(at: path) }
      return .object(JSONObject())
    case .scalar(let value): return value
    case .array(let elements): return .array(try elements.map { try $0.finish() })
    case .object(let members):
      var object = JSONObject()
      for (key, member) in members.all { object.append(try member.finish(), forNewKey: key) }
      return .object(object)
    case .refused(let error): throw error
    }
  }
}

/// Errors that contain no value, because it may be secret.
extension EncodingError {
  static func tooDeep(at path: [any CodingKey]) -> EncodingError {
    invalid(at: path, because: "The value is nested more than \(JSONDraft.deepest) levels deep.")
  }

  static func secondValue(at path: [any CodingKey]) -> EncodingError {
    invalid(at: path, because: "The type encodes more than one value in the place of one.")
  }

  static func invalid(_ value: Any = (), at path: [any CodingKey], because reason: String) -> EncodingError {
    .invalidValue(value, Context(codingPath: path, debugDescription: reason))
  }
}
