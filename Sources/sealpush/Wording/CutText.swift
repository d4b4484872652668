import PushPayload
import PushSealer

extension Cut {
  /// What was cut, in a line.
  var text: String {
    switch self {
    case .dropped(let member): "left out to make it fit: \(member)"
    case .truncatedBody(let kept, let size):
      "shortened to make it fit: the body, to \(kept) of its \(size) bytes"
    }
  }

  /// The same for a program: the member, and of the body how many of its bytes were kept.
  var json: JSONObject {
    switch self {
    case .dropped(let member): ["key": .string(member), "kept": 0]
    case .truncatedBody(let kept, let size):
      ["key": "aps.alert.body", "kept": .number(JSONNumber(kept)), "of": .number(JSONNumber(size))]
    }
  }
}
