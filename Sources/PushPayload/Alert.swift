/// What a notification shows (`aps.alert`).
///
/// Apple's string form of an alert reads as the body, and is written as an object with that body.
public struct Alert: Sendable {
  /// The first line.
  public var title: String?

  /// The line below the title.
  public var subtitle: String?

  /// The text.
  public var body: String?

  /// All other members, kept exactly: `launch-image`, `loc-key`, `loc-args` and the like.
  ///
  /// Those that Apple defines have typed views, such as ``localizedBody``.
  public var other: JSONObject

  /// Makes an alert of its parts, each of which may be absent.
  public init(
    title: String? = nil, subtitle: String? = nil, body: String? = nil, other: JSONObject = [:]
  ) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
    self.other = other
  }
}

extension Alert: Equatable {
  /// Whether all parts are equal, text compared by its bytes.
  public static func == (left: Alert, right: Alert) -> Bool {
    left.title.isExactly(right.title) && left.subtitle.isExactly(right.subtitle)
      && left.body.isExactly(right.body) && left.other == right.other
  }
}

extension Alert {
  static let path = "aps.alert"

  init(_ value: JSONValue) throws(PayloadError) {
    switch value {
    case .string(let body):
      self.init(body: try PayloadCheck.text(body, at: Self.path))
    case .object(let object):
      var members = MemberReader(object, path: Self.path)
      self.init(
        title: try members.text(AlertKey.title.rawValue),
        subtitle: try members.text(AlertKey.subtitle.rawValue),
        body: try members.text(AlertKey.body.rawValue))
      other = members.rest
    case .null, .boolean, .number, .array:
      throw .invalid(key: Self.path, rule: .mustBeStringOrObject)
    }
  }

  func payload() throws(PayloadError) -> JSONObject {
    var object = JSONObject()
    try object.append(title, for: .title)
    try object.append(subtitle, for: .subtitle)
    try object.append(body, for: .body)
    guard !other.isEmpty else { return object }
    try PayloadCheck.add(
      other, to: &object, reserving: AlertKey.stored.map(\.rawValue), path: Self.path)
    return object
  }
}

extension JSONObject {
  fileprivate mutating func append(_ text: String?, for key: AlertKey) throws(PayloadError) {
    guard let text else { return }
    append(.string(try PayloadCheck.text(text, at: key.path)), forNewKey: key.rawValue)
  }
}
