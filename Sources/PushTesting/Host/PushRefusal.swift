public import PushPayload

/// Why APNs does not take a payload.
public enum PushRefusal: Error, Equatable, Sendable {
  /// It is longer than 4096 bytes (`PayloadTooLarge`).
  case tooLarge(bytes: Int)
  /// It is not JSON with an object at the top.
  case json(JSONError)
  /// It has no `aps` object.
  case noAPS
}
