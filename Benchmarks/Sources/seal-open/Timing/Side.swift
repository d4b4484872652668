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
  /// The operation for many messages together, on all cores.
  case allCores
  /// Writing the notification's JSON.
  case json
  /// Writing as many bytes as the envelope has in base64url.
  case base64
}
