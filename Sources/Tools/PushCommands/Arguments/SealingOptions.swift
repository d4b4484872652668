import PushCore
package import PushSealer

/// Options about how messages are sealed and sent.
extension Option<String> {
  package static var to: Self { Self("--to", "FILE", file: .input) }
  package static var recipients: Self { Self("--recipients", "FILE", file: .input) }
  /// It may be the output itself; ``LineOutput/Rule`` checks that it is no other file of the command.
  static var errors: Self { Self("--errors", "FILE|-") }
  static var headers: Self { Self("--headers", "FILE", file: .output) }
  static var attach: Self { Self("--attach", "FILE|-", file: .input) }
  static var title: Self { Self("--title", "TEXT") }
  static var body: Self { Self("--body", "TEXT") }
  package static var collapseID: Self { Self("--collapse-id", "TEXT") }
}

extension Flag {
  package static let lines = Flag("--lines")
  static let bare = Flag("--bare")
}

extension Option<Int> {
  /// How many lines to pass over.
  package static var skip: Self {
    Self("--skip", "N", rule: "a number of lines", isShown: true) { text in
      TimeSpan.number(in: text[...]).flatMap(Int.init(exactly:))
    }
  }
}

extension Option<MessageID> {
  package static var messageID: Self {
    Self("--message-id", "UUID", rule: "a UUID, such as \(MessageID.random().text)") { try? MessageID($0) }
  }
}

extension Option<AccountTag> {
  /// The tag of an account on a device.
  static var account: Self {
    Self("--account", "TAG", rule: "a tag of 22 characters, as keys accept prints it") { try? AccountTag($0) }
  }
}

extension Option<UnixTime> {
  package static var issuedAt: Self { .time("--issued-at") }
  static var expiration: Self { .time("--expiration") }
}

extension Option<Padding> {
  static var padding: Self { Self("--padding", "KIND", rule: "buckets, maximum or none") }
}

extension Option<PostQuantum> {
  static var postQuantum: Self { Self("--post-quantum", "POLICY", rule: PostQuantum.rule) }
}

extension PostQuantum {
  /// What a text must be that names a policy.
  static let rule = "preferred or required"
}

extension Option<[String]> {
  static var visible: Self { .names("--visible", "NAMES") }
  static var drop: Self { .names("--drop", "NAMES") }

  /// Declares a list with commas between the names.
  static func names(_ name: String, _ placeholder: String) -> Self {
    Self(name, placeholder) { (text, _) throws(ToolError) in
      text.split(separator: ",").map { name in String(name.drop { $0 == " " }) }
    }
  }
}

/// What to do with a message that is too long even without the members to drop.
enum Fit: String, CaseIterable {
  case reject, truncate
}

extension Option<Fit> {
  static var fit: Self { Self("--fit", "KIND", rule: "reject or truncate") }
}

extension Option<Priority> {
  static var priority: Self { .priority("--priority") }

  /// Declares an apns-priority.
  package static func priority(_ name: String) -> Self {
    Self(name, "N", rule: "10, 5 or 1", choices: Priority.allCases.map { String($0.rawValue) }) { text in
      Int(text).flatMap(Priority.init(rawValue:))
    }
  }
}

extension Parameter {
  /// The sender, the app and the attachments.
  package static let signing: [Parameter] = [
    .keySource(.from, "the sender's private key file, to sign with", isRequired: false)
      .configurable(.without(.anonymous)),
    .keyDescriptor(.from),
    .flag(.anonymous, "do not sign; devices show such messages only if the app accepts them"),
    .topic,
    .optional(.attach, "the attachments' descriptors, to be sealed too"),
  ]

  /// What a phone shows of a message that does not open, and what everyone in transit sees of each.
  package static let placeholder: [Parameter] = [
    .optional(.title, "the visible title; default: New notification"),
    .optional(.body, "the visible body, the same for every message; default: (Encrypted)"),
  ]

  /// How all messages of a command are sealed.
  package static let policy: [Parameter] =
    placeholder + [postQuantum, padding, visible, drop, fit, envelopeKey]

  /// How a message is sealed and sent.
  package static let message: [Parameter] = [
    .optional(
      .lifetime, "how long it is valid, at most 30d; 0: deliver now or never; default: the push type's"),
    .optional(.messageID, "the message's ID; reuse it when you retry a job"),
    .optional(.account, "the account on the device that the message is for; default: the registration's"),
    .optional(.issuedAt, "when the message was first issued; reuse it with the ID; default: now"),
    .optional(.suite, "which of the device's keys to use; default: the preferred suite"),
    postQuantum, padding, .pushType, visible, drop, fit,
    .optional(.priority, "the header apns-priority: 10, 5 or 1; default: the push type's"),
    .optional(.collapseID, "the header apns-collapse-id, which is visible; default: the message ID"),
    .optional(.expiration, "the header apns-expiration, in Unix seconds; default: the lifetime's end"),
    .flag(.strict, "treat warnings as errors: seal nothing"),
    .envelopeKey, .now,
  ]

  private static let postQuantum = optional(
    .postQuantum, "policy: preferred (default), or required: only quantum-resistant suites"
  ).configurable()
  private static let padding = optional(.padding, "the kind: buckets (default), maximum or none")
  private static let visible = optional(
    .visible, "members to leave visible, such as thread-id,badge,chat; also sealed")
  private static let drop = optional(
    .drop, "members to drop if the payload is too long, such as preview,aps.category")
  private static let fit = optional(
    .fit, "what to do if the payload is still too long: reject (default) or truncate the body")
}

extension SealingPolicy {
  /// The policy that the options describe.
  package init(from arguments: Arguments) throws(ToolError) {
    self.init(envelopeKey: try arguments.envelopeKey())
    if let title = arguments[.title] { placeholderTitle = title }
    if let body = arguments[.body] { placeholderBody = body }
    if let padding = try arguments[.padding] { self.padding = padding }
    let type = try arguments[.pushType]
    if let type { pushType = type.pushType }
    if type?.service == .fcm, arguments.isGiven(.visible) {
      throw .usage("\(Option.visible): an FCM message shows nothing beside its envelope")
    }
    visible = Set(
      try (arguments[.visible] ?? []).map { (name) throws(ToolError) in
        try visibleMember(name.hasPrefix("aps.") ? String(name.dropFirst(4)) : name, of: name)
      })
    let drops = try arguments[.drop] ?? []
    fitting = .drop(drops, thenTruncateBody: try arguments[.fit] == .truncate)
    postQuantum = try arguments[.postQuantum] ?? .preferred
  }

  /// The member of a name, which this kind of push can show.
  private func visibleMember(_ name: String, of given: String) throws(ToolError) -> VisibleMember {
    let member = VisibleMember(name: name)
    let isCustom = member == .custom(name)
    guard !["aps", "sealed-push", envelopeKey.text].contains(name), isCustom == (name == given) || !isCustom,
      isCustom ? pushType != .liveActivity : pushType == .alert
    else {
      throw .usage("\(Option.visible): a push of type \(pushType.rawValue) cannot show '\(given)'")
    }
    return member
  }
}

extension HeaderOptions {
  /// The APNs headers that the options describe.
  init(from arguments: Arguments) throws(ToolError) {
    self.init(collapseID: arguments[.collapseID])
    priority = try arguments[.priority]
    expiration = try arguments[.expiration]
  }
}
