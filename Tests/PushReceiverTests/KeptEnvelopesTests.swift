import Foundation
import Locks
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// Envelopes that came while the keys were locked, until the app has had them.
@Suite(.hangGuard)
struct KeptEnvelopesTests {
  private struct Broken: Error {}

  private let parties = Parties()
  private let folder: TemporaryFolder
  private let kept: KeptEnvelopes

  init() throws {
    folder = try TemporaryFolder()
    kept = KeptEnvelopes(path: folder.file)
  }

  /// What the extension does while the phone is locked.
  private func receiveLocked(_ push: IncomingPush, _ kept: KeptEnvelopes? = nil) async {
    var receiver = parties.receiver(keys: LockedKeyStore())
    receiver.observers = [kept ?? self.kept]
    _ = await receiver.receive(push)
  }

  /// What the app does.
  private func openAll(_ receiver: Receiver? = nil) async throws -> [Reception] {
    var receptions: [Reception] = []
    try await kept.openAll(with: receiver ?? parties.receiver()) { receptions.append($0) }
    return receptions
  }

  private func draft(_ body: String) -> Draft {
    var draft = Draft()
    draft.json = #"{"aps":{"alert":{"title":"T","body":"\#(body)"}}}"#
    return draft
  }

  @Test("what came while the phone was locked opens after, once, in order")
  func story() async throws {
    let phone = PhoneLock()
    var receiver = parties.receiver(keys: phone.protect(parties.device))
    receiver.observers = [kept]
    for body in ["first", "second"] {
      #expect(await receiver.receive(try parties.push(draft(body))).outcome == .degraded(.keyLocked))
    }
    phone.unlock()
    #expect(try await openAll(receiver).map(\.content.body) == ["first", "second"])
    #expect(try await openAll(receiver) == [])
  }

  @Test("what is still locked stays, and is not handed over")
  func stillLocked() async throws {
    await receiveLocked(try parties.push())
    let before = folder.bytes
    #expect(try await openAll(parties.receiver(keys: LockedKeyStore())) == [])
    #expect(folder.bytes == before)
    #expect(try await openAll().map(\.content.body) == ["secret"])
  }

  @Test("what is not yet valid stays until it is")
  func notYetValid() async throws {
    var draft = Draft()
    draft.issuedAt = Parties.now.advanced(by: .seconds(400))
    await receiveLocked(try parties.push(draft))
    #expect(try await openAll() == [])
    #expect(try await openAll(parties.receiver(at: draft.issuedAt)).count == 1)
  }

  @Test("what never opens is handed over as such, without a sound, and is gone")
  func expired() async throws {
    await receiveLocked(try parties.push())
    let late = parties.receiver(at: Parties.now.advanced(by: .seconds(2_592_301)))
    let receptions = try await openAll(late)
    #expect(receptions.map(\.outcome) == [.degraded(.expired)])
    #expect(receptions.first?.content.body == "(Encrypted)")
    #expect(receptions.first?.content.sound == nil)
    #expect(try await openAll(late) == [])
  }

  @Test("nothing else is kept: neither what opened nor what degraded for another reason")
  func others() async throws {
    for keys: any DeviceKeyStore in [parties.device, KeyRing()] {
      var receiver = parties.receiver(keys: keys)
      receiver.observers = [kept]
      _ = await receiver.receive(try parties.push())
    }
    #expect(try folder.names == [])
    #expect(try await openAll() == [])
  }

  @Test("an envelope that comes twice is kept once")
  func twice() async throws {
    let push = try parties.push()
    await receiveLocked(push)
    await receiveLocked(try parties.push(draft("other")))
    await receiveLocked(push)
    #expect(try await openAll().map(\.content.body) == ["secret", "other"])
  }

  @Test("the oldest go when it is full")
  func bound() async throws {
    let small = KeptEnvelopes(path: folder.file, capacity: 2)
    for body in ["1", "2", "3"] { await receiveLocked(try parties.push(draft(body)), small) }
    #expect(try await openAll().map(\.content.body) == ["2", "3"])
  }

  @Test("a capacity is brought into its bounds", arguments: [(Int.min, 1), (0, 1), (1, 1), (.max, 128)])
  func capacities(asked: Int, had: Int) {
    #expect(KeptEnvelopes(path: folder.file, capacity: asked).capacity == had)
  }

  @Test("an envelope whose handler throws stays, the others have their turn, and the error is thrown")
  func crash() async throws {
    for body in ["1", "2", "3"] { await receiveLocked(try parties.push(draft(body))) }
    var seen: [String] = []
    await #expect(throws: Broken.self) {
      try await kept.openAll(with: parties.receiver()) { reception in
        seen.append(reception.content.body)
        if reception.content.body != "2" { throw Broken() }
      }
    }
    #expect(seen == ["1", "2", "3"])
    #expect(try await openAll().map(\.content.body) == ["1", "3"])
  }

  @Test("an envelope is still in the file while its handler runs, and is not after")
  func forgottenAfter() async throws {
    let push = try parties.push()
    await receiveLocked(push)
    let text = try #require(push.text)
    var wasKept = false
    try await kept.openAll(with: parties.receiver()) { _ in wasKept = try folder.text.contains(text) }
    #expect(wasKept)
    #expect(try !folder.text.contains(text))
  }

  @Test("what comes in while others are opened stays")
  func meanwhile() async throws {
    await receiveLocked(try parties.push())
    let late = try parties.push(draft("late"))
    try await kept.openAll(with: parties.receiver()) { _ in await receiveLocked(late) }
    #expect(try await openAll().map(\.content.body) == ["late"])
  }

  @Test("of two callers at once each has every envelope at most once, and none is lost")
  func twoCallers() async throws {
    for body in 1...4 { await receiveLocked(try parties.push(draft("\(body)"))) }
    let replay = InMemoryReplayStore()
    let receiver = parties.receiver(replay: replay)
    var inner: [String] = []
    var outer: [String] = []
    try await kept.openAll(with: receiver) { reception in
      outer.append(reception.content.body)
      guard inner.isEmpty else { return }
      try await KeptEnvelopes(path: folder.file).openAll(with: receiver) { inner.append($0.content.body) }
    }
    #expect(outer == ["1", "2", "3", "4"])
    #expect(inner == ["1", "2", "3", "4"])
    #expect(try await openAll() == [])
  }

  @Test("the file has the envelope, as APNs had it, and nothing else")
  func ciphertextOnly() async throws {
    let push = try parties.push()
    await receiveLocked(push)
    let text = try #require(push.text)
    #expect(try folder.text == "{\"v\":1,\"envelopes\":[\n\"\(text)\"\n]}\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }
}
