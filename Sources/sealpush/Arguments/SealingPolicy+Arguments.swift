import PushEnvelope
import PushSealer

extension SealingPolicy {
  /// The policy that the options say.
  init(_ arguments: Arguments) throws(ToolError) {
    self.init(envelopeKey: try arguments.envelopeKey())
    if let title = arguments["--title"] { placeholderTitle = title }
    if let name = arguments["--padding"] {
      guard let padding = Padding(rawValue: name) else {
        throw .usage("--padding is buckets, maximum or none")
      }
      self.padding = padding
    }
    if let name = arguments["--push-type"] {
      guard let pushType = PushType(rawValue: name) else {
        let names = PushType.allCases.map(\.rawValue)
        throw .usage("--push-type is \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
      }
      self.pushType = pushType
    }
    visible = Set(arguments.names("--visible").map(VisibleMember.init(name:)))
    fitting = try arguments.fitting()
  }
}

extension HeaderOptions {
  /// What the options ask of APNs.
  init(_ arguments: Arguments) throws(ToolError) {
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
  fileprivate func names(_ option: String) -> [String] {
    self[option]?.split(separator: ",").map(String.init) ?? []
  }

  /// What to do with a message that is too long.
  fileprivate func fitting() throws(ToolError) -> Fitting {
    let drops = names("--drop")
    switch self["--fit"] {
    case nil, "reject": return .drop(drops)
    case "truncate": return .drop(drops, thenTruncateBody: true)
    default: throw .usage("--fit is reject or truncate")
    }
  }
}
