import Locks
import PushCore
import PushFiles
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// Pushes that come twice, in another order or not at all, and a file that somebody else has locked.
@Suite(.hangGuard)
struct DeliveryPitfalls {
  private let stage = Stage()

  private func store() -> FileReplayStore { FileReplayStore(path: stage.folder.path(of: "seen")) }

  @Test("a push that comes twice shows the same text again, without a sound")
  func twice() async throws {
    let (host, payload) = (stage.host(stage.receiver(replay: store())), try stage.sealed())
    let first = try await host.deliver(payload)
    let second = try await host.deliver(payload)
    #expect([first.body, second.body] == [Stage.secret, Stage.secret])
    #expect(first.content.sound != nil)
    #expect(second.content.sound == nil)
  }

  @Test("another process, with a store of its own on the same file, knows it too")
  func twiceInTwoProcesses() async throws {
    let payload = try stage.sealed()
    let hosts = (stage.host(stage.receiver(replay: store())), stage.host(stage.receiver(replay: store())))
    #expect(try await hosts.0.deliver(payload).content.sound != nil)
    let second = try await hosts.1.deliver(payload)
    #expect(second.body == Stage.secret)
    #expect(second.content.sound == nil)
  }

  @Test("a job that was tried again is the same message, though every byte of its envelope is another")
  func triedAgain() async throws {
    let (host, id) = (stage.host(stage.receiver(replay: store())), MessageID.random())
    _ = try await host.deliver(stage.sealed(messageID: id))
    let again = try await host.deliver(stage.sealed(messageID: id))
    #expect(again.body == Stage.secret)
    #expect(again.content.sound == nil)
  }

  @Test("the request's identifier proves nothing: neither that a message is new nor that it is old")
  func identifiers() async throws {
    let host = stage.host(stage.receiver(replay: store()))
    let payloads = [try stage.sealed("one"), try stage.sealed("two")]
    var shown: [ShownNotification] = []
    for payload in payloads { shown.append(try await host.push(payload, collapseID: "same").shown()) }
    shown.append(try await host.push(payloads[0], collapseID: "other").shown())
    #expect(shown.map(\.body) == ["one", "two", "one"])
    #expect(shown.map { $0.content.sound != nil } == [true, true, false])
  }

  @Test("another content under the identity of a message that was shown is refused")
  func conflict() async throws {
    let (host, id) = (stage.host(stage.receiver(replay: store())), MessageID.random())
    _ = try await host.deliver(stage.sealed(messageID: id))
    try await host.deliver(stage.sealed("Dinner?", messageID: id), admitsPlaceholder: true)
      .expectPlaceholder()
    #expect(stage.reasons == [.replayed])
  }

  @Test(
    "to hide a repetition is a wish: without the entitlement the placeholder shows", arguments: [false, true])
  func suppression(mayFilter: Bool) async throws {
    var phone = Phone()
    phone.mayFilter = mayFilter
    let host = stage.host(stage.receiver(duplicates: .suppress), phone: phone)
    let payload = try stage.sealed()
    #expect(try await host.deliver(payload).body == Stage.secret)
    let push = try host.push(payload)
    let again = try await push.shown()
    #expect(again.isVisible == !mayFilter)
    #expect(again.body == (mayFilter ? "" : "(Encrypted)"))
    #expect(again.source == (mayFilter ? .serviceExtension : .original(.mayNotFilter)))
    #expect(push.faults.isEmpty)
  }

  @Test("of many pushes the newest alone is enough, and those that come late, in any order, open too")
  func onlyTheNewest() async throws {
    var payloads: [(text: String, bytes: [UInt8])] = []
    for index in 0..<6 {
      payloads.append(("text \(index)", try stage.sealed("text \(index)")))
      stage.clock.advance(by: .seconds(60))
    }
    let host = stage.host(stage.receiver(replay: store()))
    for index in [5, 1, 4, 0, 3] {
      let shown = try await host.deliver(payloads[index].bytes)
      #expect(shown.body == payloads[index].text)
      #expect(shown.content.sound != nil)
    }
    #expect(stage.reasons.isEmpty)
  }

  @Test("a replay file that somebody else has locked costs the check alone, and the message is shown")
  func lockedReplayFile() async throws {
    let path = try stage.folder.make("replay")
    let outcomes = Mutex<[Outcome]>([])
    var receiver = stage.receiver(replay: FileReplayStore(path: "\(path)/seen", patience: .zero))
    receiver.observers.append(Outcomes { outcome in outcomes.withLock { $0.append(outcome) } })
    // A lock belongs to whoever opened the folder, in this process or in another.
    var other = try Folder(path)
    try other.lock(within: .zero)
    let shown = try await stage.host(receiver).deliver(stage.sealed())
    #expect(shown.body == Stage.secret)
    #expect(shown.content.sound != nil)
    guard case .opened(let opened)? = outcomes.withLock({ $0.first }) else {
      Issue.record("it was not opened")
      return
    }
    #expect(opened.repetition == .notChecked)
    #expect(try stage.log.read().entries.map(\.event) == [.noted("replay-not-checked")])
    #expect(stage.folder.files(in: "replay").isEmpty)
    _ = consume other
  }

  @Test("no lock is held while steps run, nor after the delivery: the system kills who is stopped with one")
  func noLockIsHeld() async throws {
    let path = try stage.folder.make("files")
    let wasFree = Mutex<[Bool]>([])
    let look = EnrichmentStep("look") { _, _ in
      let isFree = isFree(path)
      wasFree.withLock { $0.append(isFree) }
    }
    for keys: any DeviceKeyStore in [stage.device, LockedKeyStore()] {
      var receiver = stage.receiver(
        keys: keys, replay: FileReplayStore(path: "\(path)/seen"), steps: [look])
      receiver.observers = [
        DiagnosticsLog(path: "\(path)/log"), KeptEnvelopes(path: "\(path)/kept"),
      ]
      _ = try await stage.host(receiver).deliver(stage.sealed(), admitsPlaceholder: true)
      #expect(isFree(path))
    }
    #expect(wasFree.withLock { $0 } == [true])
    #expect(stage.folder.files(in: "files").keys.sorted() == ["kept", "log", "seen"])
  }
}

/// Whether nobody holds a folder's lock.
private func isFree(_ path: String) -> Bool {
  guard var folder = try? Folder(path) else { return false }
  return (try? folder.lock(within: .zero)) != nil
}

/// Hears what came of each push.
private struct Outcomes: ReceptionObserver {
  private let note: @Sendable (Outcome) -> Void

  init(_ note: @escaping @Sendable (Outcome) -> Void) { self.note = note }

  func observe(_ report: ReceptionReport) { note(report.outcome) }
}
