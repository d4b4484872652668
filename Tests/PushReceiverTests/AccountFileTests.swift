import Foundation
import PushCore
import PushReceiver
import TestSupport
import Testing

/// The accounts that are signed in, as the app leaves them to its extension.
struct AccountFileTests {
  private let folder: TemporaryFolder
  private let file: AccountFile
  private let ada = AccountTag([UInt8](repeating: 1, count: AccountTag.size))!
  private let bob = AccountTag([UInt8](repeating: 2, count: AccountTag.size))!

  init() throws {
    folder = try TemporaryFolder()
    file = AccountFile(path: folder.path(of: "accounts.json"))
  }

  @Test("before anybody has signed in, the app does not know its accounts")
  func none() throws {
    #expect(try file.tags() == nil)
    try file.signOut(ada)
    #expect(try file.tags() == [])
  }

  @Test("what one process signs in, another one finds, until it has signed out")
  func signedIn() throws {
    let other = AccountFile(path: file.path)
    try file.signIn(ada)
    try file.signIn(bob)
    try file.signIn(ada)
    #expect(try other.tags() == [ada, bob])
    try other.signOut(ada)
    #expect(try file.tags() == [bob])
    try other.signOutAll()
    #expect(try file.tags() == [])
  }

  @Test("the file is the one that is documented, for its owner alone")
  func form() throws {
    try file.signIn(bob)
    try file.signIn(ada)
    #expect(
      try String(contentsOfFile: file.path, encoding: .utf8)
        == #"{"v":1,"accounts":["\#(bob.text)","\#(ada.text)"]}"# + "\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test(
    "a file that cannot be read says so, and the next sign-in replaces it",
    arguments: [
      "", "{}", "[]", #"{"v":0,"accounts":[]}"#, #"{"v":1}"#, #"{"v":1,"accounts":["x"]}"#,
      #"{"v":1,"accounts":[1]}"#, String(repeating: " ", count: 5000),
    ])
  func damaged(text: String) throws {
    try folder.write(text, to: "accounts.json")
    #expect(throws: ReceiverFileError.damaged) { try file.tags() }
    try file.signIn(ada)
    #expect(try file.tags() == [ada])
  }

  @Test("a file of a later version is left alone")
  func later() throws {
    try folder.write(#"{"v":2,"accounts":{}}"#, to: "accounts.json")
    #expect(throws: ReceiverFileError.laterVersion) { try file.tags() }
    #expect(throws: ReceiverFileError.laterVersion) { try file.signOut(ada) }
    #expect(try String(contentsOfFile: file.path, encoding: .utf8) == #"{"v":2,"accounts":{}}"#)
  }

  @Test("the file stays small")
  func bound() throws {
    let tags = (0..<70).map { AccountTag([UInt8](repeating: $0, count: AccountTag.size))! }
    for tag in tags { try file.signIn(tag) }
    #expect(try file.tags() == Set(tags.suffix(AccountFile.maximumCount)))
  }

  @Test("a receiver asks for each message")
  func receiver() throws {
    let parties = Parties()
    var receiver = parties.receiver()
    receiver.accounts = file
    let member = #","sealed-push":{"v":1,"account":"\#(ada.text)"}}"#
    func open() throws { _ = try receiver.open(parties.push(Draft(json: Draft.json.dropLast() + member))) }
    try open()
    try file.signIn(bob)
    #expect(throws: DegradeReason.otherAccount) { try open() }
    try file.signIn(ada)
    try open()
    try file.signOut(ada)
    #expect(throws: DegradeReason.otherAccount) { try open() }
    try folder.write("damaged", to: "accounts.json")
    #expect(throws: DegradeReason.otherAccount) { try open() }
  }
}
