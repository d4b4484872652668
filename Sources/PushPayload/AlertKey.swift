/// The keys that Apple defines in `aps.alert`.
enum AlertKey: String {
  case title, subtitle, body
  case launchImage = "launch-image"
  case titleLocKey = "title-loc-key"
  case titleLocArgs = "title-loc-args"
  case subtitleLocKey = "subtitle-loc-key"
  case subtitleLocArgs = "subtitle-loc-args"
  case locKey = "loc-key"
  case locArgs = "loc-args"
  case actionLocKey = "action-loc-key"

  /// Those whose value is a stored property of an alert; the others stay among its other members.
  static let stored: [AlertKey] = [.title, .subtitle, .body]

  /// Each localized text: the key's key, and that of its arguments.
  static let localized: [(key: AlertKey, arguments: AlertKey)] = [
    (.titleLocKey, .titleLocArgs), (.subtitleLocKey, .subtitleLocArgs), (.locKey, .locArgs),
  ]

  var path: String { "\(Alert.path).\(rawValue)" }
}

extension JSONObject {
  subscript(key: AlertKey) -> JSONValue? {
    get { self[key.rawValue] }
    set { self[key.rawValue] = newValue }
  }
}
