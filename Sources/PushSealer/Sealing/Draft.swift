/// A message before it is encrypted: checked, in JSON, and short enough.
struct Draft {
  /// The content, in JSON.
  let content: [UInt8]

  /// What stays visible of it.
  let skeleton: Skeleton

  /// How its bytes will be spent.
  let budget: Budget

  /// What was left out.
  let cuts: [Cut]

  /// How long the plaintext is with its padding, in bytes.
  let paddedSize: Int
}
