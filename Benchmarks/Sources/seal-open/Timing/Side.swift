/// What takes turns in a comparison.
enum Side: CaseIterable {
  /// The operation as a whole, one message after another.
  case whole
  /// The primitives that it cannot do without, and nothing around them.
  case bare
  /// libsodium's sealed box.
  case box
  /// The operation for many messages together, on one core.
  case together
  /// The same, with nothing computed for eight messages at a time.
  case withoutLanes
  /// The operation for many messages together, on all cores.
  case allCores
  /// The JSON: writing the notification's, or reading the payload's and the content's.
  case json
  /// The envelope's base64url: writing it, or reading it.
  case base64
  /// Making the `userInfo` that the app gets.
  case userInfo
}
