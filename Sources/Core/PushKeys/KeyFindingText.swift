/// What an operator reads. It names no key but by its thumbprint.
extension KeyFinding: CustomStringConvertible {
  /// The key, what was found, and what to do.
  public var description: String { "\(key): \(text); \(remedy)" }

  /// What was found.
  public var text: String {
    switch code {
    case .activeEnded: "the active key has expired: nothing can be sealed or signed with it"
    case .activeNotBegun: "the active key is not valid yet: nothing is signed with it"
    case .acceptedEnded: "it has expired and was not destroyed yet"
    case .acceptedWithoutEnd: "it never expires, until somebody confirms that every sender has the new key"
    case .oldActiveKey:
      severity == .note ? "the active key is due for rotation" : "the active key is more than 90 days old"
    case .madeInFuture: "it was made in the future: the clock that made it was wrong, or this one is"
    case .notHandedOut: "the copy does not have it, or does not use it"
    case .goneKeyInUse: "the copy uses it, although it is not in the set, or has expired there"
    }
  }

  /// What to do.
  public var remedy: String {
    switch code {
    case .activeEnded: "rotate the set, then prune it"
    case .activeNotBegun, .oldActiveKey: "rotate the set"
    case .acceptedEnded: "prune the set"
    case .acceptedWithoutEnd: "confirm the set once every sender has its public half"
    case .madeInFuture: "correct the clock; if it is right, rotate the set"
    case .notHandedOut, .goneKeyInUse: "hand out the public half"
    }
  }
}
