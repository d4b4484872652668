import PushCore
import PushEnrolment
import PushKeys
import PushReceiver
import PushSealer
import TestSupport
import Testing

/// What is for one of a device's accounts: [6.5].
struct AccountVectors {
  let keys: VectorKeys

  /// A person's tag on a device.
  struct Tag {
    let id: String
    let comment: String
    let identity: Thumbprint
    let person: String

    var tag: AccountTag { AccountTag(person: person, identity: identity) }

    var json: JSONObject {
      [
        "id": .string(id), "comment": .string(comment), "identity": .string(identity.text),
        "person": .string(person), "tag": .string(tag.text),
      ]
    }
  }

  private static let identity = Thumbprint(Array(0..<32))
  private static let text = #"{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"}}}"#
  private static let call = #"{"aps":{},"call":{"id":7,"from":"Ada"}}"#

  private let ada: AccountTag
  private let bob: AccountTag

  init(keys: VectorKeys) throws {
    self.keys = keys
    let identity = try #require(Self.identity)
    ada = AccountTag(person: "ada", identity: identity)
    bob = AccountTag(person: "bob", identity: identity)
  }

  func tags() throws -> [Tag] {
    let (one, other) = (try #require(Self.identity), try keys.sender.signingKey().publicKey.thumbprint)
    return [
      Tag(id: "tag-ada", comment: "the plain case", identity: one, person: "ada"),
      Tag(id: "tag-bob", comment: "somebody else on the same device", identity: one, person: "bob"),
      Tag(id: "tag-device", comment: "the same person on another device", identity: other, person: "ada"),
      Tag(id: "tag-case", comment: "names are compared byte by byte", identity: one, person: "Ada"),
      Tag(id: "tag-composed", comment: "a letter in one character", identity: one, person: "caf\u{E9}"),
      Tag(id: "tag-decomposed", comment: "the same letter in two", identity: one, person: "cafe\u{301}"),
      Tag(
        id: "tag-255", comment: "the longest name", identity: one, person: String(repeating: "a", count: 255)),
    ]
  }

  // MARK: What opens

  func opened() throws -> [OpenedVector] {
    let tag = member(ada)
    let attachments = #""attachments":[\#(Self.descriptor)]"#
    return [
      try sealed("account-signed-in", "the account is signed in", signedIn: [ada]),
      try sealed("account-among-several", "the account is one of several", signedIn: [bob, ada]),
      try sealed(
        "account-p256-aesgcm", "and in another suite", signedIn: [ada], suite: .p256AESGCM),
      try sealed("account-anonymous", "nobody signed it", signedIn: [ada], isSigned: false),
      try sealed("account-unknown", "an opener that does not know the accounts", signedIn: nil),
      try other("account-absent", "a message for nobody in particular", nil, signedIn: []),
      try other("account-member-without", "the member has no account", #"{"v":1}"#, signedIn: []),
      try other(
        "account-attachments", "beside an attachment", "{\"v\":1,\(attachments),\(tag)}", signedIn: [ada]),
      try other("account-first", "before an attachment", "{\(tag),\"v\":1,\(attachments)}", signedIn: [ada]),
      try other("account-attachments-alone", "an attachment alone", "{\"v\":1,\(attachments)}", signedIn: []),
      try other("account-version-2", "in a later version of the member", "{\"v\":2,\(tag)}", signedIn: [ada]),
      try other("account-version-absent", "in a member without a version", "{\(tag)}", signedIn: [ada]),
      try other("account-more", "beside what is not known", "{\"v\":1,\(tag),\"x\":[1]}", signedIn: [ada]),
      try other(
        "account-unknown-malformed", "no tag, and an opener that does not know the accounts",
        #"{"v":1,"account":7}"#, signedIn: nil),
      try other("account-member-null", "the member is null", "null", signedIn: []),
      try other("account-member-string", "the member is the tag", ada.text.quoted, signedIn: []),
      try other("account-member-array", "the member is an array", "[{\(tag)}]", signedIn: []),
      try other("account-elsewhere", "another member of that name", nil, more: ",\(tag)", signedIn: []),
    ]
  }

  // MARK: What does not

  func degraded() throws -> [DegradedVector] {
    let attachments = #""attachments":[\#(Self.descriptor)]"#
    let text = ada.text
    let values = [
      ("null", "null", "null"), ("number", "a number", "7"), ("true", "true", "true"),
      ("empty", "an empty text", #""""#), ("object", "an object", "{}"),
      ("array", "in an array", "[\(text.quoted)]"),
      ("short", "a character is missing", String(text.dropLast()).quoted),
      ("padding", "with padding", (text + "==").quoted),
      ("trailing-bits", "bits that belong to no byte", (text.dropLast() + "_").quoted),
      ("case", "in capital letters", text.uppercased().quoted),
      ("space", "a space at the end", (text + " ").quoted),
    ]
    var replayed = try faulty(
      "account-other-replayed", "and another content under the id of a message that was shown", [bob]
    ) { $0.content = content(member: "{\"v\":1,\(member(ada))}") }
    replayed.setting.after = try forge("account-other-replayed").payload()
    return [
      try faulty("account-other", "somebody else is signed in", [bob]) {
        $0.content = content(member: "{\"v\":1,\(member(ada))}")
      },
      try faulty("account-nobody", "nobody is signed in", []) {
        $0.content = content(member: "{\"v\":1,\(member(ada))}")
      },
      try faulty("account-other-attachments", "beside an attachment", [bob]) {
        $0.content = content(member: "{\"v\":1,\(attachments),\(member(ada))}")
      },
      try faulty("account-other-version", "in a later version of the member", [bob]) {
        $0.content = content(member: "{\"v\":2,\(member(ada))}")
      },
      replayed,
      try faulty(
        "account-other-no-text", "and nothing to show", [bob], rule: "6.4", expect: .malformedContent
      ) {
        $0.content = Array(#"{"aps":{},"sealed-push":{"v":1,\#(member(ada))}}"#.utf8)
      },
      try faulty("account-other-expired", "and too late", [bob], rule: "5.10", expect: .expired) {
        $0.content = content(member: "{\"v\":1,\(member(ada))}")
        $0.lifetime = 0
        $0.issuedAt = Forge.issuedAt + 60 - 301
      },
    ]
      + (try values.map { name, comment, value in
        try faulty("account-value-\(name)", "no tag: \(comment)", [ada]) {
          $0.content = content(member: #"{"v":1,"account":\#(value)}"#)
        }
      })
  }

  func data() throws -> [DataVector] {
    let types = [PushType.background, .voip, .complication, .pushToTalk]
    return try types.flatMap { type in
      let name = type.rawValue
      var own = try sealedData("account-data-\(name)", type, "the account is signed in")
      own.accounts = [ada]
      var other = try sealedData("account-data-\(name)-other", type, "somebody else is signed in")
      other.accounts = [bob]
      other.fault = ("6.5", .otherAccount)
      return [own, other]
    }
  }

  // MARK: Making them

  private static let descriptor =
    #"{"url":"https://example.com/b","key":"\#(String(repeating: "A", count: 22))","#
    + #""sha256":"\#(String(repeating: "A", count: 43))","size":41,"type":"image/png"}"#

  private func member(_ tag: AccountTag) -> String { #""account":\#(tag.text.quoted)"# }

  private func content(_ text: String = text, member: String?, more: String = "") -> [UInt8] {
    Array((text.dropLast() + (member.map { #","sealed-push":\#($0)"# } ?? "") + more + "}").utf8)
  }

  private func forge(
    _ id: String, _ suite: Suite = .x25519ChaChaPoly, isSigned: Bool = true
  ) throws -> Forge {
    Forge(id, to: try keys.recipient(suite), from: isSigned ? try keys.sender.signingKey() : nil)
  }

  /// A message of the sealer's.
  private func sealed(
    _ id: String, _ comment: String, signedIn accounts: [AccountTag]?, suite: Suite = .x25519ChaChaPoly,
    isSigned: Bool = true
  ) throws -> OpenedVector {
    var forge = try forge(id, suite, isSigned: isSigned)
    forge.content = Array(Self.text.utf8)
    let push = try forge.sealed(SealingPolicy(), for: ada)
    forge.content = content(member: "{\"v\":1,\(member(ada))}")
    return OpenedVector(
      id: id, comment: comment, forge: forge, padding: Padding.buckets.rawValue, limit: push.budget.limit,
      payload: try JSONObject(parsing: push.payload.span), accounts: accounts)
  }

  /// A message of another sealer's.
  private func other(
    _ id: String, _ comment: String, _ member: String?, more: String = "", signedIn accounts: [AccountTag]?
  ) throws -> OpenedVector {
    var forge = try forge(id)
    forge.content = content(member: member, more: more)
    return OpenedVector(
      id: id, comment: comment, forge: forge, padding: "other", limit: 4096, payload: try forge.payload(),
      accounts: accounts)
  }

  private func faulty(
    _ id: String, _ comment: String, _ accounts: [AccountTag], rule: String = "6.5",
    expect: DegradeReason = .otherAccount, _ change: (inout Forge) -> Void
  ) throws -> DegradedVector {
    var forge = try forge(id)
    change(&forge)
    var setting = Setting()
    setting.accounts = accounts
    return DegradedVector(
      id: id, rule: rule, comment: comment, expect: expect, payload: try forge.payload(), setting: setting)
  }

  private func sealedData(_ id: String, _ type: PushType, _ comment: String) throws -> DataVector {
    var forge = try forge(id)
    forge.content = Array(Self.call.utf8)
    let push = try forge.sealed(SealingPolicy(pushType: type), for: ada)
    forge.content = content(Self.call, member: "{\"v\":1,\(member(ada))}")
    return DataVector(
      id: id, comment: comment, pushType: type, forge: forge, padding: Padding.buckets.rawValue,
      payload: try JSONObject(parsing: push.payload.span))
  }
}
