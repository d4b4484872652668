import PushEnvelope
import PushKeys

/// Options of enrolments and signed sets as types.
extension Arguments {
  /// The APNs environment of a token.
  func environment() throws(ToolError) -> APNsEnvironment {
    guard let environment = APNsEnvironment(rawValue: self["--environment"] ?? "production") else {
      throw .usage("--environment is production or sandbox")
    }
    return environment
  }

  /// A device token.
  func token() throws(ToolError) -> DeviceToken {
    guard let token = DeviceToken(text: try required("--token")) else {
      throw .usage("--token is the device token in hexadecimal digits, 256 bytes at most")
    }
    return token
  }

  /// What a backend asked a device to sign; null if it asked nothing.
  func challenge() throws(ToolError) -> Challenge? {
    guard let text = self["--challenge"] else { return nil }
    guard let challenge = Challenge(text) else { throw .usage("--challenge is 1 to 255 bytes") }
    return challenge
  }

  /// The number of a signed set; null if none is asked for.
  func serial() throws(ToolError) -> Int64? {
    guard let text = self["--serial"] else { return nil }
    guard let serial = TimeSpan.number(text[...]), (1..<1 << 53).contains(serial) else {
      throw .usage("--serial is a number from 1 to 2^53 - 1, not '\(text)'")
    }
    return serial
  }
}

extension Option {
  static let root = Option.optional("--root", "FILE", "the root's public set, if the senders' one is signed")
}

extension Keys {
  /// The public keys of roots.
  static func loadRoots(_ path: String) throws(ToolError) -> PublicKeySet {
    let roots = try loadPublic(path)
    guard roots.role == .root else {
      throw ToolError(
        .badData, "\(path) has no root's keys", hint: "sealpush keys export writes them from the root's file")
    }
    return roots
  }

  /// The senders to trust: those of a public set, or, with `--root`, of one that a root signed for the topic.
  static func loadSenders(_ path: String, _ arguments: Arguments) throws(ToolError) -> PublicKeySet {
    guard let root = arguments["--root"] else {
      let set = try loadPublic(path)
      guard set.role == .sender else {
        throw ToolError(.badData, "\(path) has a \(set.role.rawValue)'s keys, and senders' are needed")
      }
      return set
    }
    let (roots, topic) = (try loadRoots(root), try arguments.topic())
    let text = Continuity.text(try FileInput.read(path))
    return try Continuity.refusing(path) { () throws(SignedSetError) in
      try SenderKeySet(parsing: text.span, roots: roots, topic: topic).keys
    }
  }
}
