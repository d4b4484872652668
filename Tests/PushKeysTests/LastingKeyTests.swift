import PushCore
import PushKeys
import Testing

@Suite("Identities and roots")
struct LastingKeyTests {
  static let roles: [KeyRole] = [.identity, .root]

  private func set(_ role: KeyRole) -> KeySet { KeySet(generating: role, at: start) }

  @Test(arguments: roles) func haveOneKeyAndHaveSignedNothing(role: KeyRole) {
    let set = set(role)
    #expect(set.role == role && set.serial == 0)
    #expect(set.records.map(\.life) == [KeyLife(issuedAt: start, status: .active)])
    #expect(set.records[0].algorithm == .ed25519)
  }

  @Test func othersHaveNoSerial() {
    for kind in Kind.allCases { #expect(kind.makeSet().serial == nil) }
  }

  @Test(arguments: roles) func areReadAsTheyAreWritten(role: KeyRole) throws {
    let set = set(role)
    let read = try parse(text(set))
    #expect(read.role == role && read.serial == 0 && read.records == set.records)
    #expect(text(read) == text(set))
    #expect(text(set).hasPrefix(#"{"v":1,"role":"\#(role.rawValue)","serial":0,"keys":["#))
  }

  @Test(arguments: [1, 9_007_199_254_740_991] as [Int64]) func haveASerial(serial: Int64) throws {
    #expect(try parse(text(set(.root)).setting("serial", to: "\(serial)")).serial == serial)
  }

  @Test(arguments: LastingFaults.all) func refuses(fault: KeySetFault) {
    #expect(throws: fault.error) { try parse(fault.text) }
  }

  @Test(arguments: roles) func handOutAPublicSetOfTheirRole(role: KeyRole) throws {
    let set = set(role)
    let read = try parsePublic(text(set.publicKeys))
    #expect(try read == set.publicKeys && read.role == role)
    #expect(try !text(set.publicKeys).contains("serial"))
    #expect(read.records == set.records)
  }

  @Test func aPublicSetMayHaveSeveralRoots() throws {
    let keys = (0..<3).flatMap { _ in keyTexts(publicText(set(.root))) }
    let read = try parsePublic(#"{"v":1,"role":"root","keys":[\#(keys.joined(separator: ","))]}"#)
    #expect(read.role == .root && read.records.count == 3)
  }

  @Test func aSetOfAnotherRoleIsAnotherSet() throws {
    let root = try set(.root).publicKeys
    let identity = try parsePublic(text(root).setting("role", to: #""identity""#))
    let sender = try parsePublic(text(root).setting("role", to: nil))
    #expect(root != identity && root != sender && identity != sender)
  }

  @Test(arguments: [#""device""#, #""sender""#, "1", #""""#]) func aPublicSetHasNoOtherRole(value: String)
    throws
  {
    let text = try text(set(.root).publicKeys).setting("role", to: value)
    #expect(throws: KeySetError.invalidSetMember("role")) { try parsePublic(text) }
  }

  @Test func aPublicSetOfRootsHasNoDevicesKey() {
    let text = publicText(Kind.x25519.makeSet()).setting("v", to: #"1,"role":"root""#)
    #expect(throws: KeySetError.mixedRoles) { try parsePublic(text) }
  }

  @Test(arguments: roles) func areNoSenders(role: KeyRole) throws {
    let set = set(role)
    let id = set.records[0].id.keyID
    #expect(try set.publicKeys.senderKey(for: id, at: start) == nil)
    #expect(throws: KeySetError.wrongRole) { try set.signingKey(at: start) }
    #expect(set.deviceKey(for: id, at: start) == nil)
    #expect(throws: KeySetError.wrongRole) { try set.publicKeys.recipient() }
    #expect(throws: KeySetError.wrongRole) { try set.recipient(at: start) }
  }

  @Test(arguments: roles) func areRefusedWhereSendersAre(role: KeyRole) throws {
    let sender = KeySet(generating: .sender, at: start)
    #expect(throws: KeySetError.wrongRole) { try sender.findings(at: start, copy: set(role).publicKeys) }
  }

  @Test(arguments: roles) func printNothingSecret(role: KeyRole) throws {
    let set = set(role)
    var dumped = ""
    dump(set, to: &dumped)
    dump(KeySetEditor(set), to: &dumped)
    let secret = text(set).member("d")
    #expect(!dumped.contains(secret.dropFirst(6).prefix(10)))
    #expect("\(set)" == "KeySet(\(role), keys: 1)")
  }
}
