import PushCore
package import PushSealer

extension SealingPolicy {
  /// The policy that the options describe.
  package init(from arguments: Arguments) throws(ToolError) {
    self.init(envelopeKey: try arguments.envelopeKey())
    if let title = arguments["--title"] { placeholderTitle = title }
    if let name = arguments["--padding"] {
      guard let padding = Padding(rawValue: name) else {
        throw .usage("--padding is buckets, maximum or none")
      }
      self.padding = padding
    }
    if let pushType = try arguments.pushType() { self.pushType = pushType }
    visible = Set(
      try arguments.names(in: "--visible").map { (name) throws(ToolError) in
        try visibleMember(name.hasPrefix("aps.") ? String(name.dropFirst(4)) : name, of: name)
      })
    fitting = try arguments.fitting()
    postQuantum =
      try arguments["--post-quantum"].map { (name) throws(ToolError) in
        try Arguments.postQuantum(name, called: "--post-quantum", status: .usage)
      } ?? .preferred
  }
}

extension SealingPolicy {
  /// The member of a name, which this kind of push can show.
  fileprivate func visibleMember(_ name: String, of given: String) throws(ToolError) -> VisibleMember {
    let member = VisibleMember(name: name)
    let isCustom = member == .custom(name)
    guard !["aps", "sealed-push", envelopeKey.text].contains(name), isCustom == (name == given) || !isCustom,
      isCustom ? pushType != .liveActivity : pushType == .alert
    else { throw .usage("--visible: a push of type \(pushType.rawValue) cannot show '\(given)'") }
    return member
  }
}

extension HeaderOptions {
  /// What the options ask of APNs.
  init(from arguments: Arguments) throws(ToolError) {
    self.init(collapseID: arguments["--collapse-id"])
    if let text = arguments["--priority"] {
      guard let priority = Int(text).flatMap(Priority.init(rawValue:)) else {
        throw .usage("--priority is 10, 5 or 1")
      }
      self.priority = priority
    }
    expiration = try arguments.time("--expiration")
  }
}

extension Arguments {
  /// The names in a list with commas between them.
  func names(in option: String) -> [String] {
    self[option]?.split(separator: ",").map { name in String(name.drop { $0 == " " }) } ?? []
  }

  /// A policy by its name; `place` says in an error where it is.
  static func postQuantum(
    _ name: String, called place: String, status: ExitStatus
  ) throws(ToolError) -> PostQuantum {
    guard let policy = PostQuantum(rawValue: name) else {
      throw ToolError(status, "\(place) is preferred or required")
    }
    return policy
  }

  /// What to do with a message that is too long.
  fileprivate func fitting() throws(ToolError) -> Fitting {
    let drops = names(in: "--drop")
    switch self["--fit"] {
    case nil, "reject": return .drop(drops)
    case "truncate": return .drop(drops, thenTruncateBody: true)
    default: throw .usage("--fit is reject or truncate")
    }
  }
}
