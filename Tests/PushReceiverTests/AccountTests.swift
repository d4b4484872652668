import PushCore
import PushReceiver
import PushTesting
import Testing

/// A message for somebody who is not signed in is not shown: FORMAT.md, [6.5].
struct AccountTests {
  private static let ada = AccountTag([UInt8](repeating: 1, count: AccountTag.size))!
  private static let bob = AccountTag([UInt8](repeating: 2, count: AccountTag.size))!

  private let parties = Parties()

  private func receiver(_ accounts: (any SignedInAccounts)?) -> Receiver {
    var receiver = parties.receiver()
    receiver.accounts = accounts
    return receiver
  }

  private func draft(_ member: String?, type: ContentType = .notification) -> Draft {
    let rest = member.map { #","sealed-push":\#($0)"# } ?? ""
    return Draft(json: String(Draft.json.dropLast()) + rest + "}", type: type)
  }

  private func account(_ tag: AccountTag) -> String { #"{"v":1,"account":"\#(tag.text)"}"# }

  @Test("a message for one of the accounts is shown, and its tag is not")
  func signedIn() throws {
    let receiver = receiver([Self.bob, Self.ada] as Set)
    let reception = receiver.reception(of: try parties.push(draft(account(Self.ada))))
    #expect(reception.content.body == "secret")
    #expect(Set(reception.content.userInfo.keys) == ["aps", "inner"])
  }

  @Test("nothing of a message for another account is shown", arguments: [[], [bob]] as [Set<AccountTag>])
  func other(accounts: Set<AccountTag>) throws {
    let push = try parties.push(draft(account(Self.ada)))
    let reception = receiver(accounts).reception(of: push)
    #expect(reception.outcome == .degraded(.otherAccount))
    #expect(reception.content == .bestAttempt(push.text))
    #expect(throws: DegradeReason.otherAccount) { try receiver(accounts).open(push) }
  }

  @Test(
    "what is no tag is no account's",
    arguments: [
      "null", "7", "true", #""""#, #""AQEBAQEBAQEBAQEBAQEBA""#, #"["AQEBAQEBAQEBAQEBAQEBAQ"]"#, "{}",
    ])
  func noTag(value: String) throws {
    for version in [#""v":1,"#, #""v":2,"#, ""] {
      let push = try parties.push(draft("{\(version)\"account\":\(value)}"))
      #expect(throws: DegradeReason.otherAccount) { try receiver([Self.ada] as Set).open(push) }
    }
  }

  @Test(
    "a message that names no account is for everybody",
    arguments: [nil, "null", "7", "[]", "{}", #"{"v":1}"#, #""account""#, #"[{"account":"x"}]"#])
  func unnamed(member: String?) throws {
    for accounts in [[], [Self.ada]] as [Set<AccountTag>] {
      #expect(throws: Never.self) { try receiver(accounts).open(parties.push(draft(member))) }
    }
  }

  @Test("an app that knows no accounts ignores the tag")
  func unknown() throws {
    for accounts in [nil, Accounts { nil }] as [(any SignedInAccounts)?] {
      #expect(throws: Never.self) { try receiver(accounts).open(parties.push(draft(account(Self.ada)))) }
    }
  }

  @Test("if the accounts cannot be read, a message for one is not shown, and others are")
  func unreadable() throws {
    let receiver = receiver(Accounts { throw Unreadable() })
    #expect(throws: DegradeReason.otherAccount) { try receiver.open(parties.push(draft(account(Self.ada)))) }
    #expect(throws: Never.self) { try receiver.open(parties.push(draft(nil))) }
  }

  @Test("data for another account does not open", arguments: ContentType.allCases)
  func data(type: ContentType) throws {
    guard type != .notification, type != .proofRequest else { return }
    let field = try parties.push(draft(account(Self.ada), type: type)).envelope
    #expect(throws: DegradeReason.otherAccount) {
      try receiver([Self.bob] as Set).openData(field, as: type)
    }
    #expect(throws: Never.self) { try receiver([Self.ada] as Set).openData(field, as: type) }
  }

  @Test("a message that was not shown is new when its account signs in")
  func notRemembered() throws {
    let replay = InMemoryReplayStore()
    var receiver = parties.receiver(replay: replay)
    let push = try parties.push(draft(account(Self.ada)))
    receiver.accounts = [Self.bob] as Set
    #expect(throws: DegradeReason.otherAccount) { try receiver.open(push) }
    receiver.accounts = [Self.ada] as Set
    #expect(try receiver.open(push).opened.repetition == .first)
    // And it is not shown again after the account has signed out.
    receiver.accounts = [] as Set<AccountTag>
    #expect(throws: DegradeReason.otherAccount) { try receiver.open(push) }
  }

  @Test("who is not a trusted sender learns nothing of the accounts")
  func order() throws {
    var receiver = receiver([Self.bob] as Set)
    var draft = draft(account(Self.ada))
    draft.isSigned = false
    #expect(throws: DegradeReason.anonymousNotAccepted) { try receiver.open(parties.push(draft)) }
    draft.isSigned = true
    draft.json = #"{"aps":{},"sealed-push":\#(account(Self.ada))}"#
    #expect(throws: DegradeReason.malformedContent) { try receiver.open(parties.push(draft)) }
    draft = self.draft(account(Self.ada))
    draft.lifetime = Lifetime(seconds: 0)!
    receiver = parties.receiver(at: Parties.now.advanced(by: .seconds(301)))
    receiver.accounts = [Self.bob] as Set
    #expect(throws: DegradeReason.expired) { try receiver.open(parties.push(draft)) }
  }

  private struct Unreadable: Error {}

  private struct Accounts: SignedInAccounts {
    let read: @Sendable () throws -> Set<AccountTag>?

    init(_ read: @escaping @Sendable () throws -> Set<AccountTag>?) { self.read = read }

    func tags() throws -> Set<AccountTag>? { try read() }
  }
}
