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
}
